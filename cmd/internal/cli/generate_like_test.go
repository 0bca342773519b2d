package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// usersLog is a log of ten users over eight weeks, on 64 processors.
func usersLog() string {
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; UnixStartTime: 1136156400\n; TimeZoneString: Europe/Zurich\n; MaxProcs: 64\n")
	for i := range 800 {
		submit := i/100*604800 + i%100*3600 + 5*(i%7)
		fmt.Fprintf(&b, "%d %d 5 %d 4 -1 -1 4 7200 -1 1 %d 1 -1 -1 -1 -1 -1\n", i+1, submit, 60+(i*37)%5000, i*i%10+1)
	}
	return b.String()
}

func TestGenerateLike(t *testing.T) {
	log := writeLog(t, usersLog())
	dir := t.TempDir()
	many := filepath.Join(dir, "many.swf")
	if got := loadstone(t, "", "generate", "--like", log, "--jobs", "3000", "--load", "2.5x", "-o", many); got.code != exitDone {
		t.Fatal(got.err)
	}
	text := mustRead(t, many)
	for _, want := range []string{"a twin of \"", "generate --like LOG --jobs 3000 --load 2.5x --seed 1", "anonymise", "MaxJobs: 3000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the header lacks %q", want)
		}
	}
	got := loadstone(t, "", "generate", "--like", log, "--load", "0.3", "-o", filepath.Join(dir, "told.swf"))
	_, told, _ := strings.Cut(got.err, "offered load: ")
	var load float64
	// The load asked for is reached within 1 %.
	if fmt.Sscan(told, &load); math.Abs(load-0.3) > 0.003 || !strings.Contains(got.err, "anonymise") || !strings.Contains(got.err, "\njobs: ") {
		t.Errorf("said %q", got.err)
	}
}

func TestGenerateLikeFaults(t *testing.T) {
	log := writeLog(t, usersLog())
	for _, c := range []struct{ args, want string }{
		{"--like LOG --model lublin1999", "want one of --model and --like"},
		{"--like LOG --days 3 --jobs 3", "want either --jobs or --days"},
		{"--like LOG --start 2026-03-01", "--start is for --model"},
	} {
		got := loadstone(t, "", append([]string{"generate"}, strings.Fields(strings.ReplaceAll(c.args, "LOG", log))...)...)
		if got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
	if got := loadstone(t, "", "generate", "--like", log, "-o", log); got.code == exitDone {
		t.Error("a log was overwritten by its twin")
	}
	if got := loadstone(t, "", "generate", "--like", writeLog(t, "; MaxProcs: 4\n")); got.code != exitFailed || !strings.Contains(got.err, "no jobs") {
		t.Errorf("a log without jobs: exit code %d, %q", got.code, got.err)
	}
}
