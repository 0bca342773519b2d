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

// Sample is a sample of a log's jobs, with the forecasts of their waits made at submission, by
// predictor. DrawSample draws the jobs, Expect names the predictors, AskStanding records
// forecasts and Scores scores them. Calls for different predictors may run concurrently.
type Sample struct {
	at       map[int64]int // index in requests and jobs, by Job.Row
	requests []workload.Request
	jobs     []score.ForecastJob // in the same order
	of       int                 // number of jobs from which they were drawn
	all      []forecasts         // by predictor
	overfull int                 // jobs at whose submission more processors were busy than the machine has
}

// forecasts contains the forecasts of one predictor, by quantile and job.
type forecasts struct {
	predictor string
	by        [][]score.Forecast
}

// DrawSample draws n of the jobs that bounds are scored on: the jobs with a known wait, without
// the first tenth of them (predict.TrainingPart), whose requests satisfy kind; a nil kind accepts
// all. It draws one job from each of n stretches with equal numbers of jobs, or takes all jobs
// if there are n or fewer.
func DrawSample(jobs iter.Seq2[workload.Job, error], n int, seed uint64, kind func(*workload.Request) bool) (*Sample, error) {
	var known []int64 // rows of the jobs with a wait
	var like []bool   // whether each satisfies kind
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

// Jobs returns the number of jobs drawn.
func (s *Sample) Jobs() int { return len(s.jobs) }

// Of returns the number of jobs from which the sample was drawn.
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

// Expect adds predictors whose forecasts are to be recorded, each for the given number of
// quantiles.
func (s *Sample) Expect(predictors []string, quantiles int) {
	for _, name := range predictors {
		f := forecasts{name, make([][]score.Forecast, quantiles)}
		for k := range f.by {
			f.by[k] = slices.Repeat([]score.Forecast{score.NoForecast()}, len(s.jobs))
		}
		s.all = append(s.all, f)
	}
}

// add records a predictor's bound or, if !isBound, its expected wait, in seconds, for the job
// of a request. It ignores jobs outside the sample.
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

// forecasts returns the forecasts of a predictor, by quantile and job; nil unless Expect added
// the predictor.
func (s *Sample) forecasts(predictor string) [][]score.Forecast {
	i := slices.IndexFunc(s.all, func(f forecasts) bool { return f.predictor == predictor })
	if i < 0 {
		return nil
	}
	return s.all[i].by
}

// AskStanding replays the log with its recorded waits, and records in each sample the forecasts
// of the predictors of the replay that it expects, for each of its jobs. The predictors are
// asked once about a job that is in several samples. Predictors that no sample expects only learn.
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

// record keeps a predictor's forecast for the job at a row, whose wait was actual. It
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
		if !math.IsInf(f.Expected, 1) { // +Inf: in some schedules the wait has no end in sight
			out.Point = f.Expected
			if f.Waits != nil {
				out.CRPS = stats.CRPS(f.Waits, actual)
			}
		}
		forecasts[i] = out
	}
}

// common returns, by job, whether every predictor of bounds has a bound for the
// quantile, and the number of such jobs. A predictor that bounds fewer than half of the
// jobs is ignored, as one for special cases.
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

// Scores returns the scores of the predictors, in the order of the calls of Expect, at the
// quantile with the given index, and the number of common jobs: those for which every
// predictor of bounds has a bound.
func (s *Sample) Scores(index int, quantile float64) (scores []ArrivalScore, common int) {
	all, common := s.common(index)
	for _, f := range s.all {
		scores = append(scores, ArrivalScore{f.predictor, score.Forecasts(s.jobs, f.by[index], quantile, all), s.losses(f.by[index], quantile, all)})
	}
	return scores, common
}

// losses returns the sums of a predictor's bounds over the common jobs, clustered by
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

// ArrivalScores contains the scores of all predictors on the same jobs, each job at its
// submission, against the waits in the log. Predictors that look at the queue see the machine
// in the state that the log's own waits imply at that moment.
type ArrivalScores struct {
	Jobs   int    `json:"jobs"`        // number of jobs drawn
	Of     int    `json:"of_jobs"`     // jobs from which they were drawn: all but the training jobs
	Common int    `json:"common_jobs"` // drawn jobs for which every predictor of bounds has one
	Seed   uint64 `json:"seed"`
	// Policy is the policy of the simulated schedules, and Draws the number of schedules that
	// "drawn" simulates for each job; "" and 0 if no predictor looked at the queue.
	Policy string `json:"policy,omitempty"`
	// Processors is the size of the machine; nil if no predictor looked at the queue, or if
	// each site has its own machine.
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
