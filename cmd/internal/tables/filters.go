package tables

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// FilterSyntax says what a filter is.
const FilterSyntax = `A FILTER is a name followed by parameters, as "flurries jobs=50 window=12h", or
a condition, as "user=5 and hour=3", which removes the jobs that match, or,
after "keep", those that do not.`

// FiltersHelp lists the filters, with their parameters, and the fields of conditions.
func FiltersHelp() string {
	list := reshape.Filters()
	var b strings.Builder
	b.WriteString("Named filters, with their parameters and defaults:\n")
	for _, k := range list.Filters {
		fmt.Fprintf(&b, "  %s\n", k.Name)
		wrapWords(&b, "      ", k.Meaning)
		for _, p := range k.Parameters {
			name := p.Name
			if p.Default != "" {
				name += "=" + p.Default
			}
			wrapWords(&b, "      ", name+": "+p.Meaning)
		}
	}
	b.WriteString(`
Conditions: FIELD=VALUES and FIELD!=VALUES, with values by commas, ranges 1..16,
and "unknown"; FIELD<VALUE, <=, >, >=; joined by "and", "or", "not" and
parentheses. A comparison with an unknown value is false. Values with blanks
stand in quotes. The fields:
`)
	for _, f := range list.Fields {
		wrapWords(&b, "      ", fmt.Sprintf("%s: %s; %s", strings.Join(f.Names, " or "), f.Meaning, f.Values))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// wrapWords writes words in lines of up to 80 letters; the first line stands two
// letters further left.
func wrapWords(b *strings.Builder, indent, text string) {
	line := strings.TrimSuffix(indent, "  ")
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 80 {
			b.WriteString(line + "\n")
			line = indent
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// filterRow is a row of CSV: a filter, one of its parameters, or a field of
// conditions.
type filterRow struct{ filter, parameter, value, meaning string }

var filterColumns = []present.Column[filterRow]{
	present.Text("filter", "", func(r filterRow) string { return r.filter }),
	present.Text("parameter", "", func(r filterRow) string { return r.parameter }),
	present.Text("default", "", func(r filterRow) string { return r.value }),
	present.Text("meaning", "", func(r filterRow) string { return r.meaning }),
}

func Filters() present.Result {
	list := reshape.Filters()
	var rows []filterRow
	for _, k := range list.Filters {
		rows = append(rows, filterRow{k.Name, "", "", k.Meaning})
		for _, p := range k.Parameters {
			rows = append(rows, filterRow{k.Name, p.Name, p.Default, p.Meaning})
		}
	}
	for _, f := range list.Fields {
		rows = append(rows, filterRow{"condition", strings.Join(f.Names, " "), "", f.Meaning + "; " + f.Values})
	}
	text := func(w *present.Screen) {
		w.Printf("%s\n\n%s\n", FilterSyntax, FiltersHelp())
	}
	return present.Result{Text: text, JSON: list, CSV: present.CSV(filterColumns, rows)}
}
