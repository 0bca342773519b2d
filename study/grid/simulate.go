package grid

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Placement is where a policy sent a job of the study, with its times there.
type Placement struct {
	Cluster                     int32   // in Grid.Clusters, -1 if the job was left out
	Wait, Run                   float64 // s, on the cluster
	PredictedWait, PredictedRun float64 // s, what ECT expected when it sent the job there; else NaN
}

// Outcome is the result of one policy in a study.
type Outcome struct {
	Policy     string
	Placements []Placement // in the order of the jobs
	tally      *score.GridTally
	warnings   []workload.Warning
}

// ErrTooLarge is the error if no job fits any cluster.
var ErrTooLarge = errors.New("jobs, all larger than every cluster")

// simulate places jobs, which come by submission, under a policy.
//
// Left out and counted are jobs whose submission time is unknown, that have no
// size above 0 (Job.Size), whose run time is unknown or negative, and those
// that the policy cannot place: it is workload.ErrNoJobs if all are, and ErrTooLarge if all
// of them are larger than every cluster.
func (o *Options) simulate(jobs iter.Seq2[workload.Job, error], policy string) (Outcome, error) {
	b, err := o.broker(policy)
	if err != nil {
		return Outcome{}, err
	}
	c, sizes := sched.Config{}, []int64{}
	for _, x := range o.Grid.Clusters {
		c.Machines = append(c.Machines, sched.Machine{Processors: x.Processors, Speed: x.Speed})
		sizes = append(sizes, x.Processors)
	}
	if policy == ectPerfect {
		c.Estimator = sched.Perfect{}
	}
	in := &intake{grid: o.Grid, largest: o.Grid.largest(), out: Outcome{Policy: policy, tally: score.NewGridTally(sizes)}}
	in.selective, _ = b.(selective)
	seen := &watched{Broker: b}
	c.Broker = seen
	out := &in.out
	for j, err := range sched.Simulate(in.jobs(jobs), c, nil) {
		if err != nil {
			return *out, in.fault(err)
		}
		p := seen.last
		p.Wait, p.Run = j.Wait, j.Run
		out.Placements[j.Row] = p // jobs start in another order than they come
		out.tally.Add(&j, int(p.Cluster), p.PredictedWait, p.PredictedRun)
	}
	out.warnings = in.leftOut.List()
	return *out, nil
}

// watched notes where the job went that has started last.
type watched struct {
	sched.Broker
	last Placement
}

func (w *watched) Started(t sched.Task, m *sched.State) {
	w.Broker.Started(t, m)
	w.last = Placement{Cluster: int32(m.Index()), PredictedWait: math.NaN(), PredictedRun: math.NaN()}
	if p, ok := w.Broker.(predicting); ok {
		w.last.PredictedWait, w.last.PredictedRun = p.predicted(t.Key)
	}
}

// intake passes on the jobs that can be simulated, with their times at speed 1, and
// counts the others.
type intake struct {
	grid            *Grid
	selective       selective // nil where the policy places all
	largest         Cluster
	out             Outcome
	leftOut         workload.Warnings
	admitted, large int
	failed          bool // the input
}

func (in *intake) jobs(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if in.failed = err != nil; !in.failed {
				j.Row = int64(len(in.out.Placements))
				in.out.Placements = append(in.out.Placements, Placement{Cluster: -1})
				if !in.admit(&j) {
					continue
				}
				in.admitted++
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func (in *intake) admit(j *workload.Job) bool {
	rule, text := sched.Unfit(j)
	saw := ""
	switch {
	case rule != "":
	case j.Size > in.largest.Processors:
		rule, text = "larger-than-cluster", "jobs left out of the simulation: they are larger than every cluster"
		saw = fmt.Sprintf(" of %d processors, the largest cluster has %d", j.Size, in.largest.Processors)
		in.large++
	case in.selective != nil && !in.selective.takes(&j.Request):
		rule, text = "no-cluster", "jobs left out of the simulation: their own site has no cluster that holds them"
	}
	if rule != "" {
		in.leftOut.Add(rule, text, 0, j.Label()+saw)
		return false
	}
	if c := in.grid.of(j.Partition); c >= 0 {
		j.Run *= in.grid.Clusters[c].Speed
		j.Time *= in.grid.Clusters[c].Speed
	}
	j.Run = min(j.Run, math.MaxFloat64) // where it does not fit a float64 at speed 1
	return true
}

// fault is the error of a simulation, which says why where no job could be simulated.
func (in *intake) fault(err error) error {
	switch {
	case in.failed || in.admitted > 0:
		return err
	case in.large > 0:
		return fmt.Errorf("%d %w: the largest of grid %s is %s of %d processors", in.large, ErrTooLarge, in.grid.Name, in.largest.Name, in.largest.Processors)
	}
	return fmt.Errorf("nothing to simulate on grid %s: %w with a submission time, a size and a run time, and under policy home of a site with a cluster that holds them", in.grid.Name, workload.ErrNoJobs)
}
