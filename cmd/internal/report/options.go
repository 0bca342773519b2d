package report

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The parts of a page that take long on a large log, which Options.Without may
// name: each is that of the command of its name.
const (
	RunTimes = "runtime"
	Waits    = "predict"
	Verdict  = "compare"
)

// Parts are what can be left out.
func Parts() []string { return []string{RunTimes, Waits, Verdict} }

// Options say what a page is of.
type Options struct {
	Log     string   // a file
	Output  string   `opt:"output,o" file:"write" common:"true" help:"write the page to this <file>: .html"`         // as the page names it
	Without []string `opt:"without" common:"true" help:"parts of the page to leave out, to save time on large logs"` // some of Parts
	// Processors are the machine's; 0 stands for the header's.
	Processors int64  `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	Seed       uint64 `opt:"seed" usual:"1" help:"seed of the random numbers"`

	// Global are flags that every command on the page takes, as they are typed.
	Global []string
	// Unused says which of them has no effect on a log of that format; nil is none.
	Unused func(format string) string

	// Open opens a log, as often as it is asked; nil stands for logfile.Open.
	Open func(name string) (*workload.Log, error)
	// Watch wraps a pass over n jobs of a log, 0 where that is not known, to show
	// progress, say; nil is for none.
	Watch func(log *workload.Log, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error]
	// Work is called as a long task of size parts begins: one counts a part, from
	// any goroutine, and may be nil; end ends the task. nil is for none.
	Work func(label, unit string, size int) (one, end func())
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error { return opt.Check(o) }

// Choices are the values of options that take one of some.
func (o *Options) Choices(option string) []string {
	if option == "without" {
		return Parts()
	}
	return nil
}
