package report

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The parts of a page that take long on a large log and can be named in Options.Without.
// Each is named for the command that computes it.
const (
	RunTimes = "runtime"
	Waits    = "predict"
	Verdict  = "compare"
)

// Parts returns the parts that can be left out.
func Parts() []string { return []string{RunTimes, Waits, Verdict} }

// Options configure a page.
type Options struct {
	Log     string   // a file
	Output  string   `opt:"output,o" file:"write" common:"true" help:"write the page to this <file>: .html"`         // as the page names it
	Without []string `opt:"without" common:"true" help:"parts of the page to leave out, to save time on large logs"` // some of Parts
	// Processors is the size of the machine; 0 stands for the header's.
	Processors int64  `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	Seed       uint64 `opt:"seed" usual:"1" help:"seed of the random numbers"`

	// Global are the flags, as typed, that every command listed on the page takes.
	Global []string
	// Unused returns a warning if a flag in Global has no effect on a log of the given format, or
	// else ""; nil for no warnings.
	Unused func(format string) string

	// Open opens a log and can be called repeatedly; nil stands for logfile.Open.
	Open func(name string) (*workload.Log, error)
	// Watch wraps a pass over n jobs of a log, 0 if unknown, for example to show
	// progress; nil for none.
	Watch func(log *workload.Log, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error]
	// Work is called when a long task of size parts begins. one counts a part; it may be
	// called from any goroutine, and may be nil. end ends the task. nil for none.
	Work func(label, unit string, size int) (one, end func())
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error { return opt.Check(o) }

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *Options) Choices(option string) []string {
	if option == "without" {
		return Parts()
	}
	return nil
}
