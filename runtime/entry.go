package runtime

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Entry is one predictor of a replay: one of this package's by its name, or
// one from outside.
type Entry struct {
	Predictor string  // one of PredictorNames, or a rule of Options.Rules
	Classes   Classes // the jobs from which a request is predicted
	Options   Options // constants of the predictor; the zero value is the default
	// Fallback are coarser classes to ask, in this order, where the predictor
	// has nothing from jobs of the request's class in Classes: none has ended,
	// or too few for quantile.
	Fallback []Classes
	// Estimate takes the user's estimate (Request.Time) where there is still no
	// prediction.
	Estimate bool
	// Own is a custom predictor; Predictor and Classes.Name are then its
	// labels, whatever columns the log has, and Options, Fallback and Estimate are not used. It keeps what it learns, so
	// each replay needs a new one.
	Own Predictor
	// Unchecked passes on the predictions of Own as they are; otherwise one that is
	// negative or infinite ends the replay with an error.
	Unchecked bool
}

// Entries returns every given predictor under every given way of classing, the
// classes in the outer loop; no names stand for those of Sonmez and others
// (2009). Kernel makes its own classes, so that it comes once, last, under the
// classes "all". An unknown name or an option out of range is a *workload.OptionError.
func Entries(classes, predictors []string, o Options) ([]Entry, error) {
	return EntriesOf(workload.Grouping{}, classes, predictors, o)
}

// EntriesOf is Entries with what the grouping says of the words "class" and
// "kind".
func EntriesOf(g workload.Grouping, classes, predictors []string, o Options) ([]Entry, error) {
	if len(classes) == 0 {
		classes = ClassesNames()
	}
	var entries []Entry
	for _, name := range classes {
		c, err := ClassesOf(name, g)
		if err != nil {
			return nil, err
		}
		more, err := entriesOf(Entry{Classes: c, Options: o}, predictors)
		if err != nil {
			return nil, err
		}
		entries = append(entries, more...)
	}
	if slices.Contains(predictors, KernelName) {
		entries = append(entries, Entry{Predictor: KernelName, Classes: Classes{Name: "all"}, Options: o})
	}
	return entries, nil
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
func FallbackEntries(label string, chain, predictors []string, o Options) ([]Entry, error) {
	return FallbackEntriesOf(workload.Grouping{}, label, chain, predictors, o)
}

// FallbackEntriesOf is FallbackEntries with a grouping, as EntriesOf has it.
func FallbackEntriesOf(g workload.Grouping, label string, chain, predictors []string, o Options) ([]Entry, error) {
	e := Entry{Options: o}
	if n := len(chain); n > 1 && chain[n-1] == "estimate" {
		chain, e.Estimate = chain[:n-1], true
	}
	if len(chain) == 0 {
		chain = FallbackClasses()
	}
	for i, name := range chain {
		if name == "estimate" {
			return nil, workload.OptionFault("fallback", fmt.Sprintf("\"estimate\" as its link %d", i+1), "it after classes and last: it is the user's own")
		}
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
	return entriesOf(e, predictors)
}

// entriesOf returns e with each of the predictors but Kernel.
func entriesOf(e Entry, predictors []string) ([]Entry, error) {
	if len(predictors) == 0 {
		predictors = PaperPredictorNames()
	}
	var entries []Entry
	for _, e.Predictor = range predictors {
		if e.Predictor == KernelName {
			continue
		}
		if _, err := newRule(e.Predictor, e.Options); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
