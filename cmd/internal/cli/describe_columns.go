package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeColumnJSON struct {
	Unit     string `json:"unit"`
	Known    int64  `json:"known"`
	KnownPct number `json:"known_pct"`
	Below0   int64  `json:"negative"`
	Mean     number `json:"mean"`
	CV       number `json:"cv"`
	Q25      number `json:"q25"`
	Median   number `json:"median"`
	Q75      number `json:"q75"`
	Min      number `json:"min"`
	Max      number `json:"max"`
	Method   string `json:"quantiles"`
}

func columnJSON(c inspect.Column, jobs int64) describeColumnJSON {
	return describeColumnJSON{c.Unit, c.Known, share(c.Known, jobs), c.Negative, number(c.Mean), number(c.CV), number(c.Q25), number(c.Median),
		number(c.Q75), number(c.Min), number(c.Max), c.Method}
}

// share is a part of the jobs in per cent.
func share(part, jobs int64) number { return number(100 * float64(part) / float64(jobs)) }

// columnsOf is the table of Downey (1997), table 2, over all measured columns.
func columnsOf(js *describeJSON, d inspect.Description) describeSection {
	s := describeSection{csv: table{head: []string{"column", "unit", "known", "mean", "cv", "q25", "median", "q75", "min", "max"}}}
	s.people.head = s.csv.head
	sketched := ""
	for _, c := range d.Columns {
		js.Columns[c.Name] = columnJSON(c, d.Jobs)
		exact, short := []string{c.Name, c.Unit, jobsText(c.Known)}, []string{c.Name, c.Unit, jobsText(c.Known)}
		for _, x := range []float64{c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max} {
			exact, short = append(exact, number(x).text()), append(short, sig(x))
		}
		s.csv.add(exact...)
		if c.Known > 0 {
			s.people.add(short...)
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
	Jobs int64  `json:"jobs"`
	Pct  number `json:"known_pct"`
}

// knownOf is the share of each column that is known.
func knownOf(js *describeJSON, d inspect.Description) describeSection {
	s := describeSection{title: "Known columns", csv: table{head: []string{"column", "known", "known_pct"}}}
	s.people.head = []string{"column", "known", "share"}
	js.Known = map[string]describeKnownJSON{}
	for _, k := range d.Known {
		pct := share(k.Jobs, d.Jobs)
		js.Known[k.Name] = describeKnownJSON{k.Jobs, pct}
		s.people.add(k.Name, jobsText(k.Jobs), percent(float64(pct)))
		s.csv.add(k.Name, jobsText(k.Jobs), pct.text())
	}
	return s
}
