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

// Sample is some of a log's jobs, and what predictors said of the waits of all of
// them at their submissions. DrawSample makes one, Expect makes room for
// predictors, Ask and Bound enter what they say, side by side where the predictors
// differ, and Scores judges it.
type Sample struct {
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

// DrawSample draws n of the jobs that bounds are scored on: those with a known
// wait, but for the first tenth of them (predict.TrainingTenth). One is drawn
// from each of n stretches with as many jobs; all are taken where there are no
// more than n. class names the class of a request that coverages are told of; nil
// is its range of processors (predict.GroupOf).
func DrawSample(jobs iter.Seq2[workload.Job, error], n int, seed uint64, class func(*workload.Request) string) (*Sample, error) {
	var rows []int64
	for j, err := range jobs {
		if err != nil {
			return nil, err
		}
		if j.Wait >= 0 && !math.IsInf(j.Wait, 1) && !math.IsNaN(j.Submit) {
			rows = append(rows, j.Row)
		}
	}
	rows = rows[len(rows)/10:]
	s := &Sample{at: map[int64]int{}, of: len(rows)}
	n = min(n, len(rows))
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		from, to := i*len(rows)/n, (i+1)*len(rows)/n
		s.at[rows[from+rng.IntN(to-from)]] = i
	}
	s.requests, s.jobs = make([]workload.Request, n), make([]score.ForecastJob, n)
	if class == nil {
		class = func(r *workload.Request) string { return predict.GroupOf(r).String() }
	}
	return s, s.describe(jobs, class)
}

// Jobs returns how many jobs were drawn.
func (s *Sample) Jobs() int { return len(s.jobs) }

// Of returns from how many jobs the sample was drawn.
func (s *Sample) Of() int { return s.of }

// describe notes what is known of the jobs of the sample.
func (s *Sample) describe(jobs iter.Seq2[workload.Job, error], class func(*workload.Request) string) error {
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

// Expect makes room for predictors, each with so many quantiles.
func (s *Sample) Expect(predictors []string, quantiles int) {
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

// Bound enters the bound, s, that a predictor had for the job of a row, by the
// number of its quantile; a job that is not of the sample is left out.
func (s *Sample) Bound(predictor string, quantile int, row int64, seconds float64) {
	if i, ok := s.at[row]; ok {
		s.by(predictor)[quantile][i].Bound = seconds
	}
}

// Point enters the wait, s, that a predictor expected for the job of a row.
func (s *Sample) Point(predictor string, row int64, seconds float64) {
	if i, ok := s.at[row]; ok {
		for _, said := range s.by(predictor) {
			said[i].Point = seconds
		}
	}
}

// by returns where a predictor's forecasts go; nil where it is not expected.
func (s *Sample) by(predictor string) [][]score.Forecast {
	i := slices.IndexFunc(s.seen, func(f forecasts) bool { return f.predictor == predictor })
	if i < 0 {
		return nil
	}
	return s.seen[i].said
}

// common says for which jobs every predictor of bounds has one of that quantile;
// one that bounds less than half of the jobs is of special cases, and does not
// count.
func (s *Sample) common(quantile int) []bool {
	all := make([]bool, len(s.jobs))
	for i := range all {
		all[i] = true
	}
	for _, f := range s.seen {
		said, bounded := f.said[quantile], 0
		for i := range said {
			if !math.IsNaN(said[i].Bound) {
				bounded++
			}
		}
		if 2*bounded < len(said) {
			continue
		}
		for i := range said {
			all[i] = all[i] && !math.IsNaN(said[i].Bound)
		}
	}
	return all
}

// Scores returns how well each predictor did at the quantile of that number, in the
// order in which they were expected, and how many jobs have a bound by every
// predictor of bounds.
func (s *Sample) Scores(number int, quantile float64) (scores []ArrivalScore, common int) {
	all := s.common(number)
	for _, c := range all {
		if c {
			common++
		}
	}
	for _, f := range s.seen {
		scores = append(scores, ArrivalScore{f.predictor, score.Forecasts(s.jobs, f.said[number], quantile, all), s.losses(f.said[number], quantile, all)})
	}
	return scores, common
}

// Ask replays the log as it was and asks the predictors that look at the machine
// about each job of the sample.
func (s *Sample) Ask(ctx context.Context, jobs iter.Seq2[workload.Job, error], o StandingOptions) error {
	p, err := newStanding(&o)
	if err != nil {
		return err
	}
	var failed error
	c := predict.ArrivalConfig{
		Processors: o.Processors, Sites: o.Sites,
		Chosen:    func(r *workload.Request) bool { _, ok := s.at[r.Row]; return ok },
		Overfull:  func(_, _ int64) { s.overfull++ },
		Submitted: p.submitted,
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
		for _, name := range o.Predictors {
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
