package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestBatsimVersionFlag(t *testing.T) {
	// The job ran 4 s longer than it asked for: Batsim would kill it.
	log := writeLog(t, "; Version: 2.2\n1 0 1 64 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n")
	for _, c := range []struct {
		flags []string
		kind  string
	}{{nil, "delay"}, {[]string{"--batsim-version", "4"}, "delay"}, {[]string{"--batsim-version", "5"}, "DelayProfile"}} {
		out := filepath.Join(t.TempDir(), "x.batsim.json")
		got := loadstone(t, "", append([]string{"convert", log, "-o", out}, c.flags...)...)
		text := mustRead(t, out)
		if got.code != exitDone || !strings.Contains(text, `"type": "`+c.kind+`"`) || !strings.Contains(text, `"walltime": 65,`) {
			t.Errorf("%q: exit code %d, %s\n%s", c.flags, got.code, got.err, text)
		}
		if !strings.Contains(got.err, "lost: 1 values of requested_time_s: not above the run time") {
			t.Errorf("%q: the raised limit is not counted: %s", c.flags, got.err)
		}
	}
	for _, args := range [][]string{
		{"convert", log, "-o", "x.swf", "--batsim-version", "5"},
		{"convert", log, "--batsim-version", "5"},
		{"convert", log, "-o", "x.batsim.json", "--batsim-version", "3"},
	} {
		if got := loadstone(t, "", args...); got.code != exitUsage {
			t.Errorf("%q: exit code %d, %s", args, got.code, got.err)
		}
	}
}
