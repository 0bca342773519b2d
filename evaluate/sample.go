package evaluate

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Sample is some of a log's jobs, with the forecasts of their waits at submission, by
// predictor. DrawSample draws the jobs, Expect names the predictors, AskStanding records
// forecasts and Scores scores them. Calls for different predictors may run side by side.
type Sample struct {
	at       map[int64]int // place by Job.Row
	requests []workload.Request
	jobs     []score.ForecastJob // in the same order
	of       int                 // jobs that they were drawn from
	all      []forecasts         // by predictor
	overfull int                 // jobs that found more processors busy than the machine has
}

// forecasts are those of one predictor, by quantile and job.
type forecasts struct {
	predictor string
	by        [][]score.Forecast
}

// DrawSample draws n of the jobs that bounds are scored on: those with a known wait,
// except the first tenth of them (predict.TrainingPart), whose request is of a kind; nil is
// any. It draws one job from each of n stretches of equally many jobs, or takes all jobs if
// there are n or fewer.
func DrawSample(jobs iter.Seq2[workload.Job, error], n int, seed uint64, kind func(*workload.Request) bool) (*Sample, error) {
	var known []int64 // rows of the jobs with a wait
	var like []bool   // which of them are of the kind
	for j, err := range jobs {
		if err != nil {
			return nil, err
		}
		if predict.HasWait(&j) {
			known, like = append(known, j.Row), append(like, kind == nil || kind(&j.Request))
		}
	}
	var rows []int64
	for i := len(known) / predict.TrainingPart; i < len(known); i++ {
		if like[i] {
			rows = append(rows, known[i])
		}
	}
	s := &Sample{at: map[int64]int{}, of: len(rows)}
	n = max(0, min(n, len(rows)))
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		from, to := i*len(rows)/n, (i+1)*len(rows)/n
		s.at[rows[from+rng.IntN(to-from)]] = i
	}
	s.requests, s.jobs = make([]workload.Request, n), make([]score.ForecastJob, n)
	return s, s.describe(jobs)
}

// Jobs returns how many jobs were drawn.
func (s *Sample) Jobs() int { return len(s.jobs) }

// Of returns from how many jobs the sample was drawn.
func (s *Sample) Of() int { return s.of }

// describe fills in the requests and waits of the drawn jobs.
func (s *Sample) describe(jobs iter.Seq2[workload.Job, error]) error {
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if i, ok := s.at[j.Row]; ok {
			s.requests[i] = j.Request
			s.jobs[i] = score.ForecastJob{Actual: j.Wait, Submit: j.Submit}
		}
	}
	return nil
}

// Expect adds predictors whose forecasts are to be recorded, for that many quantiles
// each.
func (s *Sample) Expect(predictors []string, quantiles int) {
	for _, name := range predictors {
		f := forecasts{name, make([][]score.Forecast, quantiles)}
		for k := range f.by {
			f.by[k] = slices.Repeat([]score.Forecast{score.NoForecast()}, len(s.jobs))
		}
		s.all = append(s.all, f)
	}
}

// add records the bound, or the expected wait, s, that a predictor gave a job. It ignores
// jobs outside the sample.
func (s *Sample) add(predictor string, isBound bool, r *workload.Request, seconds float64) {
	i, ok := s.at[r.Row]
	if !ok {
		return
	}
	if f := &s.forecasts(predictor)[0][i]; isBound {
		f.Bound = seconds
	} else {
		f.Point = seconds
	}
}

// forecasts returns those of a predictor, by quantile and job; nil unless Expect named
// it.
func (s *Sample) forecasts(predictor string) [][]score.Forecast {
	i := slices.IndexFunc(s.all, func(f forecasts) bool { return f.predictor == predictor })
	if i < 0 {
		return nil
	}
	return s.all[i].by
}

