package model

// Entry is what a list of published models says of one.
type Entry struct {
	Name   string
	What   string
	Source string
	Ready  bool // false: a template, whose missing parameters have to be given
}

// Catalog lists the presets and the templates, in the order of their names'
// first mention in Presets and Templates.
func Catalog() []Entry {
	what := map[string]string{
		Lublin1999:            "interactive (queue 0) and batch jobs (queue 1), merged by time",
		Lublin1999Batch:       "the batch jobs alone",
		Lublin1999Interactive: "the interactive jobs alone",
		Lublin1999Untyped:     "one law for all jobs",
		Lublin2003:            "the paper's representative model, by its tables",
		Lublin2003Work:        "total work with a speedup in place of run times",
		Downey1997:            "malleable jobs: sequential time, average parallelism, sigma; 12-hour days",
		Downey1997Rigid:       "the same jobs, each on its average parallelism",
		Poisson:               "Poisson arrivals, exponential run times, serial jobs",
		Feitelson1996:         "harmonic sizes, two-stage hyper-exponential run times",
		Jann1997:              "hyper-Erlang interarrival and run times by range of sizes",
	}
	source := map[string]string{
		Lublin1999: "authors' program of 1999", Lublin1999Batch: "authors' program of 1999",
		Lublin1999Interactive: "authors' program of 1999", Lublin1999Untyped: "authors' program of 1999",
		Lublin2003: "Lublin and Feitelson (2003)", Lublin2003Work: "Lublin and Feitelson (2003), table 3",
		Downey1997: "Downey (1997)", Downey1997Rigid: "Downey (1997)",
		Poisson: "textbook", Feitelson1996: "Feitelson (1996)", Jann1997: "Jann and others (1997)",
	}
	var all []Entry
	for _, name := range Presets() {
		all = append(all, Entry{name, what[name], source[name], true})
	}
	for _, name := range Templates() {
		all = append(all, Entry{name, what[name], source[name], false})
	}
	return all
}
