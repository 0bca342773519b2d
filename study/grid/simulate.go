package grid

import (
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Placement is the cluster to which a policy sent a job, with the job's times there.
type Placement struct {
	Cluster                     int32   // index in Grid.Clusters, -1 if the job was left out
	Wait, Run                   float64 // on the cluster, s
	PredictedWait, PredictedRun float64 // as expected by ECT for the cluster, s; NaN under other policies
}

// Outcome is the result of one policy in a study.
type Outcome struct {
	Policy     string
	Placements []Placement // in the order of the jobs
	score      Score
	warnings   []workload.Warning
}

// simulate places jobs, which come in order of submission, under a policy. Jobs that package
// sched leaves out and jobs that the policy cannot place are counted in the warnings of the
// outcome. Errors are those of package sched.
func (o *Options) simulate(jobs iter.Seq2[workload.Job, error], policy string) (Outcome, error) {
	out := Outcome{Policy: policy}
	b, err := o.broker(policy)
	if err != nil {
		return out, err
	}
	var leftOut workload.Warnings
	seen := &watched{Broker: b}
	c, tally := sched.Config{Broker: seen, Warnings: &leftOut}, newTally(o.Grid)
	for _, x := range o.Grid.Clusters {
		c.Machines = append(c.Machines, sched.Machine{Processors: x.Processors, Speed: x.Speed})
	}
	if policy == ectPerfect {
		c.Estimator = sched.Perfect{}
	}
	selective, _ := b.(selective)
	admitted := workload.Select(jobs, func(j *workload.Job) bool {
		j.Row = int64(len(out.Placements)) // jobs do not start in the order of submission
		out.Placements = append(out.Placements, Placement{Cluster: -1})
		if selective != nil && !selective.takes(&j.Request) {
			leftOut.Add("no-cluster", "jobs left out of the simulation: their own site has no cluster that holds them", 0, j.Label())
			return false
		}
		o.Grid.toSpeedOne(j)
		return true
	})
	for j, err := range sched.Simulate(admitted, c, nil) {
		if err != nil {
			return out, err
		}
		p := seen.last
		p.Wait, p.Run = j.Wait, j.Run
		out.Placements[j.Row] = p
		tally.add(&j, int(p.Cluster), p.PredictedWait, p.PredictedRun)
	}
	out.score, out.warnings = tally.result(policy), leftOut.List()
	return out, nil
}

// toSpeedOne converts a job's times to those at speed 1, if a cluster represents its site.
func (g *Grid) toSpeedOne(j *workload.Job) {
	if c := g.of(j.Partition); c >= 0 && !math.IsInf(j.Run, 1) {
		j.Run = min(j.Run*g.Clusters[c].Speed, math.MaxFloat64) // infinite times cannot be simulated
		j.Time *= g.Clusters[c].Speed
	}
}

// watched is a broker that records the placement of the job that started last.
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
