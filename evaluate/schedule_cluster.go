package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScheduleResource describes the use of one resource of a machine. Shares are
// of the machine's capacity from the first submission to the last end, in [0,
// 1].
type ScheduleResource struct {
	Name        string       `json:"name" csv:"resource" show:"resource"` // "processors", "gpus", "memory_kb" or "nodes"
	Capacity    float64      `json:"capacity" show:"there are"`           // of all pools
	Utilisation stats.Number `json:"utilisation" show:"asked for,share"`  // share that jobs asked for
	Held        stats.Number `json:"held" show:"held,share"`              // share that jobs held; more than requested if nodes are allocated whole
	// HeadShort is the share of that time in which the first job of the queue found
	// too little of the resource in each of its pools.
	HeadShort stats.Number `json:"head_short" show:"short at the head,share"`
}

// SchedulePartition contains the scores of a schedule on the jobs of one
// partition.
type SchedulePartition struct {
	Partition       workload.Integer `json:"partition,omitzero"`
	Name            string           `json:"name,omitempty"`
	Jobs            int              `json:"jobs"`
	Wait            score.Spread     `json:"wait_s"`
	BoundedSlowdown score.Spread     `json:"bounded_slowdown"`
	WaitedPct       stats.Number     `json:"waited_pct"`
}

// clusterWatch adds up what is asked for, held and lacked of each resource.
type clusterWatch struct {
	asked, held, short map[sched.Resource]float64 // amounts times seconds; seconds
	holds              map[sched.Resource]float64 // since
	lacks              map[sched.Resource]bool
	since              float64
}

func newClusterWatch() *clusterWatch {
	return &clusterWatch{map[sched.Resource]float64{}, map[sched.Resource]float64{}, map[sched.Resource]float64{}, map[sched.Resource]float64{}, map[sched.Resource]bool{}, math.NaN()}
}

// settled notes what is so from now on.
func (w *clusterWatch) settled(s *sched.State) {
	for _, r := range sched.Resources() {
		if seconds := s.Now() - w.since; seconds > 0 {
			w.held[r] += w.holds[r] * seconds
			if w.lacks[r] {
				w.short[r] += seconds
			}
		}
		w.holds[r], w.lacks[r] = float64(s.Held(r)), s.HeadLacks(r)
	}
	w.since = s.Now()
}

// add enters a job that starts.
func (w *clusterWatch) add(j *workload.Job) {
	for _, r := range sched.Resources() {
		w.asked[r] += float64(sched.Demand(j, r)) * j.Run
	}
}

func (w *clusterWatch) resources(c *sched.Cluster, s *score.Schedule) (all []ScheduleResource) {
	span := float64(s.Last - s.First)
	for _, r := range sched.Resources() {
		capacity := float64(c.Capacity(r))
		if capacity == 0 {
			continue
		}
		x := ScheduleResource{r.Name(), capacity / float64(r.PerUnit()), stats.Number(w.asked[r] / (capacity * span)), stats.Number(w.held[r] / (capacity * span)), stats.Number(w.short[r] / span)}
		if r == sched.Nodes { // most logs do not say how many
			x.Utilisation = x.Held
		}
		all = append(all, x)
	}
	return all
}

// partitionsOf are the rows of the partitions that have jobs.
func (w *scheduleWatch) partitionsOf(named func(int, int64) (string, bool)) (all []SchedulePartition) {
	for _, x := range w.sites {
		s := x.Result()
		name, _ := named(workload.ColPartition, x.partition)
		all = append(all, SchedulePartition{workload.Integer(x.partition), name, s.Jobs, s.Wait, s.BoundedSlowdown, s.WaitedPct})
	}
	return all
}

// namesOf returns what finds the log's names of numbers: those met so far where its
// format has texts, else the header's.
func namesOf(log *workload.Log) func(col int, number int64) (string, bool) {
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
