package evaluate

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Sample is some of a log's jobs, with the forecasts of their waits at submission, by
// predictor. DrawSample draws the jobs, and Expect names the predictors. AskStanding, Bound
// and Point record forecasts; they may run side by side for different predictors. Scores
// scores the forecasts.
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
// except the first tenth of them (predict.TrainingTenth). It draws one job from each of
// n stretches of equally many jobs, or takes all jobs if there are n or fewer. class
// returns the class of a request, by which coverages are reported; nil stands for its
// range of processors (predict.GroupOf).
func DrawSample(jobs iter.Seq2[workload.Job, error], n int, seed uint64, class func(*workload.Request) string) (*Sample, error) {
	s := &Sample{at: map[int64]int{}}
	return s, s.draw(jobs, n, seed, class, func(*workload.Request) bool { return true })
}

// Like draws a sample of those jobs whose request is of one kind: all of them that s has,
// and others, as DrawSample draws them, until there are n. Both samples can be asked
// about at once for little more than one.
func (s *Sample) Like(jobs iter.Seq2[workload.Job, error], n int, seed uint64, of func(*workload.Request) bool) (*Sample, error) {
	like := &Sample{at: map[int64]int{}}
	for i := range s.requests {
		if r := &s.requests[i]; of(r) {
			like.at[r.Row] = len(like.at)
		}
	}
	return like, like.draw(jobs, n, seed, nil, of)
}

// draw adds jobs to a sample until it has n.
func (s *Sample) draw(jobs iter.Seq2[workload.Job, error], n int, seed uint64, class func(*workload.Request) string, of func(*workload.Request) bool) error {
	var known []int64 // rows of the jobs with a wait
	var kind []bool   // which of them are drawn from
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if j.Wait >= 0 && !math.IsInf(j.Wait, 1) && !math.IsNaN(j.Submit) {
			known, kind = append(known, j.Row), append(kind, of(&j.Request))
		}
	}
	var rows []int64
	for i := len(known) / 10; i < len(known); i++ {
		if !kind[i] {
			continue
		}
		s.of++
		if _, drawn := s.at[known[i]]; !drawn {
			rows = append(rows, known[i])
		}
	}
	more := max(0, min(n-len(s.at), len(rows)))
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range more {
		from, to := i*len(rows)/more, (i+1)*len(rows)/more
		s.at[rows[from+rng.IntN(to-from)]] = len(s.at)
	}
	s.requests, s.jobs = make([]workload.Request, len(s.at)), make([]score.ForecastJob, len(s.at))
	if class == nil {
		class = func(r *workload.Request) string { return predict.GroupOf(r).String() }
	}
	return s.describe(jobs, class)
}

// Jobs returns how many jobs were drawn.
func (s *Sample) Jobs() int { return len(s.jobs) }

// Of returns from how many jobs the sample was drawn.
func (s *Sample) Of() int { return s.of }

// describe fills in the requests, waits and classes of the drawn jobs.
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

// Forget takes back that a predictor is expected.
func (s *Sample) Forget(predictor string) {
	s.all = slices.DeleteFunc(s.all, func(f forecasts) bool { return f.predictor == predictor })
}

// Bound records the bound, s, that a predictor gave the job of a row, by the index of
// its quantile. It ignores jobs outside the sample.
func (s *Sample) Bound(predictor string, quantile int, row int64, seconds float64) {
	if i, ok := s.at[row]; ok {
		s.forecasts(predictor)[quantile][i].Bound = seconds
	}
}

// Point records the wait, s, that a predictor expected for the job of a row. It ignores
// jobs outside the sample.
func (s *Sample) Point(predictor string, row int64, seconds float64) {
	if i, ok := s.at[row]; ok {
		for _, f := range s.forecasts(predictor) {
			f[i].Point = seconds
		}
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
