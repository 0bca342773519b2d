package predict

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Bound is a predicted upper bound of one job's wait, with the level that was
// requested and the one that is achieved.
type Bound struct {
	Seconds      float64 // the bound in seconds; NaN if there is none
	Quantile     float64 // requested share of waits to cover, in (0, 1)
	Confidence   float64 // requested probability of covering that share, in (0, 1)
	Achieved     float64 // achieved probability, exact for independent waits; NaN if not provided
	Rank         int     // rank from 1 of the past wait that is the bound; 0 if it is none
	Observations int     // length of the history
	Group        string  // the jobs for which the bound holds, such as "5-16" processors
}

// NoBound returns a Bound whose Seconds, Quantile, Confidence and Achieved are
// NaN.
func NoBound() Bound {
	return Bound{Seconds: math.NaN(), Quantile: math.NaN(), Confidence: math.NaN(), Achieved: math.NaN()}
}

// BoundPredictor predicts upper bounds of waits from past waits. It is used by
// one goroutine and must be deterministic: the same calls give the same
// answers. The arguments of a call hold only facts known at that moment; the
// predictor may remember the requests and waits of other jobs. Replay, through
// PastWaits, passes it every job with a known wait, in the order of
// workload.Timeline. If the predictor returns NaN and true, the replay ends with an
// error that names it. Other bounds, even infinite and negative ones, are scored
// as they are.
type BoundPredictor interface {
	Name() string // the name in commands and tables, such as "bmbp"
	// Predict returns the bound for a job that is submitted now, and false if
	// the history is too short. It does not count the request as a job.
	Predict(r workload.Request) (Bound, bool)
	// Observe learns the wait of a job that starts now. given is the bound
	// predicted at its submission (Seconds NaN if there was none): a run of
	// waits above their bounds shows that older waits no longer apply. A job
	// whose wait is unknown is ignored.
	Observe(j workload.Job, given Bound)
}

// QueueWatcher is a BoundPredictor that follows the queue and the machine: a replay calls
// Submitted and Ended for every job, in the order of workload.Timeline. A QueueWatcher
// ignores calls for jobs that it does not know, and repeated ones.
type QueueWatcher interface {
	BoundPredictor
	// Submitted records that a job is submitted now; Predict does not record it.
	Submitted(r workload.Request)
	// Ended records that a job ends, or that a waiting job is withdrawn, at time now.
	Ended(r workload.Request, now float64)
}

// BoundOptions are the choices that all predictors of bounds share. The zero
// value is the default.
type BoundOptions struct {
	// Groups sorts jobs, by any columns, into groups whose waits are assumed
	// to be similar; nil means ranges of processors (see GroupOf).
	Groups *workload.Classifier
	// Methods is the list in which NewBounds looks up names; nil means
	// BoundMethods().
	Methods []BoundMethod
	// PastWaits returns the predictor "bmbp" or "qbets". CombinedBound uses both, and
	// ConformalBound gives the bounds of bmbp until it has learned. If PastWaits is nil,
	// the predictors are created with these Groups.
	PastWaits func(name string, quantile, confidence float64) (BoundPredictor, error)
}

func (o *BoundOptions) pastWaits(name string, quantile, confidence float64) (BoundPredictor, error) {
	if o.PastWaits != nil {
		return o.PastWaits(name, quantile, confidence)
	}
	return NewBound(name, quantile, confidence, BoundOptions{Groups: o.Groups})
}

// BoundMethod is a named method of predicting bounds, or waits (Point). A method with
// parameters is a function that returns a BoundMethod.
type BoundMethod struct {
	// Name is the name of its predictors in options and results, such as
	// "bmbp".
	Name string
	// New returns a predictor without history for a quantile and a confidence,
	// both in (0, 1). The error names the argument or option that the method
	// does not support.
	New func(quantile, confidence float64, o BoundOptions) (BoundPredictor, error)
	// Point marks a method that predicts the wait itself, not a bound, and is
	// scored accordingly. It ignores the quantile and the confidence.
	Point bool
}

// BoundMethods returns the methods of this package: first those scored by default,
// then those that share their state (see NewBounds). A caller may append custom
// methods and pass the list as BoundOptions.Methods.
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

// BoundVariants returns the names of the predictors that are scored only on request:
// CombinedBound, ConformalBound and ConformalPoint.
func BoundVariants() []string { return namesOfBounds(BoundMethods()[3:]) }

func namesOfBounds(methods []BoundMethod) []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// IsPoint reports whether the method called name predicts the wait itself
// (BoundMethod.Point). methods is the list to search, as in BoundOptions.
func IsPoint(name string, methods []BoundMethod) bool {
	return slices.ContainsFunc(orBoundMethods(methods), func(m BoundMethod) bool { return m.Name == name && m.Point })
}

func orBoundMethods(methods []BoundMethod) []BoundMethod {
	if methods == nil {
		return BoundMethods()
	}
	return methods
}

// NewBound returns the predictor of bounds called name, for a quantile and a
// confidence in (0, 1). If the name is unknown or a level out of range, the error is a
// *workload.OptionError.
func NewBound(name string, quantile, confidence float64, o BoundOptions) (BoundPredictor, error) {
	all, err := NewBounds([]string{name}, []float64{quantile}, confidence, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// NewBounds returns one predictor for each name and quantile, all quantiles of the
// first name first, but only one for a method whose Point is set. CombinedBound,
// ConformalBound and ConformalPoint share their state and must be used in the same replay.
// Errors are those of NewBound.
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
// raises each bound that is below the bound of a smaller quantile. Such bounds
// occur because a higher quantile may need a larger group, whose waits may be
// shorter. NaN stays NaN.
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
// such as the site's jobs of similar size, all jobs of the site, and all jobs.
// It returns the bound of the finest group with enough waits. The change points
// of each predictor depend on its own bounds.
type Backoff struct {
	levels []BoundPredictor
	given  map[int64][]Bound // by Request.Row of a waiting job: the bound of each level
}

// NewBackoff returns a Backoff of the given levels, of which there must be at least
// one. It takes ownership of them.
func NewBackoff(levels ...BoundPredictor) *Backoff {
	return &Backoff{levels, map[int64][]Bound{}}
}

// Name returns the name of the levels' predictors.
func (b *Backoff) Name() string { return b.levels[0].Name() }

// Predict implements BoundPredictor. If no level has a bound, it returns the result of
// the last level and false.
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
		bound := NoBound()
		if given != nil {
			bound = given[i]
		}
		p.Observe(j, bound)
	}
}

// Submitted implements QueueWatcher. It does nothing, because Predict remembers the job.
func (b *Backoff) Submitted(workload.Request) {}

// Ended implements QueueWatcher. It forgets a job that was withdrawn.
func (b *Backoff) Ended(r workload.Request, _ float64) { delete(b.given, r.Row) }
