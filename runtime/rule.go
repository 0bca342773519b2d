package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// rule contains the parameters of a Rule of this package, in its exported fields.
type rule interface{ New() Predictor }

// ownRule is a Rule of this package.
type ownRule struct {
	name string
	rule
}

var _ opt.Adjustable[Rule] = ownRule{}

func (r ownRule) Name() string { return r.name }

func (r ownRule) Parameters() any { return r.rule }

func (r ownRule) With(parameters any) Rule {
	r.rule = parameters.(rule)
	return r
}

// single presents one Predictor as a Rule, for a single class of all jobs.
type single struct {
	Predictor
	name string
	free bool // predictions are not checked
}

func (s single) Name() string { return s.name }

func (s single) New() Predictor { return s.Predictor }

// Rules returns the rules of this package, those of Sonmez and others (2009) first. Names are
// looked up in this list by default; a caller may append custom rules to it (Entry.Rules).
func Rules() []Rule {
	return []Rule{
		ownRule{"es", es{Alpha: 0.5}},
		ownRule{"rm", rm{}},
		ownRule{"sm", sm{Window: 5}},
		ownRule{"last", last{}},
		ownRule{"last2", last2{}},
		ownRule{"estimate", estimate{}},
		ownRule{"tsafrir", tsafrir{}},
		ownRule{"alea", alea{}},
		ownRule{"des", des{}},
		ownRule{"nws", nws{Alpha: 0.5, Window: 5}},
		ownRule{"knn", knn{Neighbours: 5}},
		ownRule{"quantile", quantile{Level: 0.95, Confidence: 0.95}},
		ownRule{kernelName, kernelRule{stats.ByAccuracy, 0.95}},
	}
}

// PredictorNames returns the names of Rules, in order.
func PredictorNames() []string { return opt.Names(Rules()) }

// PaperPredictorNames returns the names of the five predictors of Sonmez and others (2009).
func PaperPredictorNames() []string { return PredictorNames()[:5] }

// RuleNamed returns the rule named by text, with its parameters if any, such as
// "es(alpha=0.3)"; nil rules mean Rules(). A custom rule that is a struct may have parameters,
// too: fields with the tag "opt", the name of the parameter; the tags "in", a range such as
// "[0,1]", and "help" describe it. An error is a *workload.OptionError.
func RuleNamed(text string, rules []Rule) (Rule, error) {
	if rules == nil {
		rules = Rules()
	}
	return opt.Named("predictors", text, rules)
}

// Level returns the quantile of run times for which a rule predicts bounds: the predictions of
// "quantile", and Kernel.Bound of "kernel". It returns 0 for other rules.
func Level(r Rule) float64 {
	own, _ := r.(ownRule)
	switch rule := own.rule.(type) {
	case quantile:
		return rule.Level
	case kernelRule:
		return rule.Level
	}
	return 0
}

// HasClasses reports whether a rule predicts from the jobs of a class. All do but "kernel",
// which makes its own classes.
func HasClasses(r Rule) bool {
	own, _ := r.(ownRule)
	_, ok := own.rule.(kernelRule)
	return !ok
}

// nothing returns the results of Predict when there is no prediction.
func nothing() (p workload.Prediction, ok bool) { return }

// fromJobs returns a prediction based on n jobs; if n is 0, there is no prediction.
func fromJobs(n int, seconds float64) (workload.Prediction, bool) {
	if n == 0 {
		return nothing()
	}
	return workload.Prediction{Seconds: seconds, Observations: n}, true
}

// isTime reports whether t can be a run time in seconds.
func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// requestedTime returns the user's estimate of the run time in seconds; false if there is none.
func requestedTime(r *workload.Request) (float64, bool) { return r.Time, r.Time > 0 && isTime(r.Time) }
