package grid

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Placement is where a policy sent a job of the study, with its times there.
type Placement struct {
	Cluster                     int32   // in Grid.Clusters, -1 if the job was left out
	Submit                      float64 // s, later than in the log only under feedback
	Wait, Run                   float64 // s, on the cluster
	PredictedWait, PredictedRun float64 // s; NaN if the policy predicts nothing
}

// Outcome is the result of one policy in a study.
type Outcome struct {
	Policy     Policy
	Placements []Placement // in the order of the jobs
	Tally      *score.GridTally
	Delays     Delays // empty for an open simulation
	Warnings   []workload.Warning
}

// Clusters returns the clusters of the placements.
func (o *Outcome) Clusters() []int32 {
	all := make([]int32, len(o.Placements))
	for i, p := range o.Placements {
		all[i] = p.Cluster
	}
	return all
}

// Study simulates the grid with each of the policies, at up to o.Workers at a
// time. Each call of jobs must yield the same jobs, in order of submission. Of
// the other options, Grid and Feedback are used. Errors are those of
// Simulate.
func Study(jobs func() iter.Seq2[workload.Job, error], policies []Policy, o Options) ([]Outcome, error) {
	outcomes, errs := make([]Outcome, len(policies)), make([]error, len(policies))
	par.Each(o.Workers, len(policies), func(i int) {
		outcomes[i], errs[i] = study(jobs(), policies[i], &o)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

func study(jobs iter.Seq2[workload.Job, error], p Policy, options *Options) (Outcome, error) {
	var sizes []int64
	for _, c := range options.Grid.Clusters {
		sizes = append(sizes, c.Processors)
	}
	var w workload.Warnings
	o := Outcome{Policy: p, Tally: score.NewGridTally(sizes)}
	// Jobs start in another order than they come: Row says which is which.
	numbered := func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			j.Row = int64(len(o.Placements))
			o.Placements = append(o.Placements, Placement{Cluster: -1, Submit: j.Submit})
			if !yield(j, err) {
				return
			}
		}
	}
	for x, err := range Simulate(numbered, Config{Grid: options.Grid, Policy: p, Feedback: options.Feedback, Warnings: &w}) {
		if err != nil {
			return o, err
		}
		place := &o.Placements[x.Job.Row]
		o.Delays.add(x.Job.Submit - place.Submit)
		*place = Placement{int32(x.Cluster), x.Job.Submit, x.Job.Wait, x.Job.Run, x.PredictedWait, x.PredictedRun}
		o.Tally.Add(&x.Job, x.Cluster, x.PredictedWait, x.PredictedRun)
	}
	o.Warnings = w.List()
	return o, nil
}
