package model

// Demo names the published model of users, which package model/population reads.
const Demo = "demo"

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

// Catalog returns the presets, in the order of Presets, the model of users and the
// templates, in the order of Templates.
func Catalog() List {
	what := map[string]string{
		Lublin1999:            "interactive (queue 0) and batch jobs (queue 1), merged by time",
		Lublin1999Batch:       "the batch jobs alone",
		Lublin1999Interactive: "the interactive jobs alone",
		Lublin1999Untyped:     "one distribution for all jobs",
		Lublin2003:            "the paper's representative model, by its tables",
		Lublin2003Work:        "total work with a speedup instead of run times",
		Downey1997:            "malleable jobs with sequential time, average parallelism and sigma",
		Downey1997Rigid:       "the same jobs, each on its average parallelism",
		Demo:                  "80 users with sessions, bags, estimates and queues; load 0.7",
		Poisson:               "Poisson arrivals, exponential run times, serial jobs",
		Feitelson1996:         "harmonic sizes, two-stage hyper-exponential run times",
		Jann1997:              "hyper-Erlang interarrival and run times by range of sizes",
	}
	source := map[string]string{
		Lublin1999: "authors' program of 1999", Lublin1999Batch: "authors' program of 1999",
		Lublin1999Interactive: "authors' program of 1999", Lublin1999Untyped: "authors' program of 1999",
		Lublin2003: "Lublin and Feitelson (2003)", Lublin2003Work: "Lublin and Feitelson (2003), table 3",
		Downey1997: "Downey (1997)", Downey1997Rigid: "Downey (1997)",
		Demo:    "the site of 'loadstone demo'",
		Poisson: "textbook", Feitelson1996: "Feitelson (1996)", Jann1997: "Jann and others (1997)",
	}
	list := List{Schema: CatalogSchema}
	for _, name := range append(Presets(), Demo) {
		list.Models = append(list.Models, Entry{Name: name, What: what[name], Source: source[name], Ready: true})
	}
	for _, name := range Templates() {
		e := Entry{Name: name, What: what[name], Source: source[name]}
		_, missing, _ := Template(name)
		for _, m := range missing {
			e.Missing = append(e.Missing, m.Path)
		}
		list.Models = append(list.Models, e)
	}
	return list
}
