package evaluate

import (
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scheduleWatch scores a simulation: the whole, and each site where there are
// several. It notes which jobs come later than in the log (schedule_feedback.go).
type scheduleWatch struct {
	whole score.ScheduleTally
	inLog score.ScheduleTally // the same jobs as in the log, those with a wait
	sites []*siteWatch        // as they are met
	by    map[int64]*siteWatch
	// queues are those of the jobs.
	queues map[int64]bool
	// many says that each partition has a machine, byPartition that a Cluster has
	// partitions.
	many, byPartition bool
	// longer is told how many jobs wait on a machine; it may be nil.
	longer  func(queued int)
	late    delays
	number  int64         // of the job that started last, among the submissions
	cluster *clusterWatch // nil where there is none
	// resource is that of the utilisation over time.
	resource sched.Resource
	// The whole's queue and machine, over all sites.
	queued int
	busy   int64
}

type siteWatch struct {
	partition int64
	score.ScheduleTally
	queued int
	busy   int64
}

var _ sched.Settler = (*scheduleWatch)(nil)

func newScheduleWatch(o ScheduleOptions) *scheduleWatch {
	w := &scheduleWatch{whole: score.ScheduleTally{Processors: o.Processors}, by: map[int64]*siteWatch{}, queues: map[int64]bool{}, many: o.Sites != nil, longer: o.Queued}
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

// resource is the one whose utilisation is told: the first that the machine has.
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

var _ sched.Admitter = (*scheduleWatch)(nil)

// Admitted implements sched.Admitter.
func (w *scheduleWatch) Admitted(job workload.Job) {
	w.inLog.Add(&job)
	w.queues[job.Queue] = true
}

// Blocked implements sched.Observer.
func (w *scheduleWatch) Blocked(*workload.Request, *sched.State) {}

// Started implements sched.Observer.
func (w *scheduleWatch) Started(job sched.Task, _ *sched.State) { w.number = job.Number }

// Settled implements sched.Settler.
func (w *scheduleWatch) Settled(s *sched.State) {
	queued, busy := s.Queued(), s.Processors()-s.Free()
	if w.longer != nil {
		w.longer(queued)
	}
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

// at is the watch of a site. Its first job comes before its first Settled.
func (w *scheduleWatch) at(partition int64) *siteWatch {
	x := w.by[partition]
	if x == nil {
		x = &siteWatch{partition: partition}
		w.by[partition] = x
		w.sites = append(w.sites, x)
	}
	return x
}

// scoring passes jobs on and scores them.
func (w *scheduleWatch) scoring(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				w.whole.Add(&j)
				if w.cluster != nil {
					w.cluster.add(&j)
				}
				if w.many || w.byPartition {
					w.at(j.Partition).Add(&j)
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}
