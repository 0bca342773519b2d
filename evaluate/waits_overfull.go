package evaluate

import (
	"context"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// overfull warns of waits that cannot all be right: they have jobs run side by
// side that do not fit on the machine. A log whose machine is not known is not
// checked.
func (r *waits) overfull(ctx context.Context) error {
	processors, err := r.machine()
	if err != nil {
		return nil
	}
	busy, peak, moments := int64(0), int64(0), 0
	var sizes []int64 // by slot
	for e, err := range workload.Timeline(placed(r.replay(ctx))) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case workload.Start:
			for e.Slot >= len(sizes) {
				sizes = append(sizes, 0)
			}
			sizes[e.Slot] = e.Job.Size
			if busy += e.Job.Size; busy > processors {
				moments++
			}
			peak = max(peak, busy)
		case workload.Finish:
			busy -= sizes[e.Slot]
		}
	}
	if moments > 0 {
		r.remark("overfull", "the waits in the log cannot all be right: at %d starts more processors are busy than the machine's %d, at most %d; bounds are still scored on them",
			moments, processors, peak)
	}
	return nil
}

// mostPlaced is the size that a larger job is taken for, so that no sum
// overflows.
const mostPlaced = 1 << 32

// placed are the jobs whose start and end are known.
func placed(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && !(j.Wait >= 0 && j.Run > 0 && j.Size > 0) {
				continue
			}
			j.Size = min(j.Size, mostPlaced)
			if !yield(j, err) {
				return
			}
		}
	}
}
