package tables

import (
	"fmt"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// writeIntervals writes the tables of the parameters of a site's model with their
// intervals, where they were drawn.
func writeIntervals(w io.Writer, sites []*site.Report) error {
	for _, r := range sites {
		if r.Intervals == nil {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s\n\n", intervalsTitle(r.Intervals)); err != nil {
			return err
		}
		t := intervalsTable(r.Intervals)
		if err := t.WriteTable(w); err != nil {
			return err
		}
	}
	return nil
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
