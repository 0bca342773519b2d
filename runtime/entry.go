package runtime

// Entry is one predictor of a replay: one of this package's by its name, or
// one from outside.
type Entry struct {
	Predictor string
	Classes   Classes
	Options   Options
	// Own is a predictor from outside; Predictor and Classes.Name are then its
	// labels, and Options is not used.
	Own Predictor
}

// Entries returns every given predictor under every given way of classing, the
// classes in the outer loop; no names stand for all there are. An unknown name
// or an option out of range is an error.
func Entries(classes, predictors []string, o Options) ([]Entry, error) {
	if len(classes) == 0 {
		classes = ClassesNames()
	}
	if len(predictors) == 0 {
		predictors = PredictorNames()
	}
	var entries []Entry
	for _, name := range classes {
		c, err := ClassesByName(name)
		if err != nil {
			return nil, err
		}
		for _, p := range predictors {
			if _, err := newRule(p, o); err != nil {
				return nil, err
			}
			entries = append(entries, Entry{Predictor: p, Classes: c, Options: o})
		}
	}
	return entries, nil
}
