package evaluate

import (
	"context"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
)

// replay starts the programs of some of the entries, has these predict, hands on what they
// said, and ends the programs.
func (r *runTimes) replay(ctx context.Context, from, to int, add func(*runtime.Row) error) error {
	var started []*outside.Process
	defer func() {
		for _, p := range started {
			p.Stop()
		}
	}()
	first := len(r.entries) - len(r.o.Programs)
	for i, c := range r.o.Programs {
		if first+i < from || first+i >= to {
			continue
		}
		p, err := outside.Start(ctx, c)
		if err != nil {
			return err
		}
		started = append(started, p)
		r.entries[first+i].Own = p
	}
	if err := r.play(ctx, r.entries[from:to], add); err != nil {
		return err
	}
	for _, p := range started {
		if err := p.Finish(); err != nil {
			return err
		}
	}
	return nil
}
