package model

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The names of the published models.
//
// The lublin1999 models have the constants of the program of Lublin and Feitelson of 1999
// (m_lublin99.c), which writes queue 0 for interactive and queue 1 for batch jobs and allows ln
// run times up to 12 and ln interarrival times up to 13. The program's share of powers of two is
// a share of all jobs, the model's a share of the parallel ones. All are for a machine of 128
// processors, 2 to the power of the upper end of the batch jobs' sizes. The interactive class
// comes first because, of two simultaneous jobs, the program writes the interactive one first.
//
// lublin2003 is the representative model of the paper: the rows MODEL of tables 1, 5, 6 and 7 and
// the rows AVERAGE of table 2, in the paper's rounding. Where the paper leaves a value open, that
// of the program is used: the limits e^12 s of run times and e^13 s of interarrival times. ARAR,
// which the paper calls rather close to 1, is 1. Table 1's lower end is log2 of the smallest
// parallel size, 2, less 0.2. Table 2's first shape is the printed 4.20, which the program has
// too; the geometric mean of that row is 4.28.
//
// downey1997 is the workload of Downey (1997), "Using queue time predictions for processor
// allocation", sections 2.2 and 4: 128 processors, sequential lifetimes uniform-log on [e^2,
// e^12] s, average parallelism uniform-log on [1, 128], sigma uniform on [0, 2], Poisson arrivals
// in a day of 12 hours and none at night, at an offered load of 0.75 in the daytime (half of that
// over whole days, in which the mean interarrival time is doubled). The day is the first half of
// 24 hours: the number of a job's day is its submission time divided by 86,400 s, rounded down,
// and the remainder is the time since the beginning of that day. (In the paper a night lasts
// until all queued jobs have been scheduled, so that the next morning follows from the schedule;
// a study that simulates scheduling has to shift the days.) In downey1997-rigid the size of each
// job is its average parallelism, rounded up.
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
	Name   string `json:"name" show:"name"`
	What   string `json:"what" show:"what"`
	Source string `json:"source" show:"source" narrow:"1"`
}

// Catalog returns the published models: the presets and the model of users.
func Catalog() List {
	list := List{Schema: CatalogSchema}
	text, err := presetFiles.ReadFile("presets/catalog.json")
	if err == nil {
		err = json.Unmarshal(text, &list.Models)
	}
	if err != nil {
		panic(err) // the embedded file is not valid
	}
	return list
}

// Presets returns the names of the published models of this package.
func Presets() (names []string) {
	for _, e := range Catalog().Models {
		if e.Name != Demo {
			names = append(names, e.Name)
		}
	}
	return names
}

// PresetFile returns the model file of a preset; nil if there is no preset of that name.
func PresetFile(name string) []byte {
	text, err := presetFiles.ReadFile("presets/" + name + ".json")
	if err != nil || name == "catalog" {
		return nil
	}
	return text
}

// Preset returns a published model. An unknown name is an error that lists the known ones.
func Preset(name string) (Site, error) {
	if !slices.Contains(Presets(), name) {
		return Site{}, fmt.Errorf("model: no preset %q, want one of %s", name, strings.Join(Presets(), ", "))
	}
	return Decode(name, PresetFile(name))
}
