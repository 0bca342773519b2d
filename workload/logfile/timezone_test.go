package logfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A log counts seconds from UnixStartTime; Options.TimeZone gives the site's time zone if the
// header has none.
func TestTimeZoneOfHeader(t *testing.T) {
	const job = "1 0 -1 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
	// What is tested, the header, the given zone, the time at second 0, part of the note on it, and
	// the rule of the warning.
	for _, c := range longtest.Rows(`
none in the header | ; UnixStartTime: 843480031↵ | Europe/Stockholm | Mon 1996-09-23 14:00:31 CEST |  |
an offset alone | ; UnixStartTime: 843480031↵; TimeZone: -28800↵ | Europe/Stockholm | Mon 1996-09-23 14:00:31 CEST |  |
an unknown zone | ; UnixStartTime: 843480031↵; TimeZoneString: Mars/Olympus↵ | Europe/Stockholm | Mon 1996-09-23 14:00:31 CEST |  |
the same zone | ; UnixStartTime: 843480031↵; TimeZoneString: Europe/Stockholm↵ | Europe/Stockholm | Mon 1996-09-23 14:00:31 CEST |  |
another zone | ; UnixStartTime: 843480031↵; TimeZoneString: US/Pacific↵ | Europe/Stockholm | Mon 1996-09-23 05:00:31 PDT |  | other-time-zone
no start | ; Computer: x↵ | Europe/Stockholm | Mon 1970-01-05 00:00:00 UTC | no UnixStartTime |
no zone given | ; UnixStartTime: 843480031↵ |  | Mon 1996-09-23 12:00:31 UTC | no time zone |
`) {
		header, want, note, rule := strings.ReplaceAll(c[1], "↵", "\n"), c[3], c[4], c[5]
		t.Run(c[0], func(t *testing.T) {
			l, err := logfile.OpenReader("x", strings.NewReader(header+job), workload.Options{TimeZone: c[2]})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			clock, said := l.Header.Clock()
			var rules string
			for _, w := range l.Warnings() {
				rules += w.Rule
			}
			if got := clock.At(0).Format("Mon 2006-01-02 15:04:05 MST"); got != want || rules != rule || (said == "") != (note == "") || !strings.Contains(said, note) {
				t.Errorf("second 0 is %s, want %s; note %q, want %q; warnings %q, want %q", got, want, said, note, rules, rule)
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
