package evaluate

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
)

// drawSample draws the jobs on which all predictors are scored.
func (r *waits) drawSample(ctx context.Context) error {
	if r.o.Sample == 0 || r.known == 0 {
		return nil
	}
	var err error
	if r.sample, err = DrawSample(r.replay(ctx), r.o.Sample, r.o.Seed, nil); err != nil {
		return err
	}
	r.sample.Expect(slices.Concat(r.chosen(r.o.boundNames()), programs(r.o.Programs).labels(), r.standingAsked()), 1)
	return nil
}

// standingAsked returns the predictors that look at the machine and are to be scored.
func (r *waits) standingAsked() []string {
	return slices.DeleteFunc(r.chosen(standingNames()), func(n string) bool { return n == standing.Estimates && !r.hasEstimates() })
}

// arrivalScores scores the forecasts for the sample; nil if none was drawn.
func (r *waits) arrivalScores() *ArrivalScores {
	s := r.sample
	if s == nil {
		return nil
	}
	out := &ArrivalScores{Jobs: s.Jobs(), Of: s.Of(), Seed: r.o.Seed}
	if len(r.standingAsked()) > 0 {
		out.Policy, out.Draws = r.o.Policy, ArrivalDraws
		if n, err := r.machine(); err == nil && r.o.Sites == nil {
			out.Processors = &n
		}
	}
	out.Scores, out.Common = s.Scores(0, r.o.Quantile)
	return out
}

// standing records the forecasts for the sample of the predictors that look at the machine.
func (p *pipeline) standing(ctx context.Context) error {
	lifetimes, err := p.lifetimesOf()
	if err != nil {
		return err
	}
	policy, err := PolicyNamed(p.o.Policy, p.o.Policies)
	if err != nil {
		return err
	}
	o := &standing.Options{
		Processors: p.o.Processors, Sites: p.o.Sites, Policy: policy, Draws: ArrivalDraws, Seed: p.o.Seed, MostAhead: mostAhead,
		Quantiles: []float64{p.o.Quantile}, Confidence: p.o.Confidence, Lifetimes: lifetimes,
	}
	if o.Sites == nil {
		if o.Processors, err = p.machine(); err != nil {
			return err
		}
	}
	predictors, err := standing.New(p.names, o)
	if err != nil {
		return err
	}
	replay := predict.Replay{Predictors: predictors, Processors: o.Processors, Sites: o.Sites}
	if err := AskStanding(ctx, p.estimated(ctx), replay, p.sample); err != nil {
		return err
	}
	if n := p.sample.overfull; n > 0 {
		p.remark("overfull-machine", "when %d of the %d jobs of the sample were submitted, more processors were busy than the machine has: it is taken to have as many as were busy", n, p.sample.Jobs())
	}
	return p.handOut()
}

// handOut passes the forecasts for the sample to Predicted, one job after another.
func (p *pipeline) handOut() error {
	if p.o.Predicted == nil {
		return nil
	}
	for i := range p.sample.jobs {
		for _, name := range p.names {
			f := p.sample.forecasts(name)[0][i]
			b := predict.NoBound()
			if b.Seconds = f.Point; name == standing.Drawn {
				b.Seconds, b.Quantile, b.Confidence = f.Bound, p.o.Quantile, p.o.Confidence
			}
			if math.IsNaN(b.Seconds) {
				continue
			}
			if err := p.o.Predicted(newWaitPrediction(&p.sample.requests[i], LogWaits, name, b, p.sample.jobs[i].Actual)); err != nil {
				return err
			}
		}
	}
	return nil
}
