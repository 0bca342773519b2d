package cli

import (
	"path/filepath"
	"testing"
)

// TestOptionFaults holds errors of options to the words of the command line,
// wherever in a command they come up.
func TestOptionFaults(t *testing.T) {
	log := writeLog(t, tiny)
	out := filepath.Join(t.TempDir(), "out.swf")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fit", log, "--by", "kind"}, log + ": --interactive is missing, and the header calls no partition or queue interactive: want column=value,... of the interactive jobs"},
		{[]string{"generate", "--like", log, "--days", "1", "--jobs", "4", "-o", out}, "--days 1: want either --jobs or --days"},
		{[]string{"lifetimes", log, "--months", "1", "--periods", "2"}, "--periods 2: want either --months or --periods"},
		{[]string{"lifetimes", log, "--by", "class"}, `--by "class": want named classes, such as --class short=q1s,q2s and --class long=q1l`},
		{[]string{"simulate", log, "--policy", "priority"}, "--policy priority: want its queues, the most urgent first, such as priority(queues=3,1)"},
		{[]string{"compare", "lublin1999", log, "--schedule", "easy"}, "--schedule with a model as the first input: want a log"},
		{[]string{"compare", log, log, "--replicas", "20"}, "--replicas of a second log: want a model, or --like for twins of the log"},
	} {
		got := loadstone(t, "", c.args...)
		want := "loadstone: " + c.want + "\nSee 'loadstone " + c.args[0] + " --help'.\n"
		if got.code != exitUsage || got.err != want {
			t.Errorf("loadstone %v: code %d\n%s%s", c.args, got.code, got.err, want)
		}
	}
}
