package evaluate

import (
	"context"

	"github.com/loadstone-hpc/loadstone/runtime/outside"
)

// withPrograms starts the programs that predict, replays, and ends them.
func (r *runTimes) withPrograms(ctx context.Context, replay func(context.Context) error) error {
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
		r.out.Programs = append(r.out.Programs, RunTimesProgram{c.Label, c.Line})
	}
	if err := replay(ctx); err != nil {
		return err
	}
	for _, p := range started {
		if err := p.Finish(); err != nil {
			return err
		}
	}
	return nil
}
