package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sacctLog = `JobID|User|State|Submit|Start|End|ElapsedRaw|NCPUS
1|ada|COMPLETED|2021-03-28T01:00:00|2021-03-28T01:30:00|2021-03-28T03:30:00|3600|4
`

// Clocks in Zurich leapt from 2:00 to 3:00 that night; midnight was at 23:00 UTC.
func TestTimeZone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.log")
	if err := os.WriteFile(path, []byte(sacctLog), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{path, "-"} {
		got := loadstone(t, sacctLog, "convert", in, "--format", "swf", "--timezone", "Europe/Zurich")
		for _, want := range []string{"; UnixStartTime: 1616886000\n", "; TimeZoneString: Europe/Zurich\n", "\n1 3600 1800 3600 4 "} {
			if got.code != exitDone || got.err != "" || !strings.Contains(got.out, want) {
				t.Errorf("%s: exit code %d, error %q; output %q, want %q in it", in, got.code, got.err, got.out, want)
			}
		}
		got = loadstone(t, sacctLog, "convert", in, "--format", "swf")
		if got.code != exitDone || !strings.Contains(got.err, "no-time-zone") || !strings.Contains(got.out, "; UnixStartTime: 1616889600\n") {
			t.Errorf("%s without a zone: %+v", in, got)
		}
	}
	for _, zone := range []string{"Mars/Olympus", "Local", ""} {
		got := loadstone(t, "", "describe", path, "--timezone", zone)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, "is no time zone") {
			t.Errorf("--timezone %q: %+v", zone, got)
		}
	}
}
