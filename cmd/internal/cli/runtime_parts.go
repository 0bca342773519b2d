package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runtimeParts are the ways of cutting a log into parts.
var runtimeParts = []string{"length", "site", "month"}

// runtimePart is one way, and the scores by it.
type runtimePart struct {
	by    string
	clock workload.Clock
	score.RunTimeParts
}

func newRuntimePart(by string, log *workload.Log) runtimePart {
	p := runtimePart{by: by}
	p.clock, _ = log.Header.Clock()
	return p
}

func (p *runtimePart) add(row *runtime.Row) {
	p.Add(p.of(row.Job), row.Predictions, row.Job.Run)
}

// month is the length of a part of a log that has no dates.
const month = 30 * 86400

// of is the number of a job's part.
func (p *runtimePart) of(j *workload.Job) int64 {
	switch p.by {
	case "length":
		return score.LengthOf(j.Run)
	case "site":
		return j.Partition
	}
	if !p.clock.Known {
		return int64(math.Floor(max(-1e15, min(1e15, j.Submit/month))))
	}
	return monthOf(p.clock, j.Submit)
}

// name is the part's for people and programs.
func (p *runtimePart) name(part int64) string {
	switch {
	case p.by == "length":
		return []string{"short", "medium", "long"}[part]
	case part == workload.Unknown:
		return "unknown"
	case p.by == "site":
		return strconv.FormatInt(part, 10)
	case !p.clock.Known:
		return fmt.Sprintf("days %d-%d", 30*part, 30*part+29)
	}
	return monthName(part)
}

// mostParts is how many parts the table for people shows.
const mostParts = 24

// largest keeps the n rows with the most jobs (the second cell), those first, and
// says how many it hides.
func (t *table) largest(n int) {
	if len(t.rows) <= n {
		return
	}
	jobs := func(row []string) int {
		k, _ := strconv.Atoi(row[1])
		return k
	}
	byJobs := slices.Clone(t.rows)
	slices.SortStableFunc(byJobs, func(a, b []string) int { return jobs(b) - jobs(a) })
	hidden, sum := len(t.rows)-n, 0
	for _, row := range byJobs[n:] {
		sum += jobs(row)
	}
	t.rows = byJobs[:n]
	last := []string{fmt.Sprintf("%d more", hidden), strconv.Itoa(sum)}
	for len(last) < len(t.head) {
		last = append(last, "-")
	}
	t.rows = append(t.rows, last)
}

type runtimePartJSON struct {
	By     string                 `json:"by"`
	Part   string                 `json:"part"`
	Jobs   int                    `json:"jobs"`
	Best   *runtimeBestJSON       `json:"best"`
	Scores []runtimePartScoreJSON `json:"scores"`
}

type runtimePartScoreJSON struct {
	Classes           string `json:"classes"`
	Predictor         string `json:"predictor"`
	Predicted         int    `json:"predicted"`
	Coverage          number `json:"coverage"`
	AccuracyMean      number `json:"accuracy_mean"`
	AbsoluteErrorMean number `json:"absolute_error_mean_s"`
	Bias              number `json:"bias_s"`
	Under             number `json:"under_pct"`
	Over              number `json:"over_pct"`
}

// partsOf gives the scores by parts, and for people a table of each way: the
// best of each part beside the best of the whole log.
func (r *runtimeRun) partsOf(whole int) (all []runtimePartJSON, tables []table) {
	scored := r.scored()
	for i := range r.parts {
		p := &r.parts[i]
		people := table{head: []string{p.by, "jobs", "best classes", "predictor", "coverage", "accuracy", "abs. error mean", "bias", "accuracy of " + r.label(whole)}}
		for _, part := range p.Result() {
			kept := score.RunTimePart{Part: part.Part, Jobs: part.Jobs}
			js := runtimePartJSON{By: p.by, Part: p.name(part.Part), Jobs: part.Jobs}
			for _, k := range scored {
				s, e := part.Scores[k], r.entries[k]
				kept.Scores = append(kept.Scores, s)
				js.Scores = append(js.Scores, runtimePartScoreJSON{e.Classes.Name, e.Predictor, s.Predicted, number(s.Coverage),
					number(s.AccuracyMean), number(s.AbsoluteErrorMean), number(s.Bias), number(s.UnderPct), number(s.OverPct)})
			}
			row := []string{js.Part, strconv.Itoa(part.Jobs), "-", "-", "-", "-", "-", "-", "-"}
			if best := kept.Best(); best >= 0 {
				s, e := kept.Scores[best], r.entries[scored[best]]
				js.Best = &runtimeBestJSON{Classes: e.Classes.Name, Predictor: e.Predictor, AccuracyMean: number(s.AccuracyMean)}
				row = append(row[:2], e.Classes.Name, e.Predictor, fixed(s.Coverage, 4), fixed(s.AccuracyMean, 4), duration(s.AbsoluteErrorMean), duration(s.Bias),
					fixed(part.Scores[whole].AccuracyMean, 4))
			}
			people.add(row...)
			all = append(all, js)
		}
		people.largest(mostParts)
		tables = append(tables, people)
	}
	return all, tables
}
