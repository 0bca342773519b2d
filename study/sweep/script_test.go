package sweep

import (
	"strings"
	"testing"
)

// Arrays have at most mostTasks tasks, which then have several runs.
func TestScriptLongArrays(t *testing.T) {
	for _, c := range []struct {
		runs int
		want string
	}{{24, "--array=1-24 "}, {1000, "--array=1-1000 "}, {1001, "--array=1-501 "}, {1_000_000, "--array=1-1000 "}} {
		var text strings.Builder
		if err := (Script{"loadstone", "s.yaml", "r", c.runs}).Write(&text, "slurm"); err != nil || !strings.Contains(text.String(), c.want) {
			t.Errorf("%d runs: %v, want %s in\n%s", c.runs, err, c.want, &text)
		}
	}
}
