package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeByJSON struct {
	Column string                `json:"column"`
	Values []describeByValueJSON `json:"values"`
	Others *describeByValueJSON  `json:"others,omitempty"`
}

type describeByValueJSON struct {
	Value *json.Number       `json:"value"`
	Name  string             `json:"name,omitempty"`
	Jobs  int64              `json:"jobs"`
	Pct   stats.Number       `json:"share_pct"`
	Users *int64             `json:"users"`
	Run   describeColumnJSON `json:"run_time_s"`
	Size  describeColumnJSON `json:"size_processors"`
	Work  stats.Number       `json:"work_processor_s"`
	Load  stats.Number       `json:"offered_load"`
}

// mostByRows is how many values the table for people shows.
const mostByRows = 40

// byOf is the summary for each value of a column.
func byOf(js *describeJSON, log *workload.Log, d inspect.Description) describeSection {
	b := d.By
	out := &describeByJSON{Column: b.Column, Values: []describeByValueJSON{}}
	s := describeSection{
		title: "By " + b.Column,
		people: present.Table{Head: []string{b.Column, "jobs", "share", "users",
			"run mean", "q25", "median", "q75", "size mean", "q25", "median", "q75", "load"}},
		csv: present.Table{Head: []string{b.Column, "name", "jobs", "share_pct", "users",
			"run_time_mean_s", "run_time_q25_s", "run_time_median_s", "run_time_q75_s",
			"size_mean_processors", "size_q25_processors", "size_median_processors", "size_q75_processors",
			"work_processor_s", "offered_load"}},
	}
	var hidden, hiddenJobs int64
	method := "exact"
	name := valueNames(log, b.Column)
	row := func(v inspect.ByValue, called string) describeByValueJSON {
		j := describeByValueJSON{Name: called, Jobs: v.Jobs, Pct: share(v.Jobs, d.Jobs),
			Run: columnJSON(v.Run, v.Jobs), Size: columnJSON(v.Size, v.Jobs), Work: stats.Number(v.Work), Load: stats.Number(v.Load)}
		if v.Value != "" {
			n := json.Number(v.Value)
			j.Value = &n
		}
		users := "-"
		if v.Users > 0 {
			j.Users, users = &v.Users, jobsText(v.Users)
		}
		csv := []string{v.Value, called, jobsText(v.Jobs), present.Full(j.Pct), countText(j.Users)}
		people := []string{v.Value, jobsText(v.Jobs), present.Percent(j.Pct), users}
		switch {
		case v.Value == "":
			people[0] = called
		case called != "":
			people[0] += " " + called
		}
		for _, c := range []inspect.Column{v.Run, v.Size} {
			for _, x := range []float64{c.Mean, c.Q25, c.Median, c.Q75} {
				csv, people = append(csv, present.Full(x)), append(people, present.Sig(x))
			}
			if c.Known > 1 && c.Method != "exact" {
				method = c.Method
			}
		}
		s.csv.Add(append(csv, present.Full(j.Work), present.Full(j.Load))...)
		if len(s.people.Rows) < mostByRows {
			s.people.Add(append(people, present.Sig(v.Load))...)
		} else {
			hidden++
			hiddenJobs += v.Jobs
		}
		return j
	}
	for _, v := range b.Values {
		out.Values = append(out.Values, row(v, name(v.Value)))
	}
	if hidden > 0 {
		s.after = append(s.after, fmt.Sprintf("%d more values, with %d jobs: --format csv has them.", hidden, hiddenJobs))
	}
	if b.Others != nil {
		j := row(*b.Others, "others")
		out.Others = &j
		s.after = append(s.after, fmt.Sprintf("There are too many values: %d jobs are of some that appear after the first %d.", b.Others.Jobs, len(b.Values)))
	}
	if method != "exact" {
		s.after = append(s.after, fmt.Sprintf("Quantiles: %s.", method))
	}
	js.By = out
	return s
}

// valueNames gives the names that the header has for a column's numbers, "" for
// those without one.
func valueNames(log *workload.Log, column string) func(value string) string {
	names := log.Header.NamesOf(column)
	return func(value string) string {
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case value == "":
			return "unknown"
		case err != nil:
			return ""
		case column == "status":
			return statusNames[n]
		}
		return names[n]
	}
}
