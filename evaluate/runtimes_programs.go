package evaluate

import (
	"context"

	"github.com/loadstone-hpc/loadstone/runtime/outside"
)

// replay starts the programs, has all entries predict, and ends the programs.
func (r *runTimes) replay(ctx context.Context) error {
	var started []*outside.Process
	defer func() {
		for _, p := range started {
			p.Stop()
		}
	}()
	first := len(r.entries) - len(r.o.Programs)
	for i, c := range r.o.Programs {
		p, err := outside.Start(ctx, c)
		if err != nil {
			return err
		}
		started = append(started, p)
		r.entries[first+i].Own = p
	}
	if err := r.play(ctx); err != nil {
		return err
	}
	for _, p := range started {
		if err := p.Finish(); err != nil {
			return err
		}
	}
	return nil
}
