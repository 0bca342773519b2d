package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// generated is a log of 3000 jobs, drawn from a published model.
func generated(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--jobs", "3000", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	return path
}

func TestFitUsage(t *testing.T) {
	log := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--components", "1"}, `--components: saw "1", want 2 to`},
		{[]string{"--components", "many"}, "or auto"},
		{[]string{"--intervals", "0.95"}, "--replicates 0: want at least 39"},
		{[]string{"--intervals", "2"}, "want a level between 0 and 1"},
		{[]string{"--censored", "--replicates", "39"}, "--replicates 39: want 0 with --censored"},
		{[]string{log, "--site", "full"}, "--site does not go with several logs, of which the distributions are shown"},
		{[]string{log, "-o", "x.json"}, "2 logs: a model of users is of one: want --form lublin2003 for one model of several"},
		{[]string{log, "--combine", "search"}, "--combine does not go with several logs"},
		{[]string{"--combine", "search"}, "--combine does not go with one log"},
		{[]string{"lublin1999-batch"}, "lublin1999-batch: want a log, to which distributions are fitted, not a model; --form lublin2003 makes one model of several"},
		{[]string{"--size-ranges", "1-4,3-9"}, "--size-ranges 1-4 and 3-9: want each size in one group"},
	} {
		if got := loadstone(t, "", append([]string{"fit", log}, c.args...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}
