package predict

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Bound is a predicted upper bound of one job's wait. It repeats the request
// and reports what it achieves.
type Bound struct {
	Seconds      float64 // the bound in seconds; NaN if there is none
	Quantile     float64 // requested: the share of waits that the bound is to cover, in (0, 1)
	Confidence   float64 // requested: the probability that it covers that share, in (0, 1)
	Achieved     float64 // the achieved probability, exact for independent waits; NaN if the method does not provide it
	Rank         int     // the order statistic that the bound is, counted from 1; 0 if it is none
	Observations int     // the length of the history on which it rests
	Group        string  // the jobs for which it holds, such as "5-16" processors
}

// NoBound returns a Bound whose Seconds, Quantile, Confidence and Achieved are
// NaN.
func NoBound() Bound {
	return Bound{Seconds: math.NaN(), Quantile: math.NaN(), Confidence: math.NaN(), Achieved: math.NaN()}
}

// BoundPredictor predicts upper bounds of waits from past waits. It is used by
// one goroutine and must be deterministic: the same calls give the same
// answers. A call contains only what is known at that moment; the predictor may
// remember the requests and waits of other jobs. A Replay, through PastWaits, passes it
// every job with a known wait, in the order of workload.Timeline. If it returns
// NaN as a bound the replay ends with an error that names it. Other bounds,
// infinite and negative ones too, are scored as they are.
type BoundPredictor interface {
	Name() string // as in commands and tables, such as "bmbp"
	// Predict returns the bound for a job that is submitted now, and false if
	// the history is too short. It does not count the request as a job.
	Predict(r workload.Request) (Bound, bool)
	// Observe learns the wait of a job that starts now. given is the bound
	// predicted at its submission (Seconds NaN if there was none): runs of
	// waits above their bounds show that the past no longer counts. A job
	// whose wait is unknown is ignored.
	Observe(j workload.Job, given Bound)
}

// QueueWatcher is a BoundPredictor that follows the queue and the machine: a replay calls
// Submitted and Ended for every job, in the order of workload.Timeline. A QueueWatcher
// ignores calls for jobs that it does not know, and repeated ones.
type QueueWatcher interface {
	BoundPredictor
	// Submitted records that a job is submitted now, which Predict does not.
	Submitted(r workload.Request)
	// Ended records that a job ends, or that a waiting one is withdrawn, at that time.
	Ended(r workload.Request, now float64)
}

// BoundOptions are the choices that all predictors of bounds share. The zero
// value is the default.
type BoundOptions struct {
	// Groups sorts jobs, by any columns, into groups whose waits are assumed
	// to be alike; nil means ranges of processors (see GroupOf).
	Groups *workload.Classifier
	// Methods is the list in which NewBounds looks up names; nil means
	// BoundMethods().
	Methods []BoundMethod
	// PastWaits returns the predictor bmbp or qbets for CombinedBound, and for ConformalBound,
	// which gives the bounds of bmbp until it has learned; nil means those with these options.
	PastWaits func(name string, quantile, confidence float64) (BoundPredictor, error)
}

func (o *BoundOptions) pastWaits(name string, quantile, confidence float64) (BoundPredictor, error) {
	if o.PastWaits != nil {
		return o.PastWaits(name, quantile, confidence)
	}
	return NewBound(name, quantile, confidence, BoundOptions{Groups: o.Groups})
}

// BoundMethod is a method of predicting bounds, or waits (Point), in the list in which
// names are looked up. A method with parameters is a function that returns a BoundMethod.
type BoundMethod struct {
	// Name is the name of its predictors in options and results, such as
	// "bmbp".
	Name string
	// New returns a predictor without history for a quantile and a confidence,
	// both in (0, 1). The error names the one, or the option, that the method
	// does not support.
	New func(quantile, confidence float64, o BoundOptions) (BoundPredictor, error)
	// Point marks a method that predicts the wait itself, not a bound of it, and is
	// scored so. It ignores the quantile and the confidence.
	Point bool
}

// BoundMethods returns the methods of this package, to which a caller may
// append custom ones (BoundOptions.Methods): those scored by default, then
// those that share what they learn (NewBounds).
func BoundMethods() []BoundMethod {
	sharing := func(name string, point bool) BoundMethod {
		return BoundMethod{name, func(q, c float64, o BoundOptions) (BoundPredictor, error) { return NewBound(name, q, c, o) }, point}
	}
	return []BoundMethod{
		boundMethod("bmbp", NewBMBP), boundMethod("chebyshev", NewChebyshev), boundMethod("qbets", NewQBETS),
		sharing(CombinedBound, false), sharing(ConformalBound, false), sharing(ConformalPoint, true),
	}
}

func boundMethod[P BoundPredictor](name string, fresh func(float64, float64, BoundOptions) (P, error)) BoundMethod {
	return BoundMethod{name, func(q, c float64, o BoundOptions) (BoundPredictor, error) { return fresh(q, c, o) }, false}
}

// BoundNames returns the names of the predictors of bounds that are scored by
// default.
func BoundNames() []string { return namesOfBounds(BoundMethods()[:3]) }

// BoundVariants returns the names of the other predictors of past waits, CombinedBound,
// ConformalBound and ConformalPoint, which are scored on request only.
func BoundVariants() []string { return namesOfBounds(BoundMethods()[3:]) }