// AskStanding replays the log as it was, for the predictors of a replay, and records what
// those that a sample expects forecast for each of its jobs. A job of several samples is
// asked about once.
func AskStanding(ctx context.Context, jobs iter.Seq2[workload.Job, error], replay predict.Replay, samples ...*Sample) error {
	replay.Chosen = func(r *workload.Request) bool {
		return slices.ContainsFunc(samples, func(s *Sample) bool { return s.has(r) })
	}
	predictors := replay.Predictors
	replay.Predictors = slices.Clone(predictors)
	for i, p := range predictors {
		if !slices.ContainsFunc(samples, func(s *Sample) bool { return s.forecasts(p.Name()) != nil }) {
			replay.Predictors[i] = unasked{p}
		}
	}
	for j, err := range replay.Jobs(workload.Until(ctx, jobs)) {
		if err != nil {
			return err
		}
		for _, s := range samples {
			for i, p := range predictors {
				s.record(p.Name(), j.Request.Row, j.Forecasts[i], j.Actual)
			}
			if j.Overfull && s.has(&j.Request) {
				s.overfull++
			}
		}
	}
	return nil
}

// unasked is a predictor that only learns.
type unasked struct{ predict.Predictor }

func (unasked) Ask(*predict.Snapshot, *workload.Request) (predict.Forecast, error) {
	return predict.Forecast{}, nil
}

// has reports whether a job belongs to the sample.
func (s *Sample) has(r *workload.Request) bool {
	_, ok := s.at[r.Row]
	return ok
}

// record keeps a predictor's forecast for the job of a row, which waited so long. It
// ignores jobs outside the sample.
func (s *Sample) record(predictor string, row int64, f predict.Forecast, actual float64) {
	i, ok := s.at[row]
	if !ok {
		return
	}
	for k, forecasts := range s.forecasts(predictor) {
		out := score.NoForecast()
		if f.Bounds != nil {
			out.Bound = f.Bounds[k].Seconds
		}
		if !math.IsInf(f.Expected, 1) { // else some schedules have no end in sight
			out.Point = f.Expected
			if f.Waits != nil {
				out.CRPS = stats.CRPS(f.Waits, actual)
			}
		}
		forecasts[i] = out
	}
}

// common returns, by job, whether every predictor of bounds has a bound for that
// quantile, and how many such jobs there are. A predictor that bounds fewer than half of
// the jobs is one for special cases, and does not count.
func (s *Sample) common(quantile int) (all []bool, jobs int) {
	all = slices.Repeat([]bool{true}, len(s.jobs))
	for _, f := range s.all {
		given, bounded := f.by[quantile], 0
		for i := range given {
			if !math.IsNaN(given[i].Bound) {
				bounded++
			}
		}
		if 2*bounded < len(given) {
			continue
		}
		for i := range given {
			all[i] = all[i] && !math.IsNaN(given[i].Bound)
		}
	}
	for _, c := range all {
		if c {
			jobs++
		}
	}
	return all, jobs
}

// Scores returns the score of each predictor at a quantile, which is given with its
// index, in the order in which Expect named them, and the number of jobs for which every
// predictor of bounds has a bound.
func (s *Sample) Scores(index int, quantile float64) (scores []ArrivalScore, common int) {
	all, common := s.common(index)
	for _, f := range s.all {
		scores = append(scores, ArrivalScore{f.predictor, score.Forecasts(s.jobs, f.by[index], quantile, all), s.losses(f.by[index], quantile, all)})
	}
	return scores, common
}

// losses returns a predictor's bounds on the common jobs as clusters by
// week of submission, or by day if the sample is short; nil if it is too short for days.
func (s *Sample) losses(given []score.Forecast, quantile float64, common []bool) score.Clusters {
	var span submissions
	for i := range s.jobs {
		span.add(s.jobs[i].Submit)
	}
	if span.settle(); span.length == 0 {
		return nil
	}
	blocks := score.Groups{Waits: true, Quantile: quantile}
	for i := range s.jobs {
		if common[i] {
			blocks.Add(span.of(s.jobs[i].Submit), []workload.Prediction{{Seconds: given[i].Bound}}, s.jobs[i].Actual, score.CommonJob{})
		}
	}
	return blocks.Clusters(0)
}

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

	losses score.Clusters // by Sample.losses
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
