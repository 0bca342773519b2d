package workload

import "fmt"

// Warning is something to know of an input or of a result, that did not stop the
// work: how often it was seen, and where first.
type Warning struct {
	Rule  string `json:"rule"` // short name, for example "submit-order"
	Text  string `json:"text"` // what is odd, in words
	Count int64  `json:"count"`
	Line  int64  `json:"line,omitempty"` // line, or row where the format has no lines, of the first
	Saw   string `json:"saw,omitempty"`  // what stood there
	// About names the input, in results of several.
	About string `json:"about,omitempty"`
	// SawAll tells that Saw lists everything that was counted, not only the first.
	SawAll bool `json:"-"`
}

// String returns the warning for people, such as "jobs with a run time of 0: kept; 8
// times, first in line 2476: 0 (zero-run-time)".
func (w Warning) String() string {
	s := w.Text
	if w.SawAll {
		s += ": " + w.Saw
	} else if w.Count != 1 || w.Line > 0 || w.Saw != "" { // else it is of the whole log
		s += "; " + w.times()
		if w.Line > 0 {
			s += fmt.Sprintf(" in line %d", w.Line)
		}
		if w.Saw != "" {
			s += ": " + w.Saw
		}
	}
	return s + " (" + w.Rule + ")"
}

func (w Warning) times() string {
	switch {
	case w.Count == 1:
		return "once"
	case w.Line > 0 || w.Saw != "":
		return fmt.Sprintf("%d times, first", w.Count)
	}
	return fmt.Sprintf("%d times", w.Count)
}

// Warnings counts oddities by rule, in the order in which each rule was first
// met. The zero value is ready for use.
type Warnings struct {
	list []Warning
}

// Add counts one oddity. line is 0 where it is not known.
func (w *Warnings) Add(rule, text string, line int64, saw string) {
	w.Count(Warning{Rule: rule, Text: text, Count: 1, Line: line, Saw: saw})
}

// Merge counts those of a later part of the same input.
func (w *Warnings) Merge(later *Warnings) {
	for _, x := range later.list {
		w.Count(x)
	}
}

// Count counts x.Count oddities of the rule of x. Text, line and what was seen
// are those of the first.
func (w *Warnings) Count(x Warning) {
	for i := range w.list {
		if w.list[i].Rule == x.Rule {
			w.list[i].Count += x.Count
			return
		}
	}
	w.list = append(w.list, x)
}

// Has reports whether a rule has been met.
func (w *Warnings) Has(rule string) bool {
	for i := range w.list {
		if w.list[i].Rule == rule {
			return true
		}
	}
	return false
}

// List returns what was counted; it is not to be altered.
func (w *Warnings) List() []Warning { return w.list }
