package evaluate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ArrivalScores are the scores of all predictors on the same jobs, each at its submission,
// against the waits in the log. Predictors that look at the queue see the machine as the
// log's own waits have it at that moment.
type ArrivalScores struct {
	Jobs   int    `json:"jobs"`        // number of jobs drawn
	Of     int    `json:"of_jobs"`     // jobs from which they were drawn: all but the training jobs
	Common int    `json:"common_jobs"` // drawn jobs for which every predictor of bounds has one
	Seed   uint64 `json:"seed"`
	// Policy is that of the simulated schedules, and Draws is how many of them "drawn"
	// simulates for a job; "" and 0 if no predictor looked at the queue.
	Policy string `json:"policy,omitempty"`
	// Processors is the size of the machine; nil if no predictor looked at the queue, or
	// each site has a machine of its own.
	Processors *int64         `json:"processors,omitempty"`
	Draws      int            `json:"draws,omitempty"`
	Scores     []ArrivalScore `json:"scores"`
}

// ArrivalScore contains the scores of one predictor in ArrivalScores.
type ArrivalScore struct {
	Predictor string `json:"predictor" show:"predictor"`
	score.ForecastScore

	losses *score.Clusters // by Sample.losses
}

// Score returns the score of a predictor, nil if it was not scored.
func (a *ArrivalScores) Score(predictor string) *ArrivalScore {
	if a == nil {
		return nil
	}
	for i := range a.Scores {
		if s := &a.Scores[i]; s.Predictor == predictor {
			return s
		}
	}
	return nil
}

// standingNames returns the names of the predictors that look at the machine in the order
// of results, without A exact: it predicts at the head of the queue.
func standingNames() []string {
	return []string{standing.Simulated, standing.Estimates, standing.Drawn, standing.BQueue}
}

// mostAhead is standing.Options.MostAhead.
const mostAhead = 250

// ArrivalDraws is the number of schedules that "drawn" simulates
// for each job of a sample: enough for the bound at 0.95 with confidence 0.95.
const ArrivalDraws = 100

// drawSample draws the jobs on which all predictors are scored.
func (r *waits) drawSample(ctx context.Context) error {
	if r.o.Sample == 0 || r.waits == 0 {
		return nil
	}
	var class func(*workload.Request) string
	if len(r.o.Groups) > 0 {
		classes, err := workload.ClassesOf(r.o.Groups, r.grouping())
		if err != nil {
			return err
		}
		class = func(q *workload.Request) string { return classes.Label(classes.RequestKey(q)) }
	}
	s, err := DrawSample(r.replay(ctx), r.o.Sample, r.o.Seed, class)
	if err != nil {
		return err
	}
	s.Expect(slices.Concat(r.boundsAsked(), programs(r.o.Programs).labels(), r.standingAsked()), 1)
	r.sample = s
	return nil
}

// standingAsked returns the predictors that look at the machine and are to be scored.
func (r *waits) standingAsked() []string {
	names := r.chosen(standingNames())
	if !r.estimates && r.o.EstimateFactor == 0 {
		names = slices.DeleteFunc(names, func(n string) bool { return n == standing.Estimates })
	}
	return names
}

// askSample records their forecasts for the sample.
func (r *waits) askSample(ctx context.Context) error {
	names := r.standingAsked()
	switch {
	case r.sample == nil && r.o.Sample > 0:
		r.remark("no-sample", "%v: no sample of jobs is scored", predict.ErrNoWaits)
		r.leaveOut(predict.ErrNoWaits.Error(), r.chosen(ArrivalPredictors())...)
		return nil
	case r.sample == nil || len(names) == 0:
		return nil
	}
	by, err := workload.ParseClasses(r.o.Classes, r.grouping())
	if err != nil {
		return err
	}
	o := &standing.Options{
		Processors: r.o.Processors, Sites: r.o.Sites,
		Policy: r.o.arrivalPolicy(), Draws: ArrivalDraws, Seed: r.o.Seed, MostAhead: mostAhead,
		Quantiles: []float64{r.o.Quantile}, Confidence: r.o.Confidence,
		Lifetimes: predict.LifetimesConfig{By: by, Family: r.o.Law, Options: fit.Options{Trim: r.o.trim()}},
	}
	if o.Sites == nil {
		if o.Processors, err = r.machine(); err != nil {
			return err
		}
	}
	jobs := r.replay(ctx)
	if r.o.EstimateFactor > 0 {
		jobs = predict.WithEstimates(jobs, r.o.EstimateFactor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
	}
	predictors, err := standing.New(names, o)
	if err != nil {
		return err
	}
	if err := AskStanding(ctx, jobs, predict.Replay{Predictors: predictors, Processors: o.Processors, Sites: o.Sites}, r.sample); err != nil {
		return err
	}
	return r.handOut(names)
}

// handOut passes the forecasts for the sample to Predicted, job by job.
func (r *waits) handOut(names []string) error {
	if r.o.Predicted == nil {
		return nil
	}
	for i := range r.sample.jobs {
		for _, name := range names {
			f := r.sample.forecasts(name)[0][i]
			b := predict.NoBound()
			if b.Seconds = f.Bound; !math.IsNaN(f.Bound) {
				b.Quantile, b.Confidence = r.o.Quantile, r.o.Confidence
			}
			if name != standing.Drawn {
				b = predict.NoBound()
				b.Seconds = f.Point
			}
			if math.IsNaN(b.Seconds) {
				continue
			}
			if err := r.o.Predicted(newWaitPrediction(&r.sample.requests[i], LogWaits, name, b, r.sample.jobs[i].Actual)); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrivalScores scores the forecasts for the sample; nil if none was drawn.
func (r *waits) arrivalScores() *ArrivalScores {
	s := r.sample
	if s == nil {
		return nil
	}
	out := &ArrivalScores{Jobs: len(s.jobs), Of: s.of, Seed: r.o.Seed}
	if len(r.standingAsked()) > 0 {
		out.Policy, out.Draws = r.o.Policy, ArrivalDraws
		if n, err := r.machine(); err == nil && r.o.Sites == nil {
			out.Processors = &n
		}
	}
	out.Scores, out.Common = s.Scores(0, r.o.Quantile)
	if s.overfull > 0 {
		r.remark("overfull-machine", "when %d of the %d jobs of the sample were submitted, more processors were busy than the machine has: it is taken to have as many as were busy", s.overfull, len(s.jobs))
	}
	return out
}
