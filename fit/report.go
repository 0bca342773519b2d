package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Status is how a fit ended.
type Status string

// The ends of a fit.
const (
	// Converged: the parameters stand still. A closed form, or a search over
	// a fixed set, counts as converged.
	Converged Status = "converged"
	// IterationLimit: the parameters were still moving when the iterations
	// were used up. They are the best seen, not the answer.
	IterationLimit Status = "iteration limit"
	// ComponentLost: a component of a mixture died. It ends a start of EM; a
	// report does not have it.
	ComponentLost Status = "component lost"
)

// Report is a fit: a law, what it was fitted to, and what it is worth.
type Report struct {
	Attribute Attribute
	Transform Transform // the law is of the transformed attribute
	By        string    // which jobs: "all", or a class such as "queue_id=1"
	Family    string    // as dist.Family names it

	Law        dist.Law         // of the transformed attribute; valid
	Parameters []dist.Parameter // as they are published; of uniform-log, the line's

	N       int64     // jobs that the likelihood and D are over
	LeftOut []LeftOut // the others, and why

	// LogLikelihood is of the attribute itself (for times, of seconds), so
	// that families compare, as far as they are over the same N jobs.
	// -Inf where the law gives a job no density.
	LogLikelihood            float64
	LogLikelihoodTransformed float64 // of what Law is of
	AIC, BIC                 float64 // from LogLikelihood; +Inf where that is -Inf

	KS KS

	Status     Status
	Iterations int // of the method; 0 for a closed form
	Warnings   []string
}

// KS is the Kolmogorov-Smirnov distance of sample and law.
type KS struct {
	D          float64 // over the distinct values, in [0, 1]
	PValue     float64
	Method     string // stats.Asymptotic or stats.ParametricBootstrap
	Replicates int    // 0 for asymptotic
	Failed     int    // replicates that could not be refitted
}

// LogDensity returns the log-density of the attribute itself at v > 0.
func (r Report) LogDensity(v float64) float64 {
	return r.Law.LogPDF(r.Transform.Apply(v)) + r.Transform.logJacobian(v)
}

// outcome is what a family's method finds.
type outcome struct {
	law        dist.Law
	parameters []dist.Parameter // nil for those of law
	free       int              // how many numbers were estimated
	leftOut    []LeftOut
	status     Status
	iterations int
	warnings   []string
}

// newReport fills a report: the only place where one is made.
func newReport(t task, o outcome) (Report, error) {
	if err := dist.Validate(o.law); err != nil {
		return Report{}, t.degenerate(err.Error())
	}
	r := Report{
		Attribute: t.attribute, Transform: t.options.Transform, By: t.options.By, Family: dist.Family(o.law),
		Law: o.law, Parameters: o.parameters,
		N: t.sample.Jobs(), LeftOut: append(t.sample.LeftOut[:len(t.sample.LeftOut):len(t.sample.LeftOut)], o.leftOut...),
		Status: o.status, Iterations: o.iterations, Warnings: o.warnings,
	}
	if r.Parameters == nil {
		r.Parameters = dist.Parameters(o.law)
	}
	outside := t.likelihood(&r)
	if outside > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d jobs are where the law has no density, so there is no likelihood: compare by D", outside))
	}
	n := float64(r.N)
	r.AIC = 2*float64(o.free) - 2*r.LogLikelihood
	r.BIC = math.Log(n)*float64(o.free) - 2*r.LogLikelihood
	if err := t.goodness(&r); err != nil {
		return Report{}, err
	}
	if r.Status != Converged {
		r.Warnings = append(r.Warnings, fmt.Sprintf("not converged (%s after %d iterations): the parameters are the best seen", r.Status, r.Iterations))
	}
	return r, nil
}

// likelihood fills the log-likelihoods and returns the number of jobs without
// density.
func (t task) likelihood(r *Report) (outside int64) {
	density := dist.LogDensity(r.Law)
	var itself, transformed float64
	for i, x := range t.x {
		d, w := density(x), t.sample.Counts[i]
		if math.IsInf(d, -1) {
			outside += int64(w)
		}
		transformed += w * d
		itself += w * (d + r.Transform.logJacobian(t.sample.Values[i]))
	}
	if outside > 0 { // not what an infinity plus others comes to
		itself, transformed = math.Inf(-1), math.Inf(-1)
	}
	r.LogLikelihood, r.LogLikelihoodTransformed = itself, transformed
	return outside
}

// goodness fills KS, by the bootstrap where replicates are asked for.
func (t task) goodness(r *Report) error {
	var (
		ks  stats.KS
		err error
	)
	if t.options.Replicates == 0 {
		ks, err = stats.KolmogorovSmirnov(t.x, t.sample.Counts, r.Law)
		r.Warnings = append(r.Warnings, "the p-value is asymptotic, for a law that was not fitted to these jobs: too kind; ask for replicates")
	} else {
		ks, err = stats.KolmogorovSmirnovBootstrap(t.x, t.sample.Counts, r.Law, t.bootstrap(r.Law))
		if err == nil && ks.Failed > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d bootstrap replicates could not be refitted and are left out", ks.Failed, ks.Replicates))
		}
	}
	if err != nil {
		return fmt.Errorf("fit: %s of %s: %w", r.Family, r.Attribute, err)
	}
	r.KS = KS{D: ks.D, PValue: ks.PValue, Method: ks.Method, Replicates: ks.Replicates, Failed: ks.Failed}
	return nil
}
