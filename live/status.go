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
	Schema  string       `json:"schema"`
	Ready   bool         `json:"ready"` // the service has learned, and its state is not stale
	Phase   string       `json:"phase"` // Learning, Watching or Ended
	Learned int64        `json:"events_learned"`
	State   Moment       `json:"state"`
	Source  string       `json:"source"`
	Polls   int64        `json:"polls"`
	Failed  int64        `json:"polls_failed"`
	InARow  int64        `json:"polls_failed_in_a_row"`
	Fault   string       `json:"last_fault,omitempty"` // of the last poll, if it failed
	Next    *time.Time   `json:"next_poll"`            // null where none follows, or at once
	Took    stats.Number `json:"last_poll_s"`
	Digest  stats.Number `json:"last_digest_s"`
	// Store is the size of the journal in bytes; 0 without one.
	Store    int64              `json:"store_bytes"`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}
