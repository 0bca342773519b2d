package evaluate

import (
	"context"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CheckSchema names the JSON form of CheckResult and its version.
const CheckSchema = "loadstone.check/1"

// CheckResult tells whether a log agrees with a model.
type CheckResult struct {
	Schema string           `json:"schema"`
	Log    workload.Summary `json:"log"`
	score.ModelCheck
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Check compares the jobs of a log with a model (score.CheckModel): whether
// they could have been generated from it, on the machine of the log's header
// or, if that is unknown, of the model. The log is read to its end, not closed.
// An error is the log's, or a *model.ScaleError if the model cannot be scaled
// to the log's machine; that of a log without jobs is workload.ErrNoJobs.
func Check(ctx context.Context, log *workload.Log, site model.Site, o score.CheckOptions) (*CheckResult, error) {
	clock, _ := log.Header.Clock()
	if n, ok := log.Header.Processors(); ok {
		var err error
		if site, err = site.ForProcessors(n); err != nil {
			return nil, err
		}
	}
	ask := score.ProfileOptions{Name: site.Name, Processors: site.Processors, Clock: clock, Model: &site}
	if column := site.Classes[0].Column; len(site.Classes) > 1 {
		var err error
		if ask.Classes, err = workload.NewClassifier([]workload.ClassColumn{{Column: column}}); err != nil {
			return nil, err
		}
		ask.By = column
	}
	p := score.NewProfile(ask)
	jobs := 0
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return nil, err
		}
		p.Add(&j)
		jobs++
	}
	if jobs == 0 {
		return nil, workload.ErrNoJobs
	}
	r := &CheckResult{Schema: CheckSchema, Log: workload.Summary{Name: log.Name, Jobs: jobs}, ModelCheck: score.CheckModel(p, site, o)}
	r.Warnings = append(log.Header.ClockWarnings(), log.Warnings()...)
	return r, nil
}
