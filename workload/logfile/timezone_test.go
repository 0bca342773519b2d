package logfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A log counts seconds from UnixStartTime; Options.TimeZone says in which zone
// its site lies where the header does not.
func TestTimeZoneOfHeader(t *testing.T) {
	const job = "1 0 -1 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
	for _, c := range []struct {
		name   string
		header string
		zone   string
		want   string // of second 0
		note   string
		rule   string // of the warning
	}{
		{"none in the header", "; UnixStartTime: 843480031\n", "Europe/Stockholm", "Mon 1996-09-23 14:00:31 CEST", "", ""},
		{"an offset alone", "; UnixStartTime: 843480031\n; TimeZone: -28800\n", "Europe/Stockholm", "Mon 1996-09-23 14:00:31 CEST", "", ""},
		{"an unknown zone", "; UnixStartTime: 843480031\n; TimeZoneString: Mars/Olympus\n", "Europe/Stockholm", "Mon 1996-09-23 14:00:31 CEST", "", ""},
		{"the same zone", "; UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm\n", "Europe/Stockholm", "Mon 1996-09-23 14:00:31 CEST", "", ""},
		{"another zone", "; UnixStartTime: 843480031\n; TimeZoneString: US/Pacific\n", "Europe/Stockholm", "Mon 1996-09-23 05:00:31 PDT", "", "other-time-zone"},
		{"no start", "; Computer: x\n", "Europe/Stockholm", "Mon 1970-01-05 00:00:00 UTC", "no UnixStartTime", ""},
		{"no zone given", "; UnixStartTime: 843480031\n", "", "Mon 1996-09-23 12:00:31 UTC", "no time zone", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := logfile.OpenReader("x", strings.NewReader(c.header+job), workload.Options{TimeZone: c.zone})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			clock, note := l.Header.Clock()
			var rules string
			for _, w := range l.Warnings() {
				rules += w.Rule
			}
			if got := clock.At(0).Format("Mon 2006-01-02 15:04:05 MST"); got != c.want || rules != c.rule || (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
				t.Errorf("second 0 is %s, want %s; note %q, want %q; warnings %q, want %q", got, c.want, note, c.note, rules, c.rule)
			}
		})
	}
	for _, zone := range []string{"Mars/Olympus", "Local"} {
		_, err := logfile.OpenReader("x", strings.NewReader("; UnixStartTime: 843480031\n"+job), workload.Options{TimeZone: zone})
		var fault *workload.OptionError
		if !errors.As(err, &fault) || fault.Option != "timezone" || !strings.Contains(fault.Saw, zone) {
			t.Errorf("an unknown zone: %v", err)
		}
	}
}
