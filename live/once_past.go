package live

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fromPastWaits reports whether a predictor learns from past waits.
func fromPastWaits(name string) bool { return !slices.Contains(standing.Names(), name) }

// judged are the predictors that bound waits.
func (o *once) judged() []string {
	return slices.DeleteFunc(slices.Clone(o.q.Predictors), func(name string) bool {
		return name == standing.Simulated || name == standing.BQueue
	})
}

// pastWaits makes the predictor of that name for each quantile, of groups that back
// off from the finest to all jobs where there are too few waits.
func (o *once) pastWaits(name string) (all []predict.BoundPredictor, err error) {
	grouping := opt.Grouping(o.q, "groups", nil)
	backoff := func(name string, quantile float64) (predict.BoundPredictor, error) {
		var levels []predict.BoundPredictor
		for _, columns := range o.pastGroups(name) {
			groups, err := workload.ClassesOf(columns, grouping)
			if err != nil {
				return nil, err
			}
			p, err := predict.NewBound(name, quantile, o.q.Confidence, predict.BoundOptions{Groups: groups})
			if err != nil {
				return nil, err
			}
			levels = append(levels, p)
		}
		return predict.NewBackoff(levels...), nil
	}
	if name == predict.CombinedBound { // one forest for all, which learns of groups itself
		return predict.NewBounds([]string{name}, o.q.Quantiles, o.q.Confidence, predict.BoundOptions{
			PastWaits: func(name string, q, _ float64) (predict.BoundPredictor, error) { return backoff(name, q) },
		})
	}
	for _, q := range o.q.Quantiles {
		p, err := backoff(name, q)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// sizeRanges are the groups of past waits unless others were asked for.
const sizeRanges = "size:4:16:64"

// pastGroups returns the columns of the groups, the finest first: those asked for, then
// those without the last column, and so on down to all jobs. Without columns the groups are
// the partition's ranges of processors, or the partition for QBETS, which finds ranges itself;
// in a history of one partition there are none.
func (o *once) pastGroups(name string) [][]string {
	columns := o.q.Groups
	if len(columns) == 0 {
		if o.partitions() {
			columns = append(columns, "site")
		}
		if name == "bmbp" {
			columns = append(columns, sizeRanges)
		}
	}
	return coarser(columns)
}

// coarser returns the columns, then those without the last, and so on to all jobs.
func coarser(columns []string) (all [][]string) {
	for n := len(columns); n > 0; n-- {
		all = append(all, columns[:n])
	}
	return append(all, []string{"all"})
}

// drawSamples draws the past jobs on which predictors are judged, for each request: see Judged.
// Requests of several groups share their number.
func (o *once) drawSamples() error {
	columns := o.q.Groups
	if len(columns) == 0 {
		columns = []string{sizeRanges}
	}
	grouping := opt.Grouping(o.q, "groups", nil)
	var levels []*workload.Classifier
	for _, columns := range coarser(columns) {
		c, err := workload.ClassesOf(columns, grouping)
		if err != nil {
			return err
		}
		levels = append(levels, c)
	}
	finest := map[string]bool{}
	for i := range o.requests {
		finest[levels[0].Label(levels[0].RequestKey(&o.requests[i]))] = true
	}
	each := min(o.q.Judged, max(score.StretchJobs, o.q.Judged/len(finest)))
	drawn := map[string]judgedSample{}
	for i := range o.requests {
		for _, c := range levels {
			key := c.RequestKey(&o.requests[i])
			group := c.Label(key)
			s, ok := drawn[group]
			if !ok {
				sample, err := evaluate.DrawSample(o.replay, each, o.q.Seed, func(r *workload.Request) bool { return c.RequestKey(r) == key })
				if err != nil {
					return err
				}
				s = judgedSample{sample, group}
				drawn[group] = s
			}
			if s.Jobs() >= score.StretchJobs || c == levels[len(levels)-1] {
				o.samples = append(o.samples, s)
				break
			}
		}
	}
	return nil
}
