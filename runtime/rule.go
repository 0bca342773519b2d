package runtime

import (
	"fmt"
	"math"
	"strings"

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

// ownRule is a Rule of this package.
type ownRule struct {
	name string
	// paper says that the rule is one of Sonmez and others (2009).
	paper bool
	make  func(settings) (rule, error)
}

func (r ownRule) Name() string { return r.name }

func (r ownRule) New(o Options) (Predictor, error) {
	made, err := r.make(o.settings())
	if err != nil {
		return nil, err
	}
	return newClassed(made, Classes{Name: "all"}), nil
}

// Rules returns the rules of this package, those of Sonmez and others (2009) first: the
// list in which names are looked up, to which a caller may append its own
// (Options.Rules).
func Rules() []Rule {
	return []Rule{
		ownRule{"es", true, func(s settings) (rule, error) { return es{alpha: s.alpha}, nil }},
		ownRule{"rm", true, func(settings) (rule, error) { return rm{}, nil }},
		ownRule{"sm", true, func(s settings) (rule, error) { return newSM(s.window), nil }},
		ownRule{"last", true, func(settings) (rule, error) { return last{}, nil }},
		ownRule{"last2", true, func(settings) (rule, error) { return last2{}, nil }},
		ownRule{"estimate", false, func(settings) (rule, error) { return estimate{}, nil }},
		ownRule{"tsafrir", false, func(settings) (rule, error) { return tsafrir{}, nil }},
		ownRule{"alea", false, func(settings) (rule, error) { return alea{}, nil }},
		ownRule{"des", false, func(settings) (rule, error) { return newDES(), nil }},
		ownRule{"nws", false, func(s settings) (rule, error) { return newNWS(s), nil }},
		ownRule{"knn", false, func(s settings) (rule, error) { return newKNN(s.neighbours), nil }},
		ownRule{QuantileName, false, func(s settings) (rule, error) { return newQuantile(s.quantile, s.confidence) }},
	}
}

// PredictorNames lists the predictors that New knows, those of the paper
// first.
func PredictorNames() []string { return append(ruleNames(false), KernelName) }

// PaperPredictorNames lists the five of Sonmez and others (2009).
func PaperPredictorNames() []string { return ruleNames(true) }

func ruleNames(paper bool) []string {
	var names []string
	for _, r := range Rules() {
		if !paper || r.(ownRule).paper {
			names = append(names, r.Name())
		}
	}
	return names
}

// newRule returns the rule with that name. The error is a *workload.OptionError.
func newRule(name string, o Options) (rule, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var names []string
	for _, r := range o.rules() {
		if r.Name() != name {
			names = append(names, r.Name())
			continue
		}
		if r, ok := r.(ownRule); ok {
			return r.make(o.settings())
		}
		return newForeign(r, o)
	}
	return nil, workload.OptionFault("predictors", fmt.Sprintf("unknown predictor %q", name), "one of %s", strings.Join(append(names, KernelName), ", "))
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