func namesOfBounds(methods []BoundMethod) []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// IsPoint reports whether the method of that name predicts the wait itself
// (BoundMethod.Point). The methods are as in BoundOptions.
func IsPoint(name string, methods []BoundMethod) bool {
	return slices.ContainsFunc(orBoundMethods(methods), func(m BoundMethod) bool { return m.Name == name && m.Point })
}

func orBoundMethods(methods []BoundMethod) []BoundMethod {
	if methods == nil {
		return BoundMethods()
	}
	return methods
}

// NewBound returns the predictor of bounds of that name, for a quantile and a
// confidence in (0, 1). An unknown name and a level out of range are a *workload.OptionError.
func NewBound(name string, quantile, confidence float64, o BoundOptions) (BoundPredictor, error) {
	all, err := NewBounds([]string{name}, []float64{quantile}, confidence, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// NewBounds returns the predictors of those names for each of the quantiles,
// sorted by name and then by quantile; a method of points comes once. CombinedBound,
// ConformalBound and ConformalPoint share what they learn, and must be used in the same replay.
func NewBounds(names []string, quantiles []float64, confidence float64, o BoundOptions) (all []BoundPredictor, err error) {
	var shared *conformal
	for _, name := range names {
		methods := orBoundMethods(o.Methods)
		i := slices.IndexFunc(methods, func(m BoundMethod) bool { return m.Name == name })
		if i < 0 {
			return nil, workload.OptionFault("predictors", strconv.Quote(name), "one of %s", strings.Join(namesOfBounds(methods), ", "))
		}
		for _, q := range quantiles {
			if err := checkLevels(q, confidence); err != nil && !methods[i].Point {
				return nil, err
			}
		}
		fresh := methods[i].New
		if name == CombinedBound || name == ConformalBound || name == ConformalPoint {
			if shared == nil {
				if shared, err = newConformal(append([]float64{0.5, 0.8, 0.95, 0.99}, quantiles...), confidence, o); err != nil {
					return nil, err
				}
			}
			fresh = func(quantile, _ float64, _ BoundOptions) (BoundPredictor, error) {
				if name == CombinedBound {
					return newCombined(shared, quantile, confidence, o)
				}
				return shared.predictor(name, quantile), nil
			}
		}
		for _, q := range quantiles {
			p, err := fresh(q, confidence, o)
			if err != nil {
				return nil, err
			}
			if all = append(all, p); methods[i].Point {
				break
			}
		}
	}
	return all, nil
}

// checkLevels returns a *workload.OptionError unless the quantile and the confidence of a
// bound are in (0, 1).
func checkLevels(quantile, confidence float64) error {
	const want = "a number between 0 and 1"
	switch {
	case !(quantile > 0 && quantile < 1):
		return workload.OptionFault("quantile", quantile, want)
	case !(confidence > 0 && confidence < 1):
		return workload.OptionFault("confidence", confidence, want)
	}
	return nil
}

// Ascend makes the bounds of one request non-decreasing in their quantile: it
// raises each bound that is below that of a smaller quantile. Such bounds occur
// because that of a higher quantile may rest on a larger group, with shorter
// waits. NaN stays NaN.
func Ascend(bounds []Bound) {
	for i := range bounds {
		for _, b := range bounds {
			if b.Quantile < bounds[i].Quantile && b.Seconds > bounds[i].Seconds {
				bounds[i].Seconds = b.Seconds
			}
		}
	}
}

// Backoff combines predictors of bounds for nested groups, the finest first,
// such as the site's jobs of like size, all jobs of the site, and all jobs. Its
// bound is that of the finest group with enough waits. The change points of
// each predictor depend on its own bounds.
type Backoff struct {
	levels []BoundPredictor
	given  map[int64][]Bound // by Row: of each level, for the jobs that wait
}

// NewBackoff returns a Backoff of at least one level. It takes ownership of the levels.
func NewBackoff(levels ...BoundPredictor) *Backoff {
	return &Backoff{levels, map[int64][]Bound{}}
}

// Name returns the name of the levels' predictors.
func (b *Backoff) Name() string { return b.levels[0].Name() }

// Predict implements BoundPredictor. If no level has a bound, the result is that of the
// last level.
func (b *Backoff) Predict(r workload.Request) (Bound, bool) {
	given := make([]Bound, len(b.levels))
	best := -1
	for i, p := range b.levels {
		var ok bool
		if given[i], ok = p.Predict(r); ok && best < 0 {
			best = i
		}
	}
	b.given[r.Row] = given
	if best < 0 {
		return given[len(given)-1], false
	}
	return given[best], true
}

// Observe implements BoundPredictor. It ignores the given bound, because each
// level remembers its own from Predict.
func (b *Backoff) Observe(j workload.Job, _ Bound) {
	given := b.given[j.Row]
	delete(b.given, j.Row)
	for i, p := range b.levels {
		said := NoBound()
		if given != nil {
			said = given[i]
		}
		p.Observe(j, said)
	}
}

// Submitted implements QueueWatcher; Predict has seen the job.
func (b *Backoff) Submitted(workload.Request) {}

// Ended implements QueueWatcher: a job that was withdrawn is forgotten.
func (b *Backoff) Ended(r workload.Request, _ float64) { delete(b.given, r.Row) }
