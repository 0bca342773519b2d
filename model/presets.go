package model

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The published models that are named in Go.
//
// The lublin1999 models have the constants of the program of Lublin and Feitelson of 1999
// (m_lublin99.c), which writes queue 0 for interactive and queue 1 for batch jobs and allows ln
// run times up to 12 and ln interarrival times up to 13. The program's share of powers of two is
// of all jobs, the model's of the parallel ones. All are for a machine of 128 processors, 2 to
// the power of the upper end of the batch jobs' sizes. The interactive class is first: of two
// jobs of one instant the interactive one is, too, in the program.
//
// lublin2003 is the representative model of the paper: the rows MODEL of tables 1, 5, 6 and 7
// and the rows AVERAGE of table 2, in the paper's rounding. Of what the paper leaves open it
// takes what the program does: the limits e^12 s of run times and e^13 s of interarrival times;
// ARAR, which the paper calls rather close to 1, is 1. Table 1's lower end is log2 of the
// smallest parallel size, 2, less 0.2. Table 2's first shape is the printed 4.20, which the
// program has too; its row's geometric mean is 4.28.
//
// lublin2003-work draws the total work by table 3's average model and divides it by the speedup,
// here linear: size times run time is how the paper defines the work, which it calls akin to an
// assumption of ideal speedup. Two cells of the printed row do not follow from the rows above it
// and are taken from those: the first shape, printed 10.74, has the geometric mean 10.34, and
// the second scale, printed 0.37, has 0.302 (the printed one puts the upper mode at e^14
// processor seconds, above all four logs').
//
// downey1997 is the workload of Downey (1997), "Using queue time predictions for processor
// allocation", sections 2.2 and 4: 128 processors, sequential lifetimes uniform-log on
// [e^2, e^12] s, average parallelism uniform-log on [1, 128], sigma uniform on [0, 2], Poisson
// arrivals in a day of 12 hours and none at night, at the offered load 0.75 of the daytime (half
// of that over whole days, of which the mean interarrival time is twice that of the day). The
// day is the first half of 24 hours: a job's day is its submission divided by 86,400 s, rounded
// down, and what is left is its offset in the day. (In the paper a night lasts until all queued
// jobs have been scheduled, so that the next morning follows from the schedule; a study that
// schedules moves the days.) In downey1997-rigid each job is on its average parallelism, rounded
// up.
//
// Demo is the published model of users, which package model/population reads.
const (
	Lublin1999        = "lublin1999"
	Lublin1999Batch   = "lublin1999-batch"
	Lublin1999Untyped = "lublin1999-untyped"
	Lublin2003        = "lublin2003"
	Downey1997        = "downey1997"
	Demo              = "demo"
)

// presetFiles has the published models; those that are not ready, the templates, have null for
// each field that the user has to supply, and a second file with a line for each of these
// fields: its path and its meaning with a tab between.
//
// The sizes of feitelson1996 are harmonic of order 1.5 on 128 processors, without the
// tuning by hand of small sizes and powers of two. jann1997 has a class for every range
// of sizes by powers of two, for the 322 nodes of the log that the model was made of;
// interarrival and run times are hyper-Erlang of common order: two Gammas of seconds of
// one whole shape, the order, with the rates' reciprocals as scales.
//
//go:embed presets
var presetFiles embed.FS

// CatalogSchema names the JSON form of List and its version.
const CatalogSchema = "loadstone.models/1"

// List contains the published models.
type List struct {
	Schema string  `json:"schema"`
	Models []Entry `json:"models"`
}

// Entry describes one model of a List.
type Entry struct {
	Name    string   `json:"name" show:"name"`
	What    string   `json:"what" show:"what"`
	Source  string   `json:"source" show:"source" narrow:"1"`
	Ready   bool     `json:"ready"`                                              // false: a template
	Missing []string `json:"missing,omitempty" row:"words" show:"missing,count"` // paths of the fields that the user of a template has to supply
}

// Catalog returns the published models: the presets, the model of users and the templates.
func Catalog() List {
	list := List{Schema: CatalogSchema}
	text, err := presetFiles.ReadFile("presets/catalog.json")
	if err == nil {
		err = json.Unmarshal(text, &list.Models)
	}
	if err != nil {
		panic(err) // the embedded file
	}
	for i := range list.Models {
		for _, m := range Template(list.Models[i].Name) {
			list.Models[i].Missing = append(list.Models[i].Missing, m.Path)
		}
	}
	return list
}

// Presets returns the names of the published models of this package that are complete.
func Presets() []string {
	return named(func(e Entry) bool { return e.Ready && e.Name != Demo })
}

// Templates returns the names of the published models whose published parameters are incomplete.
func Templates() []string { return named(func(e Entry) bool { return !e.Ready }) }

func named(has func(Entry) bool) (names []string) {
	for _, e := range Catalog().Models {
		if has(e) {
			names = append(names, e.Name)
		}
	}
	return names
}

// PresetFile returns the file of a preset, or of a template with null for each field that is
// missing, which Decode refuses; nil for another name.
func PresetFile(name string) []byte {
	text, err := presetFiles.ReadFile("presets/" + name + ".json")
	if err != nil || name == "catalog" {
		return nil
	}
	return text
}

// Preset returns a published model. An unknown name is an error that lists
// the known ones, and the name of a template a *TemplateError.
func Preset(name string) (Site, error) {
	if missing := Template(name); missing != nil {
		return Site{}, &TemplateError{name, missing}
	}
	if !slices.Contains(Presets(), name) {
		return Site{}, fmt.Errorf("model: no preset %q, want one of %s", name, strings.Join(append(Presets(), Templates()...), ", "))
	}
	return Decode(name, PresetFile(name))
}

// Missing is a field of a template that the user has to supply.
type Missing struct {
	Path    string // such as "classes[0].arrivals.interarrival.parameters.mean"
	Meaning string
}

// Template returns the fields that a template lacks, in the order of the file; nil for the name
// of another model.
func Template(name string) (missing []Missing) {
	lines, _ := presetFiles.ReadFile("presets/" + name + ".missing")
	for line := range strings.Lines(string(lines)) {
		path, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		missing = append(missing, Missing{path, meaning})
	}
	return missing
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
