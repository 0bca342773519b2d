package tables

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/change"
	"github.com/loadstone-hpc/loadstone/stats"
)

// changeRow is one number that is compared.
type changeRow struct {
	of change.Comparison
	change.Change
}

// changeColumns are those of the CSV.
func changeColumns() []present.Column[changeRow] {
	type row = changeRow
	text := func(name string, of func(row) string) present.Column[row] { return present.Text(name, "", of) }
	columns := []present.Column[row]{
		text("attribute", func(r row) string { return string(r.of.Attribute) }),
		text("family", func(r row) string { return r.of.Family }),
		text("name", func(r row) string { return r.Name }),
	}
	for _, side := range []struct {
		name string
		of   func(row) change.Bounded
	}{
		{"a", func(r row) change.Bounded { return r.A }},
		{"b", func(r row) change.Bounded { return r.B }},
		{"difference", func(r row) change.Bounded { return r.Difference }},
	} {
		number := func(name string, of func(change.Bounded) stats.Number) present.Column[row] {
			return present.Float(name, "", func(r row) stats.Number { return of(side.of(r)) }, nil)
		}
		columns = append(columns,
			number(side.name, func(b change.Bounded) stats.Number { return b.Value }),
			number(side.name+"_low", func(b change.Bounded) stats.Number { return b.Low }),
			number(side.name+"_high", func(b change.Bounded) stats.Number { return b.High }))
	}
	return append(columns, text("differs", func(r row) string { return strconv.FormatBool(r.Differs) }))
}

// Changes is the result in its three forms.
func Changes(r *change.Result) present.Result {
	var rows []changeRow
	for _, c := range r.Comparisons {
		for _, x := range c.Changes {
			rows = append(rows, changeRow{c, x})
		}
	}
	return present.Result{Text: func(w *present.Screen) { writeChanges(w, r) }, JSON: r, CSV: present.CSV(changeColumns(), rows)}
}

// writeChanges is the table for people.
func writeChanges(w *present.Screen, r *change.Result) {
	bounded := func(b change.Bounded) string {
		return fmt.Sprintf("%s [%s, %s]", present.Sig(b.Value), present.Sig(b.Low), present.Sig(b.High))
	}
	for i, c := range r.Comparisons {
		if i > 0 {
			w.Printf("\n")
		}
		w.Message("%s: %s (%d jobs) and %s (%d jobs), %s\n\n", c.Attribute, c.A.Label, c.A.Jobs, c.B.Label, c.B.Jobs, c.Family)
		t := present.Table{Head: []string{"", c.A.Label, c.B.Label, "difference", "changed"}}
		for _, x := range c.Changes {
			changed := "no"
			if x.Differs {
				changed = "yes"
			}
			t.Add(x.Name, bounded(x.A), bounded(x.B), bounded(x.Difference), changed)
		}
		w.Table(t)
		w.Printf("\nintervals at %s by the block bootstrap, blocks of %s and %s jobs, %d replicates\nKS distance %s at %s, p-value %s by blocks (%s if jobs were independent)\n",
			present.Sig(c.Level), present.Sig(c.A.Block), present.Sig(c.B.Block), c.Replicates,
			present.Fixed(c.KS.D, 4), present.Sig(c.KS.At), present.Sig(c.KS.PValue), present.Sig(c.KS.Asymptotic))
	}
}
