package mapping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Files of other programs have semicolons or tabs; quotes and commas mean what
// they do in any.
func TestCSVSeparators(t *testing.T) {
	const text = "job_id,submit_time,run_time_s,user_id\n1,5,7,\"a|b\"\n2,6,1-00:00:01,\"c\"\"d\"\n"
	for _, c := range []struct{ name, separator string }{{"x.csv", ","}, {"x.csv", ";"}, {"x.csv", "\t"}, {"x.tsv", "\t"}, {"-", ";"}, {"-", "\t"}} {
		l, err := logfile.OpenReader(c.name, strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(text, ",", c.separator), "|", ",")), workload.Options{})
		if err != nil {
			t.Errorf("%q in %s: %v", c.separator, c.name, err)
			continue
		}
		var jobs []workload.Job
		for j, e := range l.Jobs() {
			jobs, err = append(jobs, j), e
		}
		if err != nil || len(jobs) != 2 || jobs[0].Submit != 5 || jobs[1].Run != 86401 || jobs[1].User != 2 {
			t.Errorf("%q in %s: %+v, %v", c.separator, c.name, jobs, err)
		}
		if users := l.Header.Names("User"); users[1] != "a,b" || users[2] != `c"d` {
			t.Errorf("%q in %s: users %v", c.separator, c.name, users)
		}
	}
	// A line of the standard workload format is none of CSV.
	for _, text := range []string{"; Version: 2;2;x\n" + strings.Repeat("1 ", 17) + "1\n", strings.Repeat("1\t", 17) + "1\n"} {
		if l, err := logfile.OpenReader("-", strings.NewReader(text), workload.Options{}); err != nil || l.Format != "swf" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Seconds since 1970 give the log its date; others count from its start.
func TestCSVUnixTimes(t *testing.T) {
	const day = 1709280000 // date -ud 2024-03-01 +%s
	_, jobs, err := readCSV(fmt.Sprintf("submit_time_s,start_time,end_time\n%d,%d,%d\n%d.5,,\n", day, day+60, day+160, day+86400),
		workload.Options{Map: map[string]string{"start_time": "start_time", "end_time": "end_time"}})
	if err != nil || jobs[0].Submit != 0 || jobs[0].Wait != 60 || jobs[0].Run != 100 || jobs[1].Submit != 86400.5 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	l, _, _ := readCSV(fmt.Sprintf("submit_time_s\n%d\n", day), workload.Options{})
	if got := l.Header.Get("UnixStartTime"); got != "1709280000" || logtest.Warned(l, "unix-time") != 1 {
		t.Errorf("UnixStartTime %s, %v", got, l.Warnings())
	}
	for _, small := range []string{"0", "86400", "300000000", "-5"} {
		l, jobs, err := readCSV("submit_time_s\n"+small+"\n1709280000\n", workload.Options{})
		if err != nil || fmt.Sprint(int64(jobs[0].Submit)) != small || l.Header.Get("UnixStartTime") != "" {
			t.Errorf("%s: %+v, %v", small, jobs, err)
		}
	}
}

// Local times of the two odd hours of a year, in Zurich: at 2024-03-31 02:00
// the clock went to 3, at 2024-10-27 03:00 back to 2 (tz database).
func TestCSVOddHours(t *testing.T) {
	l, jobs, err := readCSV("submit_time_s\n2024-03-31 01:59:59\n2024-03-31 02:30:00\n2024-03-31 03:00:00\n2024-10-27 02:30:00\n2024-10-27 03:30:00\n", workload.Options{TimeZone: "Europe/Zurich"})
	if err != nil {
		t.Fatal(err)
	}
	logtest.WantCounts(t, l, map[string]int64{"skipped-time": 1, "repeated-hour": 1, "submit-order": 1})
	var got []float64
	for _, j := range jobs {
		got = append(got, j.Submit-jobs[0].Submit)
	}
	// In UTC: 00:59:59, 01:30 (as if the clock had not leapt yet), 01:00; the
	// first 02:30 of October is 00:30, and 03:30 is 02:30.
	october := 1729987200.0 - 1711843200 // date -ud '2024-10-27 00:00', '2024-03-31 00:00'
	if want := []float64{0, 1801, 1, october + 1800 - 3599, october + 9000 - 3599}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
