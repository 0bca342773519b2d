package plan

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Plan contains the results of the simulated schedules of one moment. It is
// immutable.
type Plan struct {
	At          float64   // s, the moment
	Draws       int       // schedules
	Quantiles   []float64 // of the bounds; not to be altered
	starts      map[int64]queued
	machines    []*waits
	corrections corrections
}

// Forecast is the wait of a job or request from the moment of a plan, in
// seconds, according to the simulated schedules; +Inf if no end is in sight.
type Forecast struct {
	Expected float64   // the median of the schedules
	Bounds   []float64 // by Plan.Quantiles
}

// Start is the expected start of a pending job, in seconds of the machine's
// clock; +Inf if no end is in sight.
type Start struct {
	Expected float64   // median
	Bounds   []float64 // latest starts with the probabilities of Plan.Quantiles
	Place    int       // in the queue of its machine, from 1
	// Simulated reports whether the job is in the schedules, which contain only
	// Options.Depth queued jobs.
	Simulated bool
	// Raw is the forecast of the schedules, without the correction from
	// Planner.Settled.
	Raw Forecast
}

// Wait is the predicted wait of a request, in seconds; +Inf if no end is in
// sight.
type Wait struct {
	At       float64   // s, the moment of the plan
	Expected float64   // median
	Mean     float64   // of the schedules
	Bounds   []float64 // upper bounds, by Plan.Quantiles
}

// Start returns the expected start of a pending job by its Row; false if it was not in a queue
// of the plan, or is larger than its machine.
func (p *Plan) Start(row int64) (Start, bool) {
	q, ok := p.starts[row]
	if !ok {
		return Start{}, false
	}
	s := Start{Place: q.place, Simulated: q.simulated, Raw: q.Forecast}
	s.Expected, s.Bounds = p.corrections.forecast(q.Forecast)
	s.Expected += p.At
	for i := range s.Bounds {
		s.Bounds[i] += p.At
	}
	return s, true
}

// queued is a pending job of a plan.
type queued struct {
	Forecast
	place     int
	simulated bool
}

// Wait returns how long a request would wait that is submitted at the moment of
// the plan, to the end of its partition's queue. Only Size, Time and Partition
// of the request are used; an unknown Time means the longest, an unknown
// Partition the largest machine. A request for more processors or time never
// has a shorter wait. A request that starts at once in all schedules waits 0 s.
//
// Sizes and limits of the grid are as simulated, others interpolated. The error
// is a *workload.OptionError if no machine serves the partition, or none is
// large enough.
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
	raw := summary(column, p.Quantiles)
	if column[len(column)-1] == 0 {
		w.Bounds = raw.Bounds
		return w, nil
	}
	for _, x := range column {
		w.Mean += p.corrections.expected.of(x)
	}
	w.Mean /= float64(len(column))
	w.Expected, w.Bounds = p.corrections.forecast(raw)
	return w, nil
}

// machine returns that of a partition; the largest, the first of equal ones, for a request
// without a partition.
func (p *Plan) machine(partition int64) (*waits, error) {
	var largest *waits
	for _, m := range p.machines {
		if m.partitions == nil || slices.Contains(m.partitions, partition) {
			return m, nil
		}
		if largest == nil || m.largest() > largest.largest() {
			largest = m
		}
	}
	if partition == workload.Unknown {
		return largest, nil
	}
	return nil, workload.OptionFault("partition", partition, "one of a machine of the plan")
}

// waits is what the schedules of one machine say of requests.
type waits struct {
	grid
	draws      [][]float64 // s, by schedule and cell
	partitions []int64     // nil is all
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

// summary returns the median of ascending values, and bounds of another one.
func summary(values, quantiles []float64) Forecast {
	n := len(values)
	f := Forecast{Expected: values[n/2], Bounds: make([]float64, len(quantiles))}
	if n%2 == 0 {
		f.Expected = (values[n/2-1] + f.Expected) / 2
	}
	for i, q := range quantiles {
		f.Bounds[i] = values[rank(q, n)]
	}
	return f
}
