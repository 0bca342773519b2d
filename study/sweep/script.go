package sweep

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/template"
)

// mostTasks is the number of tasks of a job array: Slurm's default MaxArraySize is 1001.
// Longer studies have several runs a task.
const mostTasks = 1000

// Script is what has another engine do the runs of a study. Paths are absolute.
type Script struct {
	Program, Study, Results string
	Runs                    int
}

// Each is the number of runs of a task of a job array, and Tasks that of tasks.
func (s Script) Each() int  { return (s.Runs + mostTasks - 1) / mostTasks }
func (s Script) Tasks() int { return (s.Runs + s.Each() - 1) / s.Each() }

//go:embed script
var scripts embed.FS

var scriptFunctions = template.FuncMap{
	"shell": func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" },
	"literal": func(text string) (string, error) { // of JSON, and of Python too
		b, err := json.Marshal(text)
		return string(b), err
	},
	"next": func(k int) int { return k + 1 },
}

// Write writes the script for slurm, snakemake or parallel.
//
// That for Slurm submits a job array and, after it, a job that collects. A task whose program
// is killed asks to be requeued, at most three times: a task that has failed would keep the
// second job from its start.
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
