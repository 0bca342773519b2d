package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Withheld is the reason why no wait is promised: the state is too old, or no such job can
// start now. No predictor knows when that will change.
type Withheld struct {
	Reason string `json:"reason" help:"stale (the state is too old); held (a pending job waits for something other than processors); partition-down, partition-drain or partition-inactive; or why most of the processors that are missing are: down, drained, draining, reserved or unavailable."`
	Text   string `json:"text" help:"For people."`
}

// Reasons that do not come from the machine.
const (
	ReasonStale = "stale" // the state is too old
	ReasonHeld  = "held"  // a pending job waits for something other than processors
)

// withheld returns why a request has no prediction; nil if it may have one. queued is of a
// job in the queue, which a partition need not accept any more.
func (v *view) withheld(m *Moment, r *workload.Request, queued bool) *Withheld {
	if m.Stale {
		return &Withheld{ReasonStale, fmt.Sprintf("the state of the machine is of %s, which is too old to rely on", m.Time.Format(time.RFC3339))}
	}
	return v.blocked(r, queued)
}

// blocked returns why no job like a request can start now; nil if one can.
func (v *view) blocked(r *workload.Request, queued bool) *Withheld {
	if p := v.limits[r.Partition]; p != nil {
		if !p.State.Starts() || !queued && !p.State.Accepts() {
			return &Withheld{"partition-" + string(p.State), fmt.Sprintf("the partition %s %s", p.Name, refuses(p.State))}
		}
		if p.Total > 0 && r.Size > p.Processors {
			return short(fmt.Sprintf("%d of the %d processors of the partition %s are available", p.Processors, p.Total, p.Name), p.Unavailable)
		}
	}
	if c := &v.capacity; c.Total > 0 && r.Size > c.Processors {
		return short(fmt.Sprintf("%d of the machine's %d processors are available", c.Processors, c.Total), c.Unavailable)
	}
	return nil
}

// refuses describes a partition that is not up.
func refuses(s watch.PartitionState) string {
	switch s {
	case watch.Down:
		return "is down: it starts no jobs"
	case watch.Drain:
		return "is draining: it accepts no new jobs"
	case watch.Inactive:
		return "is inactive: it neither accepts nor starts jobs"
	}
	return fmt.Sprintf("starts no jobs: its state is %q", string(s))
}

// short is of a request for more processors than are available.
func short(text string, u watch.Unavailable) *Withheld {
	reasons := u.Reasons()
	slices.SortStableFunc(reasons, func(a, b watch.UnavailableFor) int { return cmp.Compare(b.Processors, a.Processors) })
	var counts []string
	for _, x := range reasons {
		if x.Processors > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", x.Processors, x.Reason))
		}
	}
	if len(counts) == 0 {
		return &Withheld{"unavailable", text}
	}
	return &Withheld{reasons[0].Reason, text + " (" + strings.Join(counts, ", ") + ")"}
}
