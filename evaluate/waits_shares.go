package evaluate

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsShare is the result of a share of the pipelines of Waits. A benchmark is
// divided by pipelines, not by jobs, because a pipeline may depend on every
// job. The pipelines are Downey's predictors together, each predictor that
// simulates a queue, the bounds together, and each calibration. The jobs of a
// sample are divided too.
type WaitsShare struct {
	outcomes []waitsOutcome
	said     []forecasts // for the sample
	overfull int         // as in Sample
}

// ShareWaits runs a share of the pipelines of Waits.
func ShareWaits(ctx context.Context, log *workload.Log, o WaitsOptions, share workload.Share) (*WaitsShare, error) {
	r, err := sharedWaits(ctx, log, o)
	if err != nil {
		return nil, err
	}
	r.share = share
	s := new(WaitsShare)
	if s.outcomes, err = r.score(ctx); err == nil && r.sample != nil {
		s.said, s.overfull = r.sample.all, r.sample.overfull
	}
	return s, err
}

// WaitsOf is Waits with the results of all shares, in their order, in place of
// the pipelines.
func WaitsOf(ctx context.Context, log *workload.Log, o WaitsOptions, shares []*WaitsShare) (*WaitsResult, error) {
	r, err := sharedWaits(ctx, log, o)
	if err != nil {
		return nil, err
	}
	pipelines := int64(len(r.pipelines()))
	var outcomes, asked []waitsOutcome
	for i, s := range shares {
		from, to := workload.Share{Part: i + 1, Parts: len(shares)}.Of(pipelines)
		if n := int(to - from); len(s.outcomes) != n+1 {
			return nil, errShares
		}
		last := len(s.outcomes) - 1
		outcomes, asked = append(outcomes, s.outcomes[:last]...), append(asked, s.outcomes[last])
		if r.sample != nil && !r.sample.merge(s.said, s.overfull) {
			return nil, errShares
		}
	}
	return r.conclude(append(outcomes, asked...), nil)
}

var errShares = errors.New("the parts do not have the results of every predictor on the log")

// sharedWaits begins a benchmark that can be divided.
func sharedWaits(ctx context.Context, log *workload.Log, o WaitsOptions) (*waits, error) {
	switch {
	case o.Predicted != nil:
		return nil, &workload.OptionError{Option: "predictions", Saw: "together with `part`", Want: "one run without it: a part keeps scores, not predictions"}
	}
	return newWaits(ctx, log, o)
}

// merge adds the forecasts of another share, of other predictors or jobs. It returns false
// where they are of another sample.
func (s *Sample) merge(said []forecasts, overfull int) bool {
	s.overfull += overfull
	return slices.EqualFunc(s.all, said, func(of, f forecasts) bool {
		return of.predictor == f.predictor && slices.EqualFunc(of.by, f.by, func(all, some []score.Forecast) bool {
			for i := range min(len(all), len(some)) {
				if x := some[i]; !math.IsNaN(x.Point) || !math.IsNaN(x.Bound) || !math.IsNaN(x.CRPS) {
					all[i] = x
				}
			}
			return len(all) == len(some)
		})
	})
}
