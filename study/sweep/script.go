package sweep

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/template"
)

// mostTasks is the largest number of tasks of a job array: Slurm's default MaxArraySize is
// 1001. In longer studies, each task has several runs.
const mostTasks = 1000

// Script is a script with which another engine performs the runs of a study. Paths are
// absolute.
type Script struct {
	Program, Study, Results string
	Runs                    int
}

// Each returns the number of runs of each task of a job array, and Tasks the number of tasks.
func (s Script) Each() int  { return (s.Runs + mostTasks - 1) / mostTasks }
func (s Script) Tasks() int { return (s.Runs + s.Each() - 1) / s.Each() }

//go:embed script
var scripts embed.FS

var scriptFunctions = template.FuncMap{
	"shell": func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" },
	"literal": func(text string) (string, error) { // a string literal of JSON and of Python
		b, err := json.Marshal(text)
		return string(b), err
	},
	"next": func(k int) int { return k + 1 },
}

// Write writes the script for an engine: slurm, snakemake or parallel.
//
// The script for Slurm submits a job array and, after it, a job that collects the results. A
// task whose program is killed asks to be requeued, at most three times, since a failed task
// would prevent the second job from starting.
func (s Script) Write(w io.Writer, engine string) error {
	for _, path := range []string{s.Program, s.Study, s.Results} {
		if strings.ContainsAny(path, "\n\r\x00") {
			return fmt.Errorf("%q: a line break in its name: want a name that fits on a line of a script", path)
		}
	}
	all, err := template.New("").Funcs(scriptFunctions).ParseFS(scripts, "script/*")
	if err != nil {
		return err
	}
	return all.ExecuteTemplate(w, engine, s)
}
