package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// rule is the parameters of a Rule of this package: its exported fields.
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

// single is one Predictor as the Rule of a class of all jobs.
type single struct {
	Predictor
	name string
	free bool // its predictions may be anything
}

func (s single) Name() string { return s.name }

func (s single) New() Predictor { return s.Predictor }

// Rules returns the rules of this package, those of Sonmez and others (2009) first: the
// list in which names are looked up, to which a caller may append its own
// (Entry.Rules).
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

// PredictorNames lists the predictors of this package, those of the paper first.
func PredictorNames() []string { return opt.Names(Rules()) }

// PaperPredictorNames lists the five of Sonmez and others (2009).
func PaperPredictorNames() []string { return PredictorNames()[:5] }

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

// Level returns the quantile of run times that a rule's predictions bound, 0 if they bound
// none: those of "quantile", and of "kernel", whose Kernel.Bound is that quantile.
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

// HasClasses reports whether a rule predicts from the jobs of a class; "kernel" makes
// classes of its own.
func HasClasses(r Rule) bool {
	own, _ := r.(ownRule)
	_, ok := own.rule.(kernelRule)
	return !ok
}

// nothing is the answer of a rule that has nothing to say.
func nothing() (p workload.Prediction, ok bool) { return }

// fromJobs is the prediction from n jobs; none from none.
func fromJobs(n int, seconds float64) (workload.Prediction, bool) {
	if n == 0 {
		return nothing()
	}
	return workload.Prediction{Seconds: seconds, Observations: n}, true
}

// isTime reports whether t can be a run time in seconds.
func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// requestedTime is the user's estimate of the run time, false where there is none.
func requestedTime(r *workload.Request) (float64, bool) { return r.Time, r.Time > 0 && isTime(r.Time) }
