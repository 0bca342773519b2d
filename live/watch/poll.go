package watch

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Source watches a machine. A Source is used by one goroutine.
type Source interface {
	// Poll asks the machine for its present state. An error means that nothing
	// is known of this moment; the next call may succeed.
	Poll(ctx context.Context) (*Poll, error)
	// Close releases what the source holds.
	Close() error
}

// Poll is the state of a machine at one moment. Times are seconds of the caller's
// clock, and names are numbers of the caller's Names.
type Poll struct {
	At    float64    // s, when the state was taken
	Jobs  []Sighting // all jobs that wait or run, as far as the machine shows them
	Ended []Sighting // jobs that ended lately; may repeat those of earlier polls
	// Partial says that jobs may have ended without being in Ended, because the
	// list could not be had. The tracker then does not count missing jobs.
	Partial  bool
	Capacity Capacity
	// Hidden is how many processors are in use, by the machine's own count, that
	// no job in Jobs accounts for: jobs of users that the machine does not show.
	// 0 where nothing is hidden or it is not known.
	Hidden   int64
	Warnings []workload.Warning
}

// Sighting is what a poll shows of one job.
type Sighting struct {
	// Job has its Wait where the job has started and its Run where it has ended;
	// else they are NaN. Row is set by Tracker.Events.
	workload.Job
	Label string // the machine's name of it, such as 123, 123_4 or 123_[5-10]; "" is none

	// Of a job that waits:
	Expected float64 // s, the scheduler's own forecast of the start; NaN is none
	Priority int64   // the scheduler's; workload.Unknown where it is not shown
	Held     bool    // it waits for something other than processors: a hold, a dependency, a limit, ...
	Reason   string  // why it waits, in the scheduler's words

	// Withdrawn is when a job ended that never started, s; NaN where it is not
	// known. Only jobs of Poll.Ended with an unknown Wait have it.
	Withdrawn float64
}

// Pending reports whether the job waits to start.
func (s *Sighting) Pending() bool { return !(s.Wait >= 0) }

// Capacity is what a machine can run. A number that is not known is 0.
type Capacity struct {
	Processors int64 // that jobs can get now: not those of drained, down or reserved nodes
	Total      int64 // that are configured
	Used       int64 // that jobs hold, by the machine's own count
	Free       int64 // of Processors, that no job holds
	Partitions []Partition
}

// Partition is a part of a machine with its own limits. Partitions may share nodes.
type Partition struct {
	Name          string
	Number        int64   // of the name, in Names
	Processors    int64   // that jobs can get now
	Total         int64   // that are configured
	MaxProcessors int64   // of one job, as far as the limits tell; 0 is no limit
	MaxTime       float64 // s, of one job; +Inf is no limit
	DefaultTime   float64 // s, of a job without a limit of its own; NaN is none
	Up            bool    // jobs may start
	Default       bool    // jobs that name no partition go here
}
