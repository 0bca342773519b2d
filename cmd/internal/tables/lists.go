package tables

import (
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// Split is the result in its three forms.
func Split(s *reshape.Splitting) view.Result { return view.Listing(s, s.Parts) }

// Models is the result of 'models list'.
func Models() view.Result {
	list := model.Catalog()
	return view.Listing(list, list.Models)
}

// FilterSyntax says what a filter is.
const FilterSyntax = `A FILTER is a name followed by parameters, as "flurries jobs=50 window=12h", or
a condition, as "user=5 and hour=3", which removes the jobs that match, or,
after "keep", those that do not.`

// FiltersHelp lists the filters, with their parameters, and the fields of conditions.
func FiltersHelp() string { return prose.Text("filters", reshape.Filters()) }

// Filters is the result of 'clean --list'.
func Filters() view.Result {
	list := reshape.Filters()
	text := func(w *view.Screen) { w.Printf("%s\n\n%s\n", FilterSyntax, FiltersHelp()) }
	return view.Result{Text: text, JSON: list, CSV: view.CSV(list.Filters, list.Fields)}
}
