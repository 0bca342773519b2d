package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// warned are the warnings: of the log, of few jobs, of what it lacks, of the pipelines in
// their order, and of predictors that predicted nothing.
func (r *waits) warned(scores []WaitScore) []workload.Warning {
	return slices.Concat(r.log.Warnings(), fewScored(scores), r.lackOfUsers(), r.remarks, r.odd.List(), r.silent(scores))
}

// fewScored warns of the kind of waits with the fewest scored jobs.
func fewScored(scores []WaitScore) []workload.Warning {
	jobs := map[string]int{} // by kind of waits
	for _, s := range scores {
		jobs[s.Waits] = max(jobs[s.Waits], s.Jobs)
	}
	n, what := leastScored, ""
	for kind, where := range map[string]string{LogWaits: "in the log", QueueWaits: "in the simulated queue",
		EASYWaits: "under EASY backfilling", HeadWaits: "at the head of the simulated queue"} {
		if k := jobs[kind]; k > 0 && (k < n || k == n && where < what) {
			n, what = k, where
		}
	}
	return fewJobs(n, "waits "+what)
}

// lackOfUsers says what a log without users cannot have.
func (r *waits) lackOfUsers() (all []workload.Warning) {
	if r.users || r.jobs == 0 {
		return nil
	}
	warn := func(what string) {
		all = append(all, workload.Warning{Rule: "no-users", Text: "no job has a user: " + what, Count: 1})
	}
	if slices.ContainsFunc(r.o.Predictors, func(name string) bool { return strings.HasPrefix(name, "simulated") }) {
		warn("the simulated predictors treat all jobs as those of one user when they predict run times")
	}
	if slices.Contains(r.o.By, "burst") {
		warn("no job is in a burst")
	}
	return all
}

// silent names the predictors that predicted nothing, and why that can be.
func (r *waits) silent(scores []WaitScore) (all []workload.Warning) {
	for _, s := range scores {
		if s.Predicted > 0 {
			continue
		}
		why := ": no job waited at the head of the queue, or no distribution of lifetimes was known in time"
		switch {
		case s.Waits == LogWaits && !slices.Contains(boundNames(), s.Predictor): // from outside
			why = ""
		case s.Waits == LogWaits && (s.Predictor == predict.ConformalBound || s.Predictor == predict.ConformalPoint):
			why = fmt.Sprintf(": it learns once %d waits are known, and answers as bmbp until then, which had too few waits as well", predict.ConformalWaits)
		case s.Waits == LogWaits:
			why = fmt.Sprintf(": no group had enough waits for a bound on the %g quantile with %g confidence", r.o.Quantile, r.o.Confidence)
		case s.Waits != HeadWaits && s.Jobs == 0:
			why = ": no job waits under this policy on this machine"
		case s.Waits != HeadWaits:
			why = ": no job had run times to predict from"
		}
		all = append(all, workload.Warning{Rule: "predicted-nothing", Text: s.Predictor + " predicted nothing" + why, Count: 1})
	}
	return all
}
