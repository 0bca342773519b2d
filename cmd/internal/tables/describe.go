package tables

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// The sections of a description.
const (
	SummarySection  = "summary"
	columnsSection  = "columns"
	KnownSection    = "known"
	ArrivalsSection = "arrivals"
	LoadSection     = "load"
	burstsSection   = "bursts"
	SizesSection    = "sizes"
)

var (
	Sections        = []string{SummarySection, columnsSection, KnownSection, ArrivalsSection, LoadSection, burstsSection, SizesSection}
	defaultSections = []string{SummarySection, columnsSection}
)

// describeSection is one section in its forms but JSON, which has the whole.
type describeSection struct {
	title  string        // empty for the first, which needs none
	words  string        // before the table
	people present.Table // its head is empty where there is none
	after  []string      // lines after it
	csv    present.Table
}

func (s describeSection) writeTo(w *present.Screen) {
	if s.title != "" {
		w.Printf("%s\n", s.title)
	}
	w.Printf("%s", s.words)
	if len(s.people.Head) > 0 {
		w.Table(s.people)
	}
	for _, line := range s.after {
		w.Printf("\n%s\n", line)
	}
}

// quantilesBy says how quantiles were found that are not exact.
func (s *describeSection) quantilesBy(method string) {
	if method != "" && method != "exact" {
		s.after = append(s.after, "Quantiles: "+method+".")
	}
}

// sectionOf makes the forms of each section.
var sectionOf = map[string]func(*inspect.Description) describeSection{
	SummarySection: summaryOf, columnsSection: columnsOf, KnownSection: knownOf, ArrivalsSection: arrivalsOf,
	LoadSection: loadOf, burstsSection: burstsOf, SizesSection: sizesOf,
}

// Description is a description in its three forms. Without sections they are
// the default ones, or the summary before a breakdown.
func Description(d *inspect.Description, sections []string) present.Result {
	switch {
	case len(sections) == 0 && d.By != nil:
		sections = []string{SummarySection}
	case len(sections) == 0:
		sections = defaultSections
	}
	var shown []describeSection
	for _, name := range Sections {
		if slices.Contains(sections, name) {
			shown = append(shown, sectionOf[name](d))
		}
	}
	csv := columnsOf(d).csv
	if len(sections) == 1 {
		csv = shown[0].csv
	}
	if d.By != nil {
		by := byOf(d)
		shown = append(shown, by)
		csv = by.csv
	}
	text := func(w *present.Screen) {
		for i, s := range shown {
			if i > 0 {
				w.Printf("\n")
			}
			s.writeTo(w)
		}
	}
	return present.Result{Text: text, JSON: d, CSV: csv}
}
