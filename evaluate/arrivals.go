package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// arrivals are a sample of a log's jobs, and what predictors said of the waits of
// all of them at their submissions.
type arrivals struct {
	at       map[int64]int // place by Job.Row
	requests []workload.Request
	jobs     []score.ForecastJob // in the same order
	of       int                 // jobs that they were drawn from
	seen     []forecasts         // by predictor
	overfull int                 // of them met more processors held than the machine has
}

// forecasts are what one predictor said, by quantile and job.
type forecasts struct {
	predictor string
	said      [][]score.Forecast
}

// drawArrivals draws n of the jobs that bounds are scored on: those with a known
// wait, but for the first tenth of them (predict.TrainingTenth). One is drawn
// from each of n stretches with as many jobs; all are taken where there are no
// more than n. training is how many jobs train.
func drawArrivals(jobs iter.Seq2[workload.Job, error], n int, seed uint64) (s *arrivals, training int64, err error) {
	var rows []int64
	for j, err := range jobs {
		if err != nil {
			return nil, 0, err
		}
		if j.Wait >= 0 && !math.IsInf(j.Wait, 1) && !math.IsNaN(j.Submit) {
			rows = append(rows, j.Row)
		}
	}
	training = int64(len(rows) / 10)
	rows = rows[training:]
	s = &arrivals{at: map[int64]int{}, of: len(rows)}
	n = min(n, len(rows))
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		from, to := i*len(rows)/n, (i+1)*len(rows)/n
		s.at[rows[from+rng.IntN(to-from)]] = i
	}
	s.requests, s.jobs = make([]workload.Request, n), make([]score.ForecastJob, n)
	return s, training, nil
}

// describe notes what is known of the jobs of the sample. class names the class
// of a request.
func (s *arrivals) describe(jobs iter.Seq2[workload.Job, error], class func(*workload.Request) string) error {
	var bursts score.Bursts
	for j, err := range jobs {
		if err != nil {
			return err
		}
		burst := bursts.In(&j.Request)
		if i, ok := s.at[j.Row]; ok {
			s.requests[i] = j.Request
			s.jobs[i] = score.ForecastJob{Actual: j.Wait, Submit: j.Submit, Class: class(&j.Request), Burst: burst}
		}
	}
	return nil
}

// expect makes room for predictors, which fill their rooms side by side.
func (s *arrivals) expect(predictors []string, quantiles int) {
	for _, name := range predictors {
		f := forecasts{name, make([][]score.Forecast, quantiles)}
		for k := range f.said {
			f.said[k] = make([]score.Forecast, len(s.jobs))
			for i := range f.said[k] {
				f.said[k][i] = score.NoForecast()
			}
		}
		s.seen = append(s.seen, f)
	}
}

// bound enters a predictor's bound of a job, of the first quantile; it is no
// matter where the job is not of the sample, or there is none.
func (s *arrivals) bound(predictor string, row int64, seconds float64) {
	if s == nil {
		return
	}
	if i, ok := s.at[row]; ok {
		s.by(predictor)[0][i].Bound = seconds
	}
}

// by returns where a predictor's forecasts go; nil where it is not expected.
func (s *arrivals) by(predictor string) [][]score.Forecast {
	i := slices.IndexFunc(s.seen, func(f forecasts) bool { return f.predictor == predictor })
	if i < 0 {
		return nil
	}
	return s.seen[i].said
}

// common says for which jobs every predictor that has bounds of that quantile has
// one.
func (s *arrivals) common(quantile int) []bool {
	all := make([]bool, len(s.jobs))
	for i := range all {
		all[i] = true
	}
	for _, f := range s.seen {
		said := f.said[quantile]
		if !slices.ContainsFunc(said, func(f score.Forecast) bool { return !math.IsNaN(f.Bound) }) {
			continue
		}
		for i := range said {
			all[i] = all[i] && !math.IsNaN(said[i].Bound)
		}
	}
	return all
}

// ask replays the log as it was and asks the predictors that look at the machine
// about each job of the sample.
func (s *arrivals) ask(ctx context.Context, jobs iter.Seq2[workload.Job, error], o *standingOptions) error {
	p, err := newStanding(o)
	if err != nil {
		return err
	}
	var failed error
	c := predict.ArrivalConfig{
		Processors: o.processors, Sites: o.sites,
		Chosen:   func(r *workload.Request) bool { _, ok := s.at[r.Row]; return ok },
		Overfull: func(_, _ int64) { s.overfull++ },
		Ended: func(j *workload.Job) {
			if err := p.ended(j); failed == nil {
				failed = err
			}
		},
	}
	for a, err := range predict.Arrivals(jobs, c) {
		if err := cmp.Or(err, failed, ctx.Err()); err != nil {
			return err
		}
		if a.Machine == nil {
			continue
		}
		for _, name := range o.predictors {
			said, err := p.ask(name, a.Machine, &a.Request, a.Actual)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for k, room := range s.by(name) {
				room[s.at[a.Request.Row]] = said[k]
			}
		}
	}
	return failed
}
