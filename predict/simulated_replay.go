package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queueJob is a job that runs or waits.
type queueJob struct {
	request     workload.Request
	start       float64   // s; NaN while it waits
	predictions []float64 // of its wait
	queued      int
}

func (j *queueJob) place(from *workload.Job) {
	j.request, j.start = from.Request, math.NaN()
}

// queueReplay is the machines as the predictors see them.
type queueReplay struct {
	config      QueueConfig
	sites       map[int64]*queueSite // by partition, Unknown for one machine
	simulations []*queueSimulation
}

// queueSite is one machine.
type queueSite struct {
	processors int64
	running    []int // slots, by start
	waiting    []int // slots, by submission
}

func (q *queueReplay) site(r *workload.Request) *queueSite {
	partition := int64(workload.Unknown)
	if q.config.Sites != nil {
		partition = r.Partition
	}
	m := q.sites[partition]
	if m == nil {
		m = &queueSite{processors: q.config.Processors}
		if n, ok := q.config.Sites[partition]; ok {
			m.processors = n
		}
		q.sites[partition] = m
	}
	return m
}

func (q *queueReplay) submit(slot int, under []queueJob) {
	j := &under[slot]
	m := q.site(&j.request)
	j.queued = len(m.waiting)
	m.waiting = append(m.waiting, slot)
	for i, s := range q.simulations {
		s.submitted(slot, j)
		if q.config.Policy == (sched.EASY{}) {
			j.predictions[i] = s.waitUnderEASY(m, under, j.request.Submit)
		} else {
			j.predictions[i] = s.wait(m, under, j.request.Submit)
		}
	}
}

func (q *queueReplay) start(slot int, under []queueJob, now float64) {
	m := q.site(&under[slot].request)
	m.waiting = without(m.waiting, slot)
	under[slot].start = now
	m.running = append(m.running, slot)
}

func (q *queueReplay) finish(slot int, j *workload.Job) {
	m := q.site(&j.Request)
	m.running = without(m.running, slot)
	for _, s := range q.simulations {
		s.observe(j)
	}
}

// without takes a slot out of a list that has it, in place.
func without(slots []int, slot int) []int {
	if i := slices.Index(slots, slot); i >= 0 {
		return slices.Delete(slots, i, i+1)
	}
	return slots
}
