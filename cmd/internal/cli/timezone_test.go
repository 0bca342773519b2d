package cli

import (
	"fmt"
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

// TestTimeZoneOfSWF: a header that says when the log starts, but not in which
// zone, is read in --timezone by every command, and no warning is left.
func TestTimeZoneOfSWF(t *testing.T) {
	var b strings.Builder
	b.WriteString("; UnixStartTime: 843480031\n; MaxProcs: 4\n") // 14:00:31 in Stockholm, 12:00:31 in UTC
	for i := range 48 {
		fmt.Fprintf(&b, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 60*i, 100+i)
	}
	path := filepath.Join(t.TempDir(), "x.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"describe", path},
		{"compare", path, path},
		{"fit", path},
		{"split", path, "--at", "1996-09-23T14:10", "-o", filepath.Join(t.TempDir(), "{n}.swf")},
	} {
		without := loadstone(t, "", args...)
		if said := without.out + without.err; !strings.Contains(said, "UTC is used") {
			t.Errorf("%s without a zone: %s", args[0], said)
		}
		with := loadstone(t, "", append(args, "--timezone", "Europe/Stockholm")...)
		if said := with.out + with.err; strings.Contains(said, "UTC") || with.code != without.code {
			t.Errorf("%s in a zone: %s", args[0], said)
		}
	}
	if got := loadstone(t, "", "convert", path, "--format", "swf", "--timezone", "Europe/Stockholm"); !strings.Contains(got.out, "; TimeZoneString: Europe/Stockholm\n") {
		t.Errorf("convert: %+v", got)
	}
}
