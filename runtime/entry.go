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
	// Own is a custom predictor; Predictor and Classes.Name are then its
	// labels, whatever columns the log has, and Rules and Fallback are not used. It
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
	if len(predictors) == 0 {
		predictors = PaperPredictorNames()
	}
	var entries, alone []Entry
	for i, name := range classes {
		c, err := ClassesOf(name, g)
		if err != nil {
			return nil, err
		}
		for _, predictor := range predictors {
			e := Entry{Predictor: predictor, Classes: c, Rules: rules}
			switch classed, err := e.hasClasses(); {
			case err != nil:
				return nil, err
			case classed:
				entries = append(entries, e)
			case i == 0:
				e.Classes = Classes{Name: "all"}
				alone = append(alone, e)
			}
		}
	}
	return append(entries, alone...), nil
}

func (e *Entry) hasClasses() (bool, error) {
	r, err := RuleNamed(e.Predictor, e.Rules)
	return err == nil && HasClasses(r), err
}

// Chained returns an entry for each predictor of some entries of Entries: a job is predicted
// by the last of the predictor's classes of which a job has ended, so that few go without.
// The classes of the new entries are named label. Kernel falls back by itself and is left out.
func Chained(entries []Entry, label string) (chained []Entry) {
	for _, e := range slices.Backward(entries) {
		if classed, _ := e.hasClasses(); !classed {
			continue
		}
		i := slices.IndexFunc(chained, func(c Entry) bool { return c.Predictor == e.Predictor })
		if i < 0 {
			chained = append(chained, Entry{Predictor: e.Predictor, Classes: Classes{label, e.Classes.By}, Rules: e.Rules})
			continue
		}
		chained[i].Fallback = append(chained[i].Fallback, e.Classes)
	}
	slices.Reverse(chained)
	return chained
}
