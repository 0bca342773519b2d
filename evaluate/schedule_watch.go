package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scheduleWatch scores a simulation: the whole, and each site if there are several. It also
// tallies the jobs submitted later than in the log.
type scheduleWatch struct {
	whole score.ScheduleTally
	inLog score.ScheduleTally // the same jobs with the waits in the log
	sites []*siteWatch        // in order of first appearance
	by    map[int64]*siteWatch
	// queues contains the queues of the jobs.
	queues map[int64]bool
	// many is set if each partition has its own machine, byPartition if a Cluster has
	// partitions.
	many, byPartition bool
	late              delays
	number            int64         // position among the submissions of the job that started last
	cluster           *clusterWatch // nil without a Cluster
	// resource is the resource whose utilisation over time is scored.
	resource sched.Resource
	// Jobs queued and amount of resource busy, summed over all sites.
	queued int
	busy   int64
}

type siteWatch struct {
	partition int64
	score.ScheduleTally
	queued int
	busy   int64
}

func newScheduleWatch(o ScheduleOptions) *scheduleWatch {
	w := &scheduleWatch{whole: score.ScheduleTally{Processors: o.Processors}, by: map[int64]*siteWatch{}, queues: map[int64]bool{}, many: o.Sites != nil}
	switch {
	case o.Cluster != nil:
		w.cluster, w.resource = newClusterWatch(), o.resource()
		w.whole.Processors = o.Cluster.Capacity(sched.Processors)
		w.byPartition = o.Cluster.Partitions != nil
	case w.many:
		w.whole.Processors = 0 // the sum of the sites that have jobs
	}
	return w
}

// resource returns the resource whose utilisation is scored: the first that the machine has.
func (o *ScheduleOptions) resource() sched.Resource {
	if o.Cluster != nil {
		for _, r := range sched.Resources() {
			if o.Cluster.Capacity(r) > 0 {
				return r
			}
		}
	}
	return sched.Processors
}

// observer returns an observer that reports to the watch.
func (w *scheduleWatch) observer() *sched.Observer {
	return &sched.Observer{
		Admitted: func(job workload.Job) {
			w.inLog.Add(&job)
			w.queues[job.Queue] = true
		},
		Started: func(job sched.Task, _ *sched.State) { w.number = job.Number },
		Delayed: func(job *workload.Request, submit float64) {
			w.late.delay.Add(job.Submit - submit)
			w.late.longest = max(w.late.longest, job.Submit-submit)
		},
		Settled: w.settled,
	}
}

// settled is called with the state of a machine after all events of an instant.
func (w *scheduleWatch) settled(s *sched.State) {
	queued, busy := s.Queued(), s.Processors()-s.Free()
	if w.cluster != nil {
		w.cluster.settled(s)
		busy = s.Held(w.resource)
	}
	if !w.many {
		w.whole.Queue(s.Now(), queued, busy)
		return
	}
	x := w.at(s.Site())
	if x.Processors == 0 {
		x.Processors = s.Processors()
		w.whole.Processors += s.Processors()
	}
	w.queued += queued - x.queued
	w.busy += busy - x.busy
	x.queued, x.busy = queued, busy
	x.Queue(s.Now(), queued, busy)
	w.whole.Queue(s.Now(), w.queued, w.busy)
}

// at returns the watch of a site, which it creates if there is none.
func (w *scheduleWatch) at(partition int64) *siteWatch {
	x := w.by[partition]
	if x == nil {
		x = &siteWatch{partition: partition}
		w.by[partition] = x
		w.sites = append(w.sites, x)
	}
	return x
}

// scoring returns the same jobs, and scores each as it passes.
func (w *scheduleWatch) scoring(jobs workload.JobSeq) workload.JobSeq {
	return workload.Each(jobs, func(j *workload.Job) {
		w.whole.Add(j)
		if w.cluster != nil {
			w.cluster.add(j)
		}
		if w.many || w.byPartition {
			w.at(j.Partition).Add(j)
		}
	})
}

// delays describes the jobs submitted later than in the log.
type delays struct {
	delay   stats.Moments
	longest float64 // s
}

// clusterWatch sums the requested and the held amounts of each resource.
type clusterWatch struct {
	uses  []resourceUse
	since float64 // time of the last settled, s
}

type resourceUse struct {
	of          sched.Resource
	asked, held float64 // amount times seconds
	holds       float64 // amount held since clusterWatch.since
}

func newClusterWatch() *clusterWatch {
	w := &clusterWatch{since: math.NaN()}
	for _, r := range sched.Resources() {
		w.uses = append(w.uses, resourceUse{of: r})
	}
	return w
}

// settled adds the amounts held until now, and records those held from now on.
func (w *clusterWatch) settled(s *sched.State) {
	for i := range w.uses {
		u := &w.uses[i]
		if seconds := s.Now() - w.since; seconds > 0 {
			u.held += u.holds * seconds
		}
		u.holds = float64(s.Held(u.of))
	}
	w.since = s.Now()
}

// add adds the demand of a job.
func (w *clusterWatch) add(j *workload.Job) {
	for i := range w.uses {
		w.uses[i].asked += float64(sched.Demand(j, w.uses[i].of)) * j.Run
	}
}

func (w *clusterWatch) resources(c *sched.Cluster, s *score.Schedule) (all []ScheduleResource) {
	span := float64(s.Last - s.First)
	for _, u := range w.uses {
		capacity := float64(c.Capacity(u.of))
		if capacity == 0 {
			continue
		}
		share := func(amount float64) stats.Number { return stats.Number(amount / (capacity * span)) }
		x := ScheduleResource{u.of.Name(), capacity / float64(u.of.PerUnit()), share(u.asked), share(u.held)}
		if u.of == sched.Nodes { // most logs lack the number of requested nodes
			x.Utilisation = x.Held
		}
		all = append(all, x)
	}
	return all
}

// NamesOf returns a function that looks up the name of a number in a column of the log: among
// the texts read so far if the log's format has texts, else in the header.
func NamesOf(log *workload.Log) func(col int, number int64) (string, bool) {
	headers := map[int]map[int64]string{}
	return func(col int, number int64) (string, bool) {
		if names := log.Names(); names != nil {
			return names.Text(col, number)
		}
		names, ok := headers[col]
		if !ok {
			names = log.Header.Names(workload.NameKey(col))
			headers[col] = names
		}
		text, ok := names[number]
		return text, ok
	}
}

// mostStarted is the largest number of started jobs held back until a job submitted before
// them has started too.
const mostStarted = 1 << 20

// inSubmissionOrder yields jobs, which come in the order of their starts, in the order of their
// submissions. number returns the position among the submissions of the job that came last. If
// more than most jobs would be held back for a job, it is yielded out of order, with a warning
// in odd.
func inSubmissionOrder(jobs workload.JobSeq, number func() int64, most int, odd *workload.Warnings) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		held := map[int64]workload.Job{} // by number
		next := int64(0)                 // number of the first submission not yet passed on
		for j, err := range jobs {
			n := number()
			switch {
			case err != nil:
				yield(j, err)
				return
			case n < next:
				odd.Add("late-start", "jobs written out of the order of submission: they wait for longer than the jobs after them can be held in memory", 0, j.Label())
				if !yield(j, nil) {
					return
				}
				continue
			}
			held[n] = j
			isNext := n == next
			for !isNext && len(held) > most {
				next++
				_, isNext = held[next]
			}
			for isNext {
				j := held[next]
				delete(held, next)
				if !yield(j, nil) {
					return
				}
				next++
				_, isNext = held[next]
			}
		}
	}
}
