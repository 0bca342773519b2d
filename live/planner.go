package live

import (
	"math"
	"sync"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// planner makes the plan of each view.
type planner struct {
	*standing.Scheduler // nil means that no plans are made
}

func newPlanner(o *Options) planner {
	if o.Draws == 0 {
		return planner{}
	}
	return planner{standing.NewScheduler(&standing.Options{Policy: sched.EASY{}, Draws: o.Draws, Seed: 1, Quantiles: o.Quantiles, Confidence: o.Confidence})}
}

// learn passes a change to the Scheduler.
func (p planner) learn(c *change) error {
	if p.Scheduler == nil {
		return nil
	}
	j := *c.Job
	j.Request = *c.job.request
	return p.Learn(workload.Event{Kind: c.Kind, Time: c.Time, Job: &j})
}

// plan holds the simulated schedules of a view.
type plan struct {
	at       float64 // s
	planner  planner
	machines []machine
	starts   map[int64]predict.Forecast // waits of pending jobs from at on, by Row
	waits    sync.Map                   // cache: predict.DrawnWaits by asked
}

// asked holds the properties of a request with a time limit that determine its waits in the
// schedules.
type asked struct {
	of   *machine
	size int64
	time float64
}

// machine is a set of partitions that share no nodes with others: one partition, or all.
type machine struct {
	predict.Snapshot
	partition int64              // workload.Unknown means all
	schedules *predict.Schedules // nil if there are none
	missing   string             // why there are no schedules
}

// plan simulates schedules from a view on. It returns nil if the planner makes no plans or
// the size of the machine is unknown.
func (p planner) plan(v *view) (*plan, error) {
	if p.Scheduler == nil || v.capacity.Processors < 1 {
		return nil, nil
	}
	out := &plan{at: v.at, planner: p, machines: v.machines(), starts: map[int64]predict.Forecast{}}
	for i := range out.machines {
		m := &out.machines[i]
		if m.schedules, m.missing = p.Schedules(&m.Snapshot); m.schedules == nil {
			continue
		}
		starts, err := m.schedules.Starts()
		if err != nil {
			return nil, err
		}
		for k, waits := range starts {
			if waits != nil {
				out.starts[m.Queued[k].Row] = p.Forecast(waits)
			}
		}
	}
	return out, nil
}

// machines returns the sets of partitions that share no nodes: each partition by itself if their
// processors add up to those of the machine, otherwise one machine with all of them.
func (v *view) machines() []machine {
	sum := int64(0)
	for _, p := range v.capacity.Partitions {
		sum += p.Total
	}
	var all []machine
	if sum == v.capacity.Total && len(v.capacity.Partitions) > 1 {
		for _, p := range v.capacity.Partitions {
			if p.Processors > 0 {
				all = append(all, v.machine(p.Processors, p.Number))
			}
		}
	}
	if len(all) == 0 {
		all = append(all, v.machine(v.capacity.Processors, workload.Unknown))
	}
	return all
}

// machine returns the machine with the jobs of a partition, without held and blocked ones. If
// running jobs hold more than the given number of processors, it has as many as they hold.
func (v *view) machine(processors, partition int64) machine {
	m := machine{Snapshot: predict.Snapshot{Time: v.at}, partition: partition}
	here := func(r *workload.Request) bool { return partition == workload.Unknown || r.Partition == partition }
	held := int64(0)
	for _, j := range v.running {
		if here(j.request) && j.request.Size > 0 {
			m.Running = append(m.Running, predict.Occupant{Request: j.request, Size: j.request.Size, Age: math.Max(0, v.at-j.start)})
			held += j.request.Size
		}
	}
	for _, j := range v.pending {
		if here(j.request) && !j.Held && !j.blocked {
			m.Queued = append(m.Queued, *j.request)
		}
	}
	m.Processors = max(processors, held)
	return m
}

// start returns the forecast of a pending job's wait from the moment of the plan on, and false
// if there is none.
func (v *view) start(row int64) (predict.Forecast, bool) {
	if v.plan == nil {
		return predict.Forecast{}, false
	}
	f, ok := v.plan.starts[row]
	return f, ok
}

// planned returns the forecast of the simulated schedules for a request. A request without a
// partition is submitted to the largest machine.
func (v *view) planned(r *workload.Request) predict.Forecast {
	if v.plan == nil {
		return predict.Forecast{Missing: "no schedule has been simulated yet"}
	}
	var of *machine
	for i := range v.plan.machines {
		m := &v.plan.machines[i]
		if m.partition == workload.Unknown || m.partition == r.Partition || r.Partition == workload.Unknown && (of == nil || m.Processors > of.Processors) {
			of = m
		}
	}
	switch {
	case of == nil:
		return predict.Forecast{Missing: "no schedule has been simulated of the partition"}
	case of.schedules == nil:
		return predict.Forecast{Missing: of.missing}
	}
	key := asked{of, r.Size, r.Time}
	if waits, ok := v.plan.waits.Load(key); ok {
		return v.plan.planner.Forecast(waits.(predict.DrawnWaits))
	}
	waits, err := of.schedules.Wait(r)
	if err != nil {
		return predict.Forecast{Missing: err.Error()}
	}
	if r.Time > 0 {
		v.plan.waits.Store(key, waits)
	}
	return v.plan.planner.Forecast(waits)
}

// expect gives each pending job the bounds from the plan, at the first poll at which it is
// neither held nor blocked, and stores them.
func (s *Service) expect(v *view) error {
	var entries []journal.Entry
	for _, j := range v.pending {
		if j.planned || j.Held || j.blocked {
			continue
		}
		r, bounds := j.request, []float64{}
		e := &journal.Expect{Row: r.Row, At: v.at}
		if start, ok := v.start(r.Row); ok {
			waited := v.plan.at - r.Submit
			for _, b := range start.Bounds {
				bounds = append(bounds, waited+b.Seconds)
			}
			e.Quantiles, e.Bounds = s.o.Quantiles, bounds
		}
		s.engine.plan(r.Row, bounds)
		entries = append(entries, e)
	}
	return s.store(entries)
}
