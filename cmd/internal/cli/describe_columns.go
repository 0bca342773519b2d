package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeColumnJSON struct {
	Unit     string       `json:"unit"`
	Known    int64        `json:"known"`
	KnownPct stats.Number `json:"known_pct"`
	Below0   int64        `json:"negative"`
	Mean     stats.Number `json:"mean"`
	CV       stats.Number `json:"cv"`
	Q25      stats.Number `json:"q25"`
	Median   stats.Number `json:"median"`
	Q75      stats.Number `json:"q75"`
	Min      stats.Number `json:"min"`
	Max      stats.Number `json:"max"`
	Method   string       `json:"quantiles"`
}

func columnJSON(c inspect.Column, jobs int64) describeColumnJSON {
	return describeColumnJSON{c.Unit, c.Known, share(c.Known, jobs), c.Negative, stats.Number(c.Mean), stats.Number(c.CV), stats.Number(c.Q25), stats.Number(c.Median),
		stats.Number(c.Q75), stats.Number(c.Min), stats.Number(c.Max), c.Method}
}

// share is a part of the jobs in per cent.
func share(part, jobs int64) stats.Number { return stats.Number(100 * float64(part) / float64(jobs)) }

// columnsOf is the table of Downey (1997), table 2, over all measured columns.
func columnsOf(js *describeJSON, d inspect.Description) describeSection {
	s := describeSection{csv: present.Table{Head: []string{"column", "unit", "known", "mean", "cv", "q25", "median", "q75", "min", "max"}}}
	s.people.Head = s.csv.Head
	sketched := ""
	for _, c := range d.Columns {
		js.Columns[c.Name] = columnJSON(c, d.Jobs)
		exact, short := []string{c.Name, c.Unit, jobsText(c.Known)}, []string{c.Name, c.Unit, jobsText(c.Known)}
		for _, x := range []float64{c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max} {
			exact, short = append(exact, present.Full(x)), append(short, present.Sig(x))
		}
		s.csv.Add(exact...)
		if c.Known > 0 {
			s.people.Add(short...)
		}
		if c.Negative > 0 {
			s.after = append(s.after, fmt.Sprintf("%s: %d negative values are left out of its statistics.", c.Name, c.Negative))
		}
		if c.Known > 0 && c.Method != "exact" {
			sketched = c.Method
		}
	}
	if sketched != "" {
		s.after = append(s.after, fmt.Sprintf("Quantiles: %s.", sketched))
	}
	return s
}

type describeKnownJSON struct {
	Jobs int64        `json:"jobs"`
	Pct  stats.Number `json:"known_pct"`
}

// knownOf is the share of each column that is known.
func knownOf(js *describeJSON, d inspect.Description) describeSection {
	s := describeSection{title: "Known columns", csv: present.Table{Head: []string{"column", "known", "known_pct"}}}
	s.people.Head = []string{"column", "known", "share"}
	js.Known = map[string]describeKnownJSON{}
	for _, k := range d.Known {
		pct := share(k.Jobs, d.Jobs)
		js.Known[k.Name] = describeKnownJSON{k.Jobs, pct}
		s.people.Add(k.Name, jobsText(k.Jobs), present.Percent(pct))
		s.csv.Add(k.Name, jobsText(k.Jobs), present.Full(pct))
	}
	return s
}
