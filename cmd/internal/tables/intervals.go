package tables

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// writeIntervals writes the tables of the parameters of a site's model with their
// intervals, where they were drawn.
func writeIntervals(w *present.Screen, sites []*site.Report) {
	for _, r := range sites {
		if r.Intervals == nil {
			continue
		}
		w.Printf("\n%s\n\n", intervalsTitle(r.Intervals))
		w.Table(intervalsTable(r.Intervals))
	}
}

// intervalsTitle says how the intervals were drawn.
func intervalsTitle(i *site.Intervals) string {
	return fmt.Sprintf("parameters with %.4g%% intervals, from %d draws of the %s", 100*i.Level, i.Replicates, present.Weeks(i))
}

func intervalsTable(i *site.Intervals) present.Table {
	t := present.Table{Head: []string{"class", "of", "parameter", "value", "low", "high", "draws", "why not"}}
	for _, c := range i.Classes {
		for _, p := range c.Of {
			t.Add(c.Name, p.Part, p.Name, present.Sig(p.Value), present.Sig(p.Low), present.Sig(p.High), strconv.Itoa(p.Replicates), p.Why)
		}
	}
	if len(i.Classes) < 2 {
		t = t.Without("class", i.Classes[0].Name)
	}
	return t.Without("why not", "")
}
