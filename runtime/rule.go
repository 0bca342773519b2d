package runtime

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// rule predicts from one class's history. What it knows of a class is a few
// numbers in a slab that all rules of all classes share (see histories),
// because a replay of a long log is bound by memory accesses. A rule that
// keeps more of a class than fits there holds it itself and keeps its place
// in the slab (see shelf).
type rule interface {
	// width is how many numbers it keeps of a class.
	width() int
	// observe enters the next job to end. state has width numbers, zero at
	// first; n is how many jobs of the class ended before. j is not kept.
	observe(state []float64, n int, j *workload.Job)
	// predict gives the prediction for a job submitted after n jobs ended.
	// n is at least 1, unless the rule is early. Where it has nothing to say
	// Seconds is NaN. r is not kept.
	predict(state []float64, n int, r *workload.Request) workload.Prediction
}

// early is a rule that may predict for a class of which no job has ended.
type early interface{ early() }

// starter is a rule with more than its parameters.
type starter interface {
	rule
	// start returns the rule for the classes of one replay.
	start() (rule, error)
}

// ownRule is a Rule of this package.
type ownRule struct {
	name  string
	paper bool // it is one of Sonmez and others (2009)
	rule  rule // its exported fields are the parameters
}

var _ opt.Adjustable[Rule] = ownRule{}

func (r ownRule) Name() string { return r.name }

func (r ownRule) Parameters() any { return r.rule }

func (r ownRule) With(parameters any) Rule {
	r.rule = parameters.(rule)
	return r
}

func (r ownRule) New() (Predictor, error) {
	started, err := r.start()
	if err != nil {
		return nil, err
	}
	return newClassed(started, Classes{Name: "all"}), nil
}

func (r ownRule) start() (rule, error) {
	if s, ok := r.rule.(starter); ok {
		return s.start()
	}
	return r.rule, nil
}

// Rules returns the rules of this package, those of Sonmez and others (2009) first: the
// list in which names are looked up, to which a caller may append its own
// (Entry.Rules).
func Rules() []Rule {
	return []Rule{
		ownRule{"es", true, es{Alpha: 0.5}},
		ownRule{"rm", true, rm{}},
		ownRule{"sm", true, sm{Window: 5}},
		ownRule{"last", true, last{}},
		ownRule{"last2", true, last2{}},
		ownRule{"estimate", false, estimate{}},
		ownRule{"tsafrir", false, tsafrir{}},
		ownRule{"alea", false, alea{}},
		ownRule{"des", false, des{}},
		ownRule{"nws", false, nws{Alpha: 0.5, Window: 5}},
		ownRule{"knn", false, knn{Neighbours: 5}},
		ownRule{"quantile", false, quantile{Level: 0.95, Confidence: 0.95}},
		kernelRule{stats.ByAccuracy, 0.95},
	}
}

// PredictorNames lists the predictors of this package, those of the paper first.
func PredictorNames() []string { return opt.Names(Rules()) }

// PaperPredictorNames lists the five of Sonmez and others (2009).
func PaperPredictorNames() []string {
	var names []string
	for _, r := range Rules() {
		if own, ok := r.(ownRule); ok && own.paper {
			names = append(names, own.name)
		}
	}
	return names
}

// RuleNamed returns one of the rules, nil standing for Rules(), by its name and with its
// parameters, if any, such as "es(alpha=0.3)". A custom rule, a struct, may have parameters
// too: fields with the tag opt, the parameter's name; the tags "in", a range such as
// "[0,1]", and "help" describe it. The error is a *workload.OptionError.
func RuleNamed(text string, rules []Rule) (Rule, error) {
	if rules == nil {
		rules = Rules()
	}
	return opt.Named("predictors", text, rules)
}

// CheckRules returns a *workload.OptionError unless each rule has a name of its own.
func CheckRules(rules []Rule) error {
	names := map[string]bool{}
	for i, r := range rules {
		if r == nil || r.Name() == "" || names[r.Name()] {
			return workload.OptionFault("rules", fmt.Sprintf("number %d is nil, or its name is empty or taken", i+1), "rules, each with a different name")
		}
		names[r.Name()] = true
	}
	return nil
}

// startRule returns a rule as a replay runs it.
func startRule(r Rule) (rule, error) {
	if own, ok := r.(ownRule); ok {
		return own.start()
	}
	return newForeign(r)
}

// Level returns the quantile of run times that a rule's predictions bound, 0 if they bound
// none: those of "quantile", and of "kernel", whose Kernel.Last has that quantile.
func Level(r Rule) float64 {
	own, _ := r.(ownRule)
	if q, ok := own.rule.(quantile); ok {
		return q.Level
	}
	k, _ := r.(kernelRule)
	return k.Level
}

// HasClasses reports whether a rule predicts from the jobs of a class; "kernel" makes
// classes of its own.
func HasClasses(r Rule) bool {
	_, ok := r.(kernelRule)
	return !ok
}

// nothing is the prediction of a rule that has nothing to say.
func nothing() workload.Prediction { return workload.Prediction{Seconds: math.NaN()} }

// limit is the user's estimate of the run time, false where there is none.
func limit(r *workload.Request) (float64, bool) {
	return r.Time, r.Time > 0 && !math.IsInf(r.Time, 1)
}

// shelf holds what a rule knows of each class, beyond what fits in the slab:
// the rule's number in the slab is the place of it, from 1.
type shelf[T any] struct{ all []*T }

// at returns what is known of a class, nil where that is nothing.
func (s *shelf[T]) at(state []float64) *T {
	if state[0] == 0 {
		return nil
	}
	return s.all[int(state[0])-1]
}

// open returns it, made where that is nothing.
func (s *shelf[T]) open(state []float64) *T {
	if t := s.at(state); t != nil {
		return t
	}
	s.all = append(s.all, new(T))
	state[0] = float64(len(s.all))
	return s.all[len(s.all)-1]
}
