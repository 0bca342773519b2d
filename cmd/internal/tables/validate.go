package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// foundPlace is a row of CSV: a finding, and one of its places.
type foundPlace struct {
	of inspect.Finding
	at inspect.Place
}

var validateColumns = []present.Column[foundPlace]{
	present.Text("severity", "", func(f foundPlace) string { return string(f.of.Severity) }),
	present.Text("rule", "", func(f foundPlace) string { return f.of.Rule }),
	present.Integer("count", "", func(f foundPlace) workload.Integer { return workload.Integer(f.of.Count) }),
	present.Integer("line", "", func(f foundPlace) workload.Integer { return f.at.Line }),
	present.Integer("row", "", func(f foundPlace) workload.Integer { return f.at.Row }),
	present.Integer("job_id", "", func(f foundPlace) workload.Integer { return f.at.Job }),
	present.Text("field", "", func(f foundPlace) string { return f.at.Field }),
	present.Text("saw", "", func(f foundPlace) string { return f.at.Saw }),
	present.Text("want", "", func(f foundPlace) string { return f.at.Want }),
}

var findingColumns = []present.Column[inspect.Finding]{
	present.Text("", "severity", func(f inspect.Finding) string { return string(f.Severity) }),
	present.Text("", "rule", func(f inspect.Finding) string { return f.Rule }),
	present.Integer("", "count", func(f inspect.Finding) workload.Integer { return workload.Integer(f.Count) }),
	present.Text("", "of", func(f inspect.Finding) string { return f.Counts }),
	present.Text("", "what", func(f inspect.Finding) string {
		if f.Note == "" {
			return f.Words
		}
		return f.Words + " (" + f.Note + ")"
	}),
}

func Validation(v inspect.Validation) present.Result {
	var rows []foundPlace
	none := workload.Integer(workload.Unknown)
	for _, f := range v.Findings {
		for _, p := range f.Places {
			rows = append(rows, foundPlace{f, p})
		}
		if len(f.Places) == 0 {
			rows = append(rows, foundPlace{f, inspect.Place{Line: none, Row: none, Job: none, Field: f.Field}})
		}
	}
	return present.Result{Text: func(w *present.Screen) { writeValidation(w, v) }, JSON: v, CSV: present.CSV(validateColumns, rows)}
}

// writeValidation is for people: the findings, then their places as an editor
// jumps to them, then what was not checked.
func writeValidation(w *present.Screen, v inspect.Validation) {
	w.Message("%s (%s): %s, %s, %s\n", v.Log.Name, v.Log.Format, words.Counted(v.Log.Jobs, "job"), words.Counted(v.Faults, "fault"), words.Counted(v.Oddities, "oddity"))
	if len(v.Findings) > 0 {
		w.Printf("\n")
		w.Table(present.People(findingColumns, v.Findings))
	}
	gap := "\n"
	for _, f := range v.Findings {
		for _, p := range f.Places {
			w.Printf("%s", gap)
			w.Message("%s\n", placeText(v.Log.Name, f.Rule, p))
			gap = ""
		}
	}
	writeNotChecked(w, v.NotChecked)
	if len(v.Findings) > 0 {
		w.Message("\n%s\n", whatToDo(v))
		if slices.ContainsFunc(v.Findings, func(f inspect.Finding) bool { return f.Rule == "wait-unknown" && f.Count == v.Log.Jobs }) {
			w.Message("no wait is known; %s\n", present.HintSimulate)
		}
	}
}

// whatToDo says in a line how the jobs that were found are removed.
func whatToDo(v inspect.Validation) string {
	var rules, filters []string
	for _, f := range v.Findings {
		if filter := present.CleanFilter(f, &v); filter != "" {
			rules, filters = append(rules, f.Rule), append(filters, "--filter '"+filter+"'")
		}
	}
	if len(filters) == 0 {
		return "'loadstone clean' removes jobs by conditions of yours: 'loadstone clean --list' shows how; it does not correct values"
	}
	return fmt.Sprintf("to remove the jobs of %s: loadstone clean '%s' %s -o clean.swf", strings.Join(rules, ", "), v.Log.Name, strings.Join(filters, " "))
}

// writeNotChecked gives rules that share a reason a line together.
func writeNotChecked(w *present.Screen, ns []inspect.NotChecked) {
	var whys, missing []string
	rules := map[string][]string{}
	for _, n := range ns {
		why := n.Why
		if n.Missing != "" {
			why = "the header has no"
			if !slices.Contains(missing, n.Missing) {
				missing = append(missing, n.Missing)
			}
		}
		if rules[why] == nil {
			whys = append(whys, why)
		}
		rules[why] = append(rules[why], n.Rule)
	}
	gap := "\n"
	for _, why := range whys {
		names := strings.Join(rules[why], ", ")
		if why == "the header has no" {
			why += " " + strings.Join(missing, ", ")
		}
		w.Printf("%snot checked: %s: %s\n", gap, names, why)
		gap = ""
	}
}

// placeText is a place in the form of an error of the reader's.
func placeText(file, rule string, p inspect.Place) string {
	text := file
	switch {
	case p.Line.Known():
		text += fmt.Sprintf(":%d", p.Line)
	case p.Row.Known():
		text += fmt.Sprintf(": row %d", p.Row)
	}
	if p.Job.Known() {
		text += fmt.Sprintf(": job %d", p.Job)
	}
	if p.Field != "" {
		text += ": " + p.Field
	}
	var words []string
	if p.Saw != "" {
		words = append(words, "saw "+p.Saw)
	}
	if p.Want != "" {
		words = append(words, "want "+p.Want)
	}
	if len(words) > 0 {
		text += ": " + strings.Join(words, ", ")
	}
	return text + " [" + rule + "]"
}
