package tables

import (
	"embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

//go:embed prose
var proseFiles embed.FS

// prose holds the templates of the results' text for people, named for their commands.
var prose = view.NewProse(proseFiles, "prose/*.txt", map[string]any{
	"exp":        math.Exp,
	"halfHour":   func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) },
	"largest":    func(shares []stats.Share) int { return slices.Index(shares, slices.Max(shares)) },
	"logName":    LogName,
	"parameters": dist.Parameters,
	"singular":   func(things string) string { return strings.TrimSuffix(things, "s") },
	"sites":      func(s sched.Sites) string { return s.String() },
	"weekday":    func(i int) string { return time.Weekday(i).String() },
})

// Results that are the data of their templates as they are.

func Grid(r *grid.Result) view.Result           { return prose.Result("grid", r, r, r.Scores) }
func Lifetimes(r *lifetimes.Result) view.Result { return prose.Result("lifetimes", r, r, r.Classes) }
func Split(r *reshape.Splitting) view.Result    { return prose.Result("listing", r.Parts, r, r.Parts) }
func Sweep(r *sweep.Summary) view.Result        { return prose.Result("sweep", r, r, r.Groups) }

func Answers(r *live.Answers) view.Result { return prose.Result("wait", r, r, r.Rows()) }

func Validation(r inspect.Validation) view.Result { return prose.Result("validate", r, r, r.Findings) }

// Models returns the result of 'models list'.
func Models() view.Result {
	list := model.Catalog()
	return prose.Result("listing", list.Models, list, list.Models)
}

// FilterSyntax describes the syntax of a filter.
const FilterSyntax = `A FILTER is a condition, as "user=5 and hour=3", which removes the jobs that
match, or, after "keep", those that do not; or it is duplicates, or
duplicates(by=id).`

// Filters returns the result of 'clean --list'.
func Filters() view.Result {
	list := reshape.Filters()
	r := prose.Result("filters", list, list, list.Filters, list.Fields)
	of := r.Text
	r.Text = func() string { return FilterSyntax + "\n\n" + of() + "\n" }
	return r
}

// LogName returns a log's name for a heading: the base name of its file without the extensions
// of compression and format.
func LogName(path string) string {
	name := filepath.Base(path)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
