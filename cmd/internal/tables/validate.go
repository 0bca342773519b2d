package tables

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// Validation is the result in its three forms.
func Validation(v inspect.Validation) view.Result {
	return view.Result{Text: func(w *view.Screen) { w.Printf("%s", prose.Text("validate", validated{&v})) }, JSON: v, CSV: view.CSV(v.Findings)}
}

// validated is what the template of prose/validate.txt is given: the findings, then their
// places as an editor jumps to them, then what was not checked.
type validated struct{ *inspect.Validation }

// Table is the findings.
func (v validated) Table() view.Table {
	what := view.Cell[inspect.Finding]{Heading: "what", Text: func(f inspect.Finding) string {
		if f.Note == "" {
			return f.Words
		}
		return f.Words + " (" + f.Note + ")"
	}}
	return view.For(v.Findings).With(what).Table()
}

// HasPlaces says whether a finding has a place.
func (v validated) HasPlaces() bool {
	return slices.ContainsFunc(v.Findings, func(f inspect.Finding) bool { return len(f.Places) > 0 })
}

// unchecked are the rules that were not checked for a reason, and the keywords that the
// header does not have for them.
type unchecked struct {
	Why            string
	Rules, Missing []string
}

// Unchecked gathers the rules that share a reason.
func (v validated) Unchecked() []*unchecked {
	var all []*unchecked
	for _, n := range v.NotChecked {
		why := n.Why
		if n.Missing != "" {
			why = "the header has no"
		}
		i := slices.IndexFunc(all, func(u *unchecked) bool { return u.Why == why })
		if i < 0 {
			i = len(all)
			all = append(all, &unchecked{Why: why})
		}
		u := all[i]
		u.Rules = append(u.Rules, n.Rule)
		if n.Missing != "" && !slices.Contains(u.Missing, n.Missing) {
			u.Missing = append(u.Missing, n.Missing)
		}
	}
	return all
}

// Removable are the rules whose jobs filters of 'loadstone clean' remove, and the filters.
func (v validated) Removable() (removable struct{ Rules, Filters []string }) {
	for _, f := range v.Findings {
		if filter := cleanFilter(f, v.Validation); filter != "" {
			removable.Rules, removable.Filters = append(removable.Rules, f.Rule), append(removable.Filters, "--filter '"+filter+"'")
		}
	}
	return removable
}

// WithoutWaits says whether no wait is known.
func (v validated) WithoutWaits() bool {
	return slices.ContainsFunc(v.Findings, func(f inspect.Finding) bool { return f.Rule == "wait-unknown" && f.Count == v.Log.Jobs })
}

// cleanFilters are the filters of 'loadstone clean' that remove the jobs of a rule.
var cleanFilters = map[string]string{
	"submit-unknown":         "submit=unknown",
	"run-unknown":            "run=unknown",
	"size-unknown":           "size=unknown",
	"job-duplicate":          "duplicates by=id",
	"status-part":            "partials",
	"status-range":           "status!=0..5,unknown",
	"failed-at-start":        "failed-at-start",
	"ran-without-processors": "proc=0 and (run>0 or status=1)",
}

// cleanFilter is the filter of 'loadstone clean' that removes the jobs of a finding of
// 'loadstone validate'; "" if there is none.
func cleanFilter(f inspect.Finding, v *inspect.Validation) string {
	switch {
	case f.Rule == "allocated-over-machine" && v.Log.Processors.Known():
		return "proc>" + strconv.FormatInt(int64(v.Log.Processors), 10)
	case strings.HasPrefix(f.Rule, "negative-"):
		return f.Field + "<0"
	}
	return cleanFilters[f.Rule]
}
