package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Lifetimes tells how much longer running jobs will run.
type Lifetimes interface {
	// Survival returns the probability that a job that has run for age seconds
	// runs more than t seconds longer, for age, t >= 0. It does not increase
	// with t and is defined for every age. The request must not be changed or
	// kept.
	Survival(job *workload.Request, age, t float64) float64
}

// lifetimesOf returns the lifetimes of one job's class, where these have
// classes, else the lifetimes themselves.
func lifetimesOf(l Lifetimes, job *workload.Request) Lifetimes {
	if c, ok := l.(interface {
		Of(*workload.Request) Lifetimes
	}); ok {
		return c.Of(job)
	}
	return l
}

// OneLaw is the lifetimes of jobs that all follow one uniform-log law:
// Downey (1997), "Predicting queue times on space-sharing parallel computers",
// section 3, equation 3.
//
//   - Younger than TMin: F(age) is 0, but the job keeps its true age, so the
//     earliest end is TMin - age from now.
//   - From TMin to TMax: Pr{L > age+t | L > age} by the law.
//   - TMax and older: the law is undefined, and the paper warns that such jobs
//     do not end soon. They survive t seconds more with probability age / (age
//   - t), the past-repeats heuristic of Harchol-Balter and Downey: the median
//     remaining lifetime is the age. The alternative rule, that they end at
//     once, gives predictions near zero and lowers the correlation of
//     logarithms by up to 0.18 on three logs (docs/findings/papers.md).
type OneLaw struct {
	Law dist.UniformLog
}

var _ Lifetimes = OneLaw{}

// Survival implements Lifetimes; the request does not matter.
func (l OneLaw) Survival(_ *workload.Request, age, t float64) float64 {
	if l.Law.Outlived(age) {
		return pastRepeats(age, t)
	}
	return l.Law.SurvivalGiven(age, t)
}

// LawLifetimes is the lifetimes of jobs that all follow one law of run times in
// seconds. Any law is allowed; OneLaw is for Downey's. A job that must have
// ended by the law (its survival at the age is 0) follows the rule of OneLaw.
type LawLifetimes struct {
	Law dist.Law
}

var _ Lifetimes = LawLifetimes{}

// Survival implements Lifetimes; the request does not matter.
func (l LawLifetimes) Survival(_ *workload.Request, age, t float64) float64 {
	if l.Law.Survival(age) <= 0 {
		return pastRepeats(age, t)
	}
	return dist.SurvivalGiven(l.Law, age, t)
}

// pastRepeats is the survival of a job older than its law allows.
func pastRepeats(age, t float64) float64 {
	if math.IsInf(age+t, 1) {
		return 0
	}
	return age / (age + t)
}

func lifetimesOfReport(r fit.Report) (Lifetimes, error) {
	law, ok := r.AttributeLaw()
	if !ok {
		return nil, fmt.Errorf("lifetimes by %s: it is not a distribution of run times in seconds or of their logarithm", r.Family)
	}
	if u, ok := law.(dist.UniformLog); ok {
		return OneLaw{u}, nil
	}
	return LawLifetimes{law}, nil
}

// LawSummary is a law of lifetimes as shown in results. Intercept and Slope are
// those of the uniform-log law's line, TMin and TMax its ends in seconds; all
// four are NaN for other families.
type LawSummary struct {
	Family    string       `json:"family"`
	Intercept stats.Number `json:"intercept"`
	Slope     stats.Number `json:"slope"`
	TMin      stats.Number `json:"t_min_s"`
	TMax      stats.Number `json:"t_max_s"`
}

// Summarize returns the summary of a fitted law.
func Summarize(r *fit.Report) *LawSummary {
	if law, ok := r.Law.(dist.UniformLog); ok {
		return &LawSummary{r.Family, stats.Number(law.Intercept()), stats.Number(law.Slope()), stats.Number(law.TMin), stats.Number(law.TMax)}
	}
	nan := stats.Number(math.NaN())
	return &LawSummary{r.Family, nan, nan, nan, nan}
}
