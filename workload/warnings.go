package workload

import "fmt"

// Warning reports something about an input or a result that did not stop the work: how often it
// occurred, and where first.
type Warning struct {
	Rule  string `json:"rule" help:"A short name of the warning."`
	Text  string `json:"text" help:"The warning in words."`
	Count int64  `json:"count" help:"How often it was seen."`
	Line  int64  `json:"line,omitempty" help:"The line of an input file where it was seen first."`
	Saw   string `json:"saw,omitempty" help:"The text found there."`
	About string `json:"about,omitempty" help:"The input that it is about."`
	// SawAll is true if Saw lists everything that was counted, not only the first.
	SawAll bool `json:"-"`
}

// String returns the warning for people, such as "jobs with a run time of 0: kept; 8
// times, first in line 2476: 0 (zero-run-time)".
func (w Warning) String() string {
	s := w.Text
	if w.SawAll {
		s += ": " + w.Saw
	} else if w.Count != 1 || w.Line > 0 || w.Saw != "" { // otherwise it concerns the whole log
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

// WarningsAbout returns copies of warnings with their input in About, for results of several
// inputs.
func WarningsAbout(input string, warnings []Warning) []Warning {
	var out []Warning
	for _, w := range warnings {
		w.About = input
		out = append(out, w)
	}
	return out
}

// Warnings counts problems by rule, in the order in which each rule first occurred. The
// zero value is ready for use.
type Warnings struct {
	list []Warning
}

// Add counts one problem. line is 0 if it is unknown.
func (w *Warnings) Add(rule, text string, line int64, saw string) {
	w.Count(Warning{Rule: rule, Text: text, Count: 1, Line: line, Saw: saw})
}

// Merge adds the warnings of a later part of the same input, which may be nil.
func (w *Warnings) Merge(later *Warnings) {
	for _, x := range later.List() {
		w.Count(x)
	}
}

// MoveLines adds before, the number of lines before a part of an input, to the lines of the
// part's warnings.
func (w *Warnings) MoveLines(before int64) {
	for i := range w.list {
		w.list[i].Line += before
	}
}

// Count adds x.Count problems under the rule of x. Text, Line and Saw are those of the first. A
// nil w counts nothing.
func (w *Warnings) Count(x Warning) {
	if w == nil {
		return
	}
	for i := range w.list {
		if w.list[i].Rule == x.Rule {
			w.list[i].Count += x.Count
			return
		}
	}
	w.list = append(w.list, x)
}

// Has reports whether a problem of that rule was counted.
func (w *Warnings) Has(rule string) bool {
	for i := range w.list {
		if w.list[i].Rule == rule {
			return true
		}
	}
	return false
}

// List returns the warnings. The caller must not modify them.
func (w *Warnings) List() []Warning {
	if w == nil {
		return nil
	}
	return w.list
}
