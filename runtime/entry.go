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

// FallbackName is the name of the classes of an entry with a fallback.
const FallbackName = "fallback"

const kernelName = "kernel"

// KernelAbsolute names the predictor of the smallest absolute error.
const KernelAbsolute = kernelName + "(for=absolute)"

// Entries returns every given predictor under every given way of classing, the
// classes in the outer loop; no names stand for those of Sonmez and others
// (2009). Kernel makes its own classes, so that it comes once, last, under the
// classes "all"; "kernel" stands for KernelAbsolute too, so that each score has the
// prediction that is best for it. Of the others chained has one entry each, in which a job is predicted by the
// last of the predictor's classes of which a job has ended, so that few go without. The
// grouping says what the words "class" and "kind" stand for. An unknown name or a parameter
// out of range is a *workload.OptionError.
func Entries(g workload.Grouping, classes, predictors []string, rules []Rule) (entries, chained []Entry, err error) {
	if len(classes) == 0 {
		classes = ClassesNames()
	}
	if len(predictors) == 0 {
		predictors = PaperPredictorNames()
	}
	coarser := make([]Classes, len(classes)) // the last first
	for i, name := range classes {
		if coarser[len(classes)-1-i], err = ClassesOf(name, g); err != nil {
			return nil, nil, err
		}
	}
	var alone []Entry
	for i, c := range slices.Backward(coarser) {
		for _, predictor := range predictors {
			rule, err := RuleNamed(predictor, rules)
			e := Entry{Predictor: predictor, Classes: c, Rules: rules}
			switch {
			case err != nil:
				return nil, nil, err
			case HasClasses(rule):
				entries = append(entries, e)
				if i == 0 {
					e.Classes, e.Fallback = Classes{FallbackName, c.By}, coarser[1:]
					chained = append(chained, e)
				}
			case i == 0:
				e.Classes = Classes{Name: "all"}
				alone = append(alone, e)
				if predictor == kernelName && !slices.Contains(predictors, KernelAbsolute) {
					e.Predictor = KernelAbsolute
					alone = append(alone, e)
				}
			}
		}
	}
	return append(entries, alone...), chained, nil
}
