package watch

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Source watches a machine. A Source is used by one goroutine.
type Source interface {
	// Poll returns the present state of the machine. An error means that the state
	// could not be read; the next call may succeed.
	Poll(ctx context.Context) (*Poll, error)
}

// Poll is the state of a machine at one moment. Times are seconds of the caller's
// clock, and names are numbers of the caller's Names.
type Poll struct {
	At    float64    // s, the moment of the state
	Jobs  []Sighting // all waiting and running jobs, as far as the machine shows them
	Ended []Sighting // jobs that ended recently; may repeat those of earlier polls
	// Partial reports that jobs may have ended without being in Ended, because
	// the list was not available. The Tracker then does not count missing
	// jobs.
	Partial  bool
	Capacity Capacity
	// Hidden is the number of processors in use, by the machine's own count,
	// for which no job in Jobs accounts: they are held by jobs that the
	// machine does not show. It is 0 if nothing is hidden or the number is
	// unknown.
	Hidden   int64
	Warnings []workload.Warning
}

// Sighting is a job as shown by a poll. Row is set by Tracker.Events; Priority and
// Expected are the scheduler's.
type Sighting = slurm.ListedJob

// Capacity is the capacity of a machine in processors. An unknown number is 0.
type Capacity struct {
	Processors int64 // available to jobs now: without drained, down or reserved nodes
	Total      int64 // configured
	Used       int64 // held by jobs, by the machine's own count
	Free       int64 // part of Processors that no job holds
	// Unavailable counts the part of Total that is not in Processors.
	Unavailable Unavailable
	Partitions  []Partition
}

// Partition is a part of a machine with its own limits. Partitions may share nodes.
type Partition struct {
	Name          string
	Number        int64   // of the name, in Names
	Processors    int64   // available to jobs now
	Total         int64   // configured
	MaxProcessors int64   // largest job, as far as known; 0 means no limit
	MaxTime       float64 // s, longest job; +Inf means no limit
	DefaultTime   float64 // s, limit of a job that requests none; NaN means none
	Unavailable   Unavailable
	State         PartitionState
	Default       bool // jobs that name no partition go here
}

// PartitionState is one of Slurm's states of a partition, in lower case.
type PartitionState string

// The known states. In any other state no jobs are assumed to start.
const (
	Up       PartitionState = "up"
	Down     PartitionState = "down"     // jobs are accepted, but none starts
	Drain    PartitionState = "drain"    // no jobs are accepted, but those in the queue start
	Inactive PartitionState = "inactive" // no jobs are accepted, and none starts
)

// Starts reports whether jobs in the queue of the partition may start.
func (s PartitionState) Starts() bool { return s == Up || s == Drain }

// Accepts reports whether jobs may be submitted to the partition.
func (s PartitionState) Accepts() bool { return s == Up || s == Down }

// Unavailable counts the processors on which no further jobs can start, by
// reason.
type Unavailable struct {
	Down     int64 `json:"down" metric:"unavailable_processors,reason=down" help:"On nodes that are down, fail or do not answer."`
	Drained  int64 `json:"drained" metric:"unavailable_processors,reason=drained" help:"On drained nodes without jobs."`
	Draining int64 `json:"draining" metric:"unavailable_processors,reason=draining" help:"On nodes that are drained when their jobs have ended."`
	Reserved int64 `json:"reserved" metric:"unavailable_processors,reason=reserved" help:"Held by a reservation or maintenance."`
}

// Reasons returns all reasons with their counts.
func (u Unavailable) Reasons() []UnavailableFor {
	return []UnavailableFor{{"down", u.Down}, {"drained", u.Drained}, {"draining", u.Draining}, {"reserved", u.Reserved}}
}

// UnavailableFor counts the processors that are unavailable for one reason.
type UnavailableFor struct {
	Reason     string // the JSON name of a field of Unavailable
	Processors int64
}
