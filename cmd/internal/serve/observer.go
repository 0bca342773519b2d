package serve

import (
	"context"
	"log/slog"

	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/live"
)

// Observer returns a function that logs the outcome of polls until the context ends. The function
// must not be called concurrently.
func Observer(ctx context.Context, log *slog.Logger) func(live.Status) {
	return (&observer{ctx: ctx, log: log}).observe
}

// observer logs the outcome of polls until ctx ends. It is not safe for concurrent use.
type observer struct {
	ctx    context.Context
	log    *slog.Logger
	last   live.Status
	warned map[string]bool // rules of the last poll's warnings
}

func (o *observer) observe(s live.Status) {
	last := o.last
	o.last = s
	switch {
	case o.ctx.Err() != nil:
		return
	case s.InARow > 0:
		o.log.Warn("poll failed", "error", printable.Text(s.Fault), "in_a_row", s.InARow, "state_age_s", float64(s.State.Age))
		return
	case s.Phase == live.Ended:
		o.log.Info("the source has ended", "events", s.Learned, "time", s.State.Time)
		return
	case last.Phase != live.Watching:
		o.log.Info("ready", "events", s.Learned, "running", s.State.Running, "pending", s.State.Pending, "processors", s.State.Processors)
	case last.InARow > 0:
		o.log.Info("poll succeeded again", "failed", last.InARow)
	}
	o.log.Debug("poll", "time", s.State.Time, "events", s.Learned, "running", s.State.Running, "pending", s.State.Pending,
		"took_s", float64(s.Took), "digest_s", float64(s.Digest))
	o.warn(s)
}

// warn logs the warnings that the previous poll did not have.
func (o *observer) warn(s live.Status) {
	warned := map[string]bool{}
	for _, w := range s.Warnings {
		warned[w.Rule] = true
		if !o.warned[w.Rule] {
			o.log.Warn(printable.Text(w.Text), "rule", w.Rule, "count", w.Count)
		}
	}
	o.warned = warned
}
