package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The picture of run times by queue is of other classes where the flags after --
// say so, and of a log without queues then too.
func TestPlotByTheClassesAskedFor(t *testing.T) {
	log, _ := twoQueueLogs(t)
	bare := logOf(t, t.TempDir(), "bare.swf", "",
		"1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 -1 1 -1 -1",
		"2 60 0 20 2 -1 -1 2 -1 -1 1 2 1 1 -1 1 -1 -1")
	for _, c := range []struct {
		log   string
		flags []string
		want  []string // words of the picture
	}{
		{log, nil, []string{"by queue", "queue 1", "queue 2", "queue 3"}},
		{log, []string{"--by", "class", "--class", "short=q*s", "--class", "long=q*l"}, []string{"by class", "short", "long"}},
		{log, []string{"--class", "short=q*s", "--class", "long=q*l"}, []string{"by class", "short", "long"}},
		{log, []string{"--by", "user"}, []string{"by user", "user 1", "user 2"}},
		{log, []string{"--by", "user,size:2"}, []string{"user 1, size&lt;=2", "user 2, size&gt;2"}},
		{bare, []string{"--by", "user"}, []string{"user 1", "user 2"}},
	} {
		svg := filepath.Join(t.TempDir(), "by.svg")
		args := slices.Concat([]string{"plot", "run-times-by-queue", c.log, "-o", svg, "--", "--least-jobs", "2"}, c.flags)
		got := loadstone(t, "", args...)
		drawn, err := os.ReadFile(svg)
		if got.code != exitDone || err != nil {
			t.Errorf("%q: %d %s %v", c.flags, got.code, got.err, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(string(drawn), want) {
				t.Errorf("%q: %q is not in the picture", c.flags, want)
			}
		}
	}
	got := loadstone(t, "", "plot", "run-times-by-queue", bare, "-o", filepath.Join(t.TempDir(), "by.svg"))
	if got.code != exitFailed || !strings.Contains(got.err, "no job has a queue_id") {
		t.Errorf("no queues: %d %s", got.code, got.err)
	}
}

// The pictures of a class are called after it: classes by two columns, whose first
// values are the same, have pictures of their own.
func TestFitDrawsEachClass(t *testing.T) {
	log, _ := twoQueueLogs(t)
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{[]string{"--class", "short=q*s", "--class", "long=q*l"}, []string{"run-times-by-class", "run-times-short"}},
		{[]string{"--by", "partition,size:2"}, []string{"run-times-by-partition_id-size-2", "run-times-partition_id=1_size-upto-2", "run-times-partition_id=1_size-over-2"}},
		{[]string{"--by", "queue"}, []string{"run-times-by-queue_id", "run-times-queue_id-1"}},
	} {
		dir := t.TempDir()
		got := loadstone(t, "", slices.Concat([]string{"fit", log, "--least-jobs", "2", "--family", "exponential", "--plots", dir}, c.flags)...)
		for _, name := range c.want {
			if _, err := os.Stat(filepath.Join(dir, name+".svg")); err != nil || got.code != exitDone {
				t.Errorf("%q: %d %s %v", c.flags, got.code, got.err, err)
			}
		}
	}
}
