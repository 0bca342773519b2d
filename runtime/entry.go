package runtime

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Entry is one predictor of a replay: one of this package's by its name, or
// one from outside.
type Entry struct {
	Predictor string  // one of Rules by its name, with its parameters if any: see RuleNamed
	Classes   Classes // the jobs from which a request is predicted
	Rules     []Rule  // among which the name is looked up; nil stands for Rules()
	// Fallback are coarser classes to ask, in this order, where the predictor
	// has nothing from jobs of the request's class in Classes: none has ended,
	// or too few for quantile.
	Fallback []Classes
	// Estimate takes the user's estimate (Request.Time) where there is still no
	// prediction.
	Estimate bool
	// Own is a custom predictor; Predictor and Classes.Name are then its
	// labels, whatever columns the log has, and Rules, Fallback and Estimate are not used. It
	// keeps what it learns, so each replay needs a new one.
	Own Predictor
	// Unchecked passes on the predictions of Own as they are; otherwise one that is
	// negative or infinite ends the replay with an error.
	Unchecked bool
}

// Entries returns every given predictor under every given way of classing, the
// classes in the outer loop; no names stand for those of Sonmez and others
// (2009). Kernel makes its own classes, so that it comes once, last, under the
// classes "all". The grouping says what the words "class" and "kind" stand for.
// An unknown name or a parameter out of range is a *workload.OptionError.
func Entries(g workload.Grouping, classes, predictors []string, rules []Rule) ([]Entry, error) {
	if len(classes) == 0 {
		classes = ClassesNames()
	}
	var entries, alone []Entry
	for _, name := range classes {
		c, err := ClassesOf(name, g)
		if err != nil {
			return nil, err
		}
		var more []Entry
		if more, alone, err = entriesOf(Entry{Classes: c, Rules: rules}, predictors); err != nil {
			return nil, err
		}
		entries = append(entries, more...)
	}
	return append(entries, alone...), nil
}

// FallbackClasses returns the classes that a fallback asks unless told otherwise,
// from the finest.
func FallbackClasses() []string {
	names := ClassesNames()
	slices.Reverse(names)
	return names
}

// FallbackEntries returns every given predictor (no names stand for those of
// the paper) with a chain of ways of classing, from the finest: a job is
// predicted by the first that predicts from jobs of its class that have ended,
// so that few go without. A chain's last word may be "estimate", the user's
// own; anywhere else it is an error. The classes of the entries are named
// label. Kernel falls back by itself and is left out.
func FallbackEntries(g workload.Grouping, label string, chain, predictors []string, rules []Rule) ([]Entry, error) {
	e := Entry{Rules: rules}
	chain, estimate, err := split(chain)
	if err != nil {
		return nil, err
	}
	if e.Estimate = estimate; len(chain) == 0 {
		chain = FallbackClasses()
	}
	for i, name := range chain {
		c, err := ClassesOf(name, g)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			e.Classes = Classes{label, c.By}
		} else {
			e.Fallback = append(e.Fallback, c)
		}
	}
	entries, _, err := entriesOf(e, predictors)
	return entries, err
}

// entriesOf returns e with each of the predictors, and those that make their own classes.
func entriesOf(e Entry, predictors []string) (entries, alone []Entry, err error) {
	if len(predictors) == 0 {
		predictors = PaperPredictorNames()
	}
	for _, e.Predictor = range predictors {
		r, err := RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return nil, nil, err
		}
		if HasClasses(r) {
			entries = append(entries, e)
		} else {
			alone = append(alone, Entry{Predictor: e.Predictor, Classes: Classes{Name: "all"}, Rules: e.Rules})
		}
	}
	return entries, alone, nil
}
