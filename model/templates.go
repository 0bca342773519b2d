package model

import (
	"embed"
	"fmt"
	"strings"
)

// The names of templates: models whose published parameters are incomplete.
// Missing parameters are null in the text, and the user has to supply them.
const (
	Poisson       = "poisson"
	Feitelson1996 = "feitelson1996"
	Jann1997      = "jann1997"
)

// Templates returns the names of all templates.
func Templates() []string { return []string{Feitelson1996, Jann1997, Poisson} }

// templateFiles has two files for each template: the text, and a line for each missing
// field, its path and its meaning with a tab between.
//
// The sizes of feitelson1996 are harmonic of order 1.5 on 128 processors, without the
// tuning by hand of small sizes and powers of two. jann1997 has a class for every range
// of sizes by powers of two, for the 322 nodes of the log that the model was made of;
// interarrival and run times are hyper-Erlang of common order: two Gammas of seconds of
// one whole shape, the order, with the rates' reciprocals as scales.
//
//go:embed templates
var templateFiles embed.FS

// Missing is a field of a template that the user has to supply.
type Missing struct {
	Path    string // such as "classes[0].arrivals.interarrival.parameters.mean"
	Meaning string
}

// Template returns the text of a model file with null for each field that is
// missing, which Decode refuses, and what these fields mean, in the order of
// the file. ok is false for an unknown name.
func Template(name string) (text string, missing []Missing, ok bool) {
	file, err := templateFiles.ReadFile("templates/" + name + ".json")
	if err != nil {
		return "", nil, false
	}
	lines, err := templateFiles.ReadFile("templates/" + name + ".missing")
	for line := range strings.Lines(string(lines)) {
		path, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		missing = append(missing, Missing{path, meaning})
	}
	return string(file), missing, err == nil
}

// TemplateError is the error for the name of a template, with the missing
// fields.
type TemplateError struct {
	Name    string
	Missing []Missing
}

func (e *TemplateError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: %s is a template: its parameters are not all published where they could be had, and are not invented; missing:", e.Name)
	for i, m := range e.Missing {
		if i == 4 && len(e.Missing) > 6 {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Missing)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", m.Path, m.Meaning)
	}
	return b.String()
}
