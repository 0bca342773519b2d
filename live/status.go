package live

import (
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// StatusSchema names the JSON form of a Status and its version.
const StatusSchema = "loadstone.live-status/1"

// The phases of a Service.
const (
	Learning = "learning" // before the first batch
	Watching = "watching"
	Ended    = "ended" // nothing follows
)

// Status tells whether a Service can answer, and from how old a state.
type Status struct {
	Schema   string             `json:"schema"`
	Ready    bool               `json:"ready" metric:"ready" help:"It has learned, and its state is not stale."`
	Phase    string             `json:"phase" help:"Learning, watching or ended."`
	Learned  int64              `json:"events_learned" help:"Submissions, starts and ends of jobs that it has learned from."`
	State    Moment             `json:"state"`
	Source   string             `json:"source" help:"What it watches."`
	Polls    int64              `json:"polls" metric:"polls_total"`
	Failed   int64              `json:"polls_failed" metric:"polls_failed_total"`
	InARow   int64              `json:"polls_failed_in_a_row"`
	Fault    string             `json:"last_fault,omitempty" help:"Of the last poll, if that failed."`
	Next     *time.Time         `json:"next_poll"` // null where none follows, or at once
	Took     stats.Number       `json:"last_poll_s" metric:"poll_duration_seconds" help:"How long the last poll took."`
	Digest   stats.Number       `json:"last_digest_s" metric:"poll_digest_seconds" help:"How long it took to learn from the last poll."`
	Store    int64              `json:"store_bytes" metric:"store_bytes" help:"Size of the store in bytes; 0 without one."`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}
