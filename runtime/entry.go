package runtime

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Entry is one predictor of a replay: a rule with its classes, or a custom predictor.
type Entry struct {
	Predictor string  // name of one of Rules, with its parameters if any: see RuleNamed
	Classes   Classes // classification of jobs: a request is predicted from its class
	Rules     []Rule  // rules that Predictor can name; nil means Rules()
	// Fallback contains coarser classifications to use, in this order, if the predictor
	// has no prediction from the request's class in Classes, because no job of it has ended
	// or, for quantile, too few have.
	Fallback []Classes
	// Own is a custom predictor. Predictor and Classes.Name are then only its
	// labels, and Rules and Fallback are not used. It keeps what it learns, so each
	// replay needs a new one.
	Own Predictor
	// Unchecked passes on the predictions of Own unchanged. Otherwise a prediction that is
	// negative or infinite ends the replay with an error.
	Unchecked bool
}

// FallbackName is the name of the classes of an entry with a fallback.
const FallbackName = "fallback"

const kernelName = "kernel"

// KernelAbsolute names the kernel that minimises the absolute error.
const KernelAbsolute = kernelName + "(for=absolute)"

// Entries returns an entry for each of the predictors with each of the classes, with the
// classes in the outer loop; an empty list means those of Sonmez and others (2009). A kernel
// makes its own classes, so it comes once, last, with the classes "all". "kernel" also adds
// KernelAbsolute, so that each score has a prediction that is best for it. chained has one
// entry for each of the other predictors: it predicts a job from the last of the classes that
// has a prediction, so that few jobs go without one. The grouping defines the words "class"
// and "kind". An unknown name or a parameter out of range is a *workload.OptionError.
func Entries(g workload.Grouping, classes, predictors []string, rules []Rule) (entries, chained []Entry, err error) {
	if len(classes) == 0 {
		classes = ClassesNames()
	}
	if len(predictors) == 0 {
		predictors = PaperPredictorNames()
	}
	coarser := make([]Classes, len(classes)) // in reverse order
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
