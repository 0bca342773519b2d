package tables

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// describedRow is the row of submissions in the table for people.
func describedRow(t *testing.T, log string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(name, []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	open, err := logfile.Open(name, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	d, err := inspect.Describe(context.Background(), open, inspect.DescribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range columnsTable(d).Rows {
		if row[0] == "submit_time_s" {
			return strings.Join(row, " ")
		}
	}
	t.Fatal("no row of submissions")
	return ""
}

// Submissions are dates where the log has them, and seconds in full where it has none. By
// hand: the jobs are submitted at midnight of 24 to 27 June 2022 UTC, or an hour apart.
func TestSubmissionsAreDates(t *testing.T) {
	job := func(submit string) string { return "1 " + submit + " 0 10 1 -1 -1 1 -1 -1 1 1 1 -1 -1 1 -1 -1\n" }
	days := job("1656028800") + job("1656115200") + job("1656201600") + job("1656288000.5")
	hours := job("1656028800") + job("1656032400")
	const utc = "; TimeZoneString: UTC\n"
	for _, c := range []struct{ log, want string }{
		{"; UnixStartTime: 0\n" + utc + days, "submit_time_s date 4 2022-06-25 - 2022-06-24 2022-06-25 2022-06-26 2022-06-24 2022-06-27"},
		{"; UnixStartTime: 0\n" + utc + hours, "submit_time_s date 2 06-24 00:30 - 06-24 00:15 06-24 00:30 06-24 00:45 06-24 00:00 06-24 01:00"},
		{days, "submit_time_s s 4 1656158400 6.735e-05 1656093600 1656158400 1656223200 1656028800 1656288001"},
	} {
		if got := describedRow(t, c.log); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
