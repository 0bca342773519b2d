package plan

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Plan is what the simulated schedules of one moment say. It is immutable.
type Plan struct {
	At        float64   // s, the moment
	Draws     int       // schedules
	Quantiles []float64 // of the bounds; not to be altered
	starts    map[int64]Start
	machines  []*waits
}

// Start is when a pending job is expected to start. The moments are seconds of the machine's
// clock, +Inf where no end is in sight.
type Start struct {
	Expected float64   // the median of the schedules
	Bounds   []float64 // the start is not after it with a probability, by Plan.Quantiles
	Place    int       // in the queue of its machine, from 1
	// Simulated says that the job is in the schedules; it is not where the queue is longer
	// than Options.Depth.
	Simulated bool
}

func (s *Start) shift(by float64) {
	s.Expected += by
	for i := range s.Bounds {
		s.Bounds[i] += by
	}
}

// Wait is how long a request would wait, in seconds, +Inf where no end is in sight.
type Wait struct {
	At       float64   // s, the moment of the plan
	Expected float64   // the median of the schedules
	Mean     float64   // their mean
	Bounds   []float64 // by Plan.Quantiles
}

// Start returns the expected start of a pending job by its Row; false if it was not in a queue
// of the plan, or is larger than its machine.
func (p *Plan) Start(row int64) (Start, bool) {
	s, ok := p.starts[row]
	return s, ok
}

// Wait returns how long a request would wait that is submitted at the moment of the plan, to
// the end of its partition's queue. Of the request Size, Time and Partition count; a Time
// that is unknown stands for the longest. More processors or time never wait shorter.
//
// Sizes and limits of the grid are as simulated, others interpolated. It is a
// *workload.OptionError where no machine serves the partition, or none is so large.
func (p *Plan) Wait(r workload.Request) (Wait, error) {
	m, err := p.machine(r.Partition)
	if err != nil {
		return Wait{}, err
	}
	if most := m.largest(); r.Size < 1 || r.Size > most {
		return Wait{}, workload.OptionFault("size", r.Size, "1 to %d processors", most)
	}
	w := Wait{At: p.At}
	column := m.of(&r)
	for _, x := range column {
		w.Mean += x
	}
	w.Mean /= float64(len(column))
	w.Expected, w.Bounds = summary(column, m.quantiles)
	return w, nil
}

func (p *Plan) machine(partition int64) (*waits, error) {
	for _, m := range p.machines {
		if m.partitions == nil || slices.Contains(m.partitions, partition) {
			return m, nil
		}
	}
	return nil, workload.OptionFault("partition", partition, "one of a machine of the plan")
}

// waits is what the schedules of one machine say of requests.
type waits struct {
	grid
	draws      [][]float64 // s, by schedule and cell
	quantiles  []float64
	partitions []int64 // nil is all
}

func (w *waits) largest() int64 { return w.sizes[len(w.sizes)-1] }

// of returns the waits of a request in the schedules, in ascending order.
func (w *waits) of(r *workload.Request) []float64 {
	at := w.place(r)
	out := make([]float64, len(w.draws))
	for k, table := range w.draws {
		out[k] = w.at(table, &at)
	}
	slices.Sort(out)
	return out
}

// summary returns the median of ascending values and their bounds. With n values, of which
// another one is as likely to fall into any gap, the k-th is a bound for k of n+1; the
// largest is that of what lies beyond.
func summary(values, quantiles []float64) (median float64, bounds []float64) {
	n := len(values)
	if median = values[n/2]; n%2 == 0 {
		median = (values[n/2-1] + median) / 2
	}
	bounds = make([]float64, len(quantiles))
	for i, q := range quantiles {
		rank := int(math.Ceil(q*float64(n+1) - 1e-9))
		bounds[i] = values[min(max(rank, 1), n)-1]
	}
	return median, bounds
}
