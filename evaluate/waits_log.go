package evaluate

import "github.com/loadstone-hpc/loadstone/workload"

// heldLog yields the jobs of a log for several replays, from memory or by reading it again.
type heldLog struct {
	reopen func() (*workload.Log, error) // nil if the log can be read only once
	jobs   int
	holds  bool             // held contains all jobs; else the log is read again
	held   [][]workload.Job // by submission, in blocks
}

// mostHeld is the largest number of jobs held in memory, of some 250 bytes each, if the
// log can be read again; heldBlock is the number of jobs in a block of memory. Because of the
// blocks, held jobs are never copied as their number grows.
const (
	mostHeld  = 1 << 19
	heldBlock = 1 << 12
)

// hold counts the next job and keeps it, or drops all held jobs if there are too many.
func (h *heldLog) hold(j *workload.Job) {
	h.jobs++
	switch {
	case !h.holds:
		return
	case h.reopen != nil && h.jobs > mostHeld:
		h.holds, h.held = false, nil
		return
	case (h.jobs-1)%heldBlock == 0:
		h.held = append(h.held, make([]workload.Job, 0, heldBlock))
	}
	last := &h.held[len(h.held)-1]
	*last = append(*last, *j)
}

// each yields the jobs in order.
func (h *heldLog) each(yield func(workload.Job, error) bool) {
	if !h.holds {
		h.reread(yield)
		return
	}
	for _, block := range h.held {
		for i := range block {
			if !yield(block[i], nil) {
				return
			}
		}
	}
}

// reread reads the log once more.
func (h *heldLog) reread(yield func(workload.Job, error) bool) {
	log, err := h.reopen()
	if err != nil {
		yield(workload.Job{}, err)
		return
	}
	defer log.Close()
	n := 0
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if n++; n > h.jobs || !yield(j, err) { // the log may have grown since
			return
		}
	}
}
