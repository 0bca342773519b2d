package tables

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// mostNoted is the largest number of classes of a model for which the warnings of each
// class become remarks.
const mostNoted = 3

// ModelRemarks returns the warnings of the fits of a site's classes; none if there are more
// than mostNoted classes.
func ModelRemarks(r *site.Result) []view.Remark {
	if r.Site == nil || len(r.Site.Classes) > mostNoted { // the report has the warnings
		return nil
	}
	var all []view.Remark
	for _, c := range r.Site.Classes {
		for _, w := range c.Warnings {
			all = append(all, view.Remark{Text: fmt.Sprintf("%s (%s)", w, c.Name)})
		}
		if caution := c.Arrivals.Cycle.Caution(); caution != "" {
			all = append(all, view.Remark{Warning: true, Text: fmt.Sprintf("%s (%s)", caution, c.Name)})
		}
	}
	return all
}

// FitRemarks returns the remarks on jobs left out of fits and the warnings of fits, each once
// for all fits it applies to. Remarks that differ only in their leading number are merged:
// "30, 20, 10 jobs lie ... (a; b; c)".
func FitRemarks(r *site.Result) []view.Remark {
	var all []view.Remark
	var texts []string
	fits := map[string][]string{}    // names of fits, by text without its leading number
	numbers := map[string][]string{} // leading numbers for these fits, by the same text
	add := func(f fit.Report, text string) {
		number := leadingNumber.FindString(text)
		text = text[len(number):]
		name := f.Family
		if f.Attribute != fit.RunTime || f.By != "all" {
			name += fmt.Sprintf(" of %s, %s", f.Attribute, f.By)
		}
		if len(fits[text]) == 0 {
			texts = append(texts, text)
		}
		fits[text] = append(fits[text], name)
		numbers[text] = append(numbers[text], number)
	}
	for _, f := range r.Fits {
		for _, l := range f.LeftOut {
			add(f, fmt.Sprintf("%d %s left out: %s", l.Jobs, words.Noun(int(l.Jobs), "job"), l.Why))
		}
		for _, text := range f.Warnings {
			add(f, text)
		}
	}
	if len(r.Fits) > 0 && r.Fits[0].KS.Method == stats.NoPValue {
		all = append(all, view.Remark{Text: "the KS distance has no p-value: --replicates 199 computes one"})
	}
	for _, text := range texts {
		of, fits := numbers[text], fits[text]
		if len(slices.Compact(slices.Clone(of))) == 1 {
			of = of[:1]
		} else {
			of = of[:min(len(of), mostFits)] // only those of the fits that are named
		}
		all = append(all, view.Remark{Text: strings.Join(of, ", ") + text + " (" + fitsWords(fits, len(r.Fits)) + ")"})
	}
	return all
}

var leadingNumber = regexp.MustCompile(`^[0-9]*`)

// mostFits is the largest number of fits that a remark names.
const mostFits = 4

// fitsWords describes some of n fits in words: "all fits", or the first few by name.
func fitsWords(names []string, n int) string {
	switch {
	case len(names) == n && n > 1:
		return "all fits"
	case len(names) > mostFits:
		rest := len(names) - mostFits
		return fmt.Sprintf("%s and %d other %s", strings.Join(names[:mostFits], "; "), rest, words.Noun(rest, "fit"))
	}
	return strings.Join(names, "; ")
}

// LoadRemarks returns a remark that compares the model's offered load with the log's; a warning
// if they differ by more than 10 %. It returns none if the log's load is unknown.
func LoadRemarks(r *site.Result) []view.Remark {
	load := r.OfferedLoad()
	if math.IsNaN(load) {
		return nil
	}
	const near = 0.1 // relative difference that does not matter
	made := r.Model.OfferedLoad()
	return []view.Remark{{
		Warning: math.Abs(made-load) > near*load,
		Text:    fmt.Sprintf("offered load: %.3f in the log, %.3f in the model; 'loadstone generate --load R' scales the arrivals", load, made),
	}}
}

// CheckRemarks returns remarks on the waits of jobs drawn from a model; none if c is nil, that
// is, if the model was not checked.
func CheckRemarks(c *model.Check) []view.Remark {
	if c == nil {
		return nil
	}
	wait, how, _ := strings.Cut(strings.TrimSuffix(c.String(), ")"), " (")
	return []view.Remark{{Warning: c.Off(), Text: wait}, {Text: how}}
}
