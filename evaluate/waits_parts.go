package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsParts returns the ways of cutting a log into parts: by site, by calendar
// month, and by whether a job is in a burst of its user (score.Bursts).
func WaitsParts() []string { return []string{"site", "month", "burst"} }

// waitsPartKey is one part of a log, by one way of cutting it.
type waitsPartKey struct {
	by   string
	part int64
}

// noteBurst remembers whether a job is in a burst; jobs come by submission.
func (r *waits) noteBurst(j *workload.Job, b *score.Bursts) {
	if !slices.Contains(r.o.By, "burst") {
		return
	}
	for int64(len(r.bursts)) <= j.Row {
		r.bursts = append(r.bursts, false)
	}
	r.bursts[j.Row] = b.In(&j.Request)
}

// partOf is the number of a job's part.
func (r *waits) partOf(by string, q *workload.Request) int64 {
	switch {
	case by == "site":
		return q.Partition
	case by == "month":
		return r.clock.Month(q.Submit)
	case r.bursts[q.Row]:
		return 1
	}
	return 0
}

func (r *waits) partName(k waitsPartKey) string {
	switch {
	case k.by == "burst":
		return []string{"alone or first", "in a burst"}[k.part]
	case k.part == workload.Unknown:
		return "unknown"
	case k.by == "site":
		return strconv.FormatInt(k.part, 10)
	}
	return r.clock.MonthPeriod(k.part).Label
}

func (t *waitTally) part(by string, q *workload.Request) *score.WaitTally {
	k := waitsPartKey{by, t.run.partOf(by, q)}
	c := t.parts[k]
	if c == nil {
		c = &score.WaitTally{Quantile: t.Quantile}
		t.parts[k] = c
	}
	return c
}

// partScores are the parts, by way and part.
func (t *waitTally) partScores() []WaitsPart {
	keys := slices.SortedFunc(maps.Keys(t.parts), func(a, b waitsPartKey) int {
		return cmp.Or(slices.Index(WaitsParts(), a.by)-slices.Index(WaitsParts(), b.by), cmp.Compare(a.part, b.part))
	})
	var out []WaitsPart
	for _, k := range keys {
		w := t.parts[k].Result()
		out = append(out, WaitsPart{
			Predictor: t.predictor, Bound: t.isBound(), By: k.by, Part: t.run.partName(k), Jobs: w.Jobs, Predicted: w.Predicted, Coverage: w.Coverage,
			MeanAccuracy: w.MeanAccuracy, AbsoluteErrorMean: w.AbsoluteErrorMean, CorrelationLog: w.CorrelationLog,
			UnderPct: w.UnderPct, BoundLoss: w.BoundLoss,
		})
	}
	return out
}
