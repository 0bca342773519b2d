package runtime

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// rule makes what it keeps of a class, of which no job has ended. Its exported fields are
// its parameters.
type rule interface{ fresh() history }

// history is what a rule keeps of one class, and predicts from. It is a Predictor that
// takes pointers, because a replay of a long log asks many of them about each job.
type history interface {
	rule // of the class's rule, for another class
	// observe enters the next job of the class to end. j is not kept.
	observe(j *workload.Job)
	// predict gives the prediction for a job. Where the rule has nothing to say Seconds
	// is NaN. A history of which no job has ended may be asked about requests of several
	// classes. r is not kept.
	predict(r *workload.Request) workload.Prediction
}

// ownRule is a Rule of this package.
type ownRule struct {
	name  string
	paper bool // it is one of Sonmez and others (2009)
	rule
}

var _ opt.Adjustable[Rule] = ownRule{}

func (r ownRule) Name() string { return r.name }

func (r ownRule) Parameters() any { return r.rule }

func (r ownRule) With(parameters any) Rule {
	r.rule = parameters.(rule)
	return r
}

func (r ownRule) New() (Predictor, error) { return newClassed(r, Classes{Name: "all"}) }

// custom is the history of a class by a Rule from elsewhere, or of all jobs by one Predictor.
type custom struct {
	Predictor
	rule Rule   // nil for one Predictor
	name string // for messages
	free bool   // its predictions may be anything
	err  *error // the first one of any class, after which there are no predictions
}

func (c custom) fresh() history {
	if c.rule == nil {
		return c
	}
	p, err := c.rule.New()
	if err == nil && p == nil {
		err = errors.New("the rule created no predictor")
	}
	if err != nil {
		c.fail("job runtime: %s: %w", c.name, err)
		return c // as it is: the replay ends
	}
	c.Predictor = p
	return c
}

func (c custom) observe(j *workload.Job) {
	c.Observe(*j)
	c.check()
}

func (c custom) predict(r *workload.Request) workload.Prediction {
	p, ok := c.Predict(*r)
	c.check()
	if !ok {
		return nothing()
	}
	if !c.free && !isTime(p.Seconds) {
		c.fail("job runtime: %s predicts %g s for %s, want a finite number of 0 or more, or no prediction", c.name, p.Seconds, r.Label())
	}
	return p
}

// check keeps the error for which the predictor cannot go on.
func (c custom) check() {
	if f, ok := c.Predictor.(Fallible); ok && f.Err() != nil {
		c.fail("%w", f.Err())
	}
}

func (c custom) fail(format string, args ...any) {
	if *c.err == nil {
		*c.err = fmt.Errorf(format, args...)
	}
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

// fromJobs is the prediction from n jobs; none from none.
func fromJobs(n int, seconds float64) workload.Prediction {
	if n == 0 {
		return nothing()
	}
	return workload.Prediction{Seconds: seconds, Observations: n}
}

// isTime reports whether t can be a run time in seconds.
func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// requestedTime is the user's estimate of the run time, false where there is none.
func requestedTime(r *workload.Request) (float64, bool) { return r.Time, r.Time > 0 && isTime(r.Time) }
