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

// judged returns the names of the query's predictors that bound waits.
func (o *once) judged() []string {
	return slices.DeleteFunc(slices.Clone(o.q.Predictors), func(name string) bool {
		return name == standing.Simulated || name == standing.BQueue
	})
}

// pastWaits returns the predictors called name for each quantile. Their groups back off from
// the finest to all jobs if there are too few waits.
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
	if name == predict.CombinedBound { // its forest needs no groups and is shared by all quantiles
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

// sizeRanges is the default of Query.Groups.
const sizeRanges = "size:4:16:64"

// pastGroups returns the columns of the groups of past waits, the finest groups first: those of
// the query, then those without the last column, and so on down to all jobs. By default the
// groups are ranges of processors in each partition, or the partitions for QBETS, which finds
// ranges itself; a history with only one partition is not divided by partition.
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

// coarser returns the columns, then those without the last, and so on down to "all".
func coarser(columns []string) (all [][]string) {
	for n := len(columns); n > 0; n-- {
		all = append(all, columns[:n])
	}
	return append(all, []string{"all"})
}

// drawSamples draws the past jobs on which predictors are evaluated, for each request (see
// Judged). The number of jobs in Query.Judged is divided among the groups of the requests.
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
