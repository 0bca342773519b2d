package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// mostParts is how many parts a table for people shows.
const mostParts = 24

// runTimeParts are tables for people of the scores by parts, one for each way
// of cutting the log: the best of each part beside the best of the whole log.
func runTimeParts(r *evaluate.RunTimesResult) []present.Table {
	if len(r.Best) == 0 {
		return nil
	}
	whole := slices.IndexFunc(r.Scores, func(s evaluate.RunTimeScore) bool {
		return s.Classes == r.Best[0].Classes && s.Predictor == r.Best[0].Predictor
	})
	type row = evaluate.RunTimesPart
	best := func(p row) evaluate.RunTimesPartScore {
		return p.Scores[slices.IndexFunc(p.Scores, func(s evaluate.RunTimesPartScore) bool {
			return s.Classes == p.Best.Classes && s.Predictor == p.Best.Predictor
		})]
	}
	score := func(of func(evaluate.RunTimesPartScore) string) func(row) string {
		return func(p row) string {
			if p.Best == nil {
				return "-"
			}
			return of(best(p))
		}
	}
	number := func(of func(evaluate.RunTimesPartScore) stats.Number) func(row) stats.Number {
		return func(p row) stats.Number {
			if p.Best == nil {
				return stats.Number(math.NaN())
			}
			return of(best(p))
		}
	}
	type s = evaluate.RunTimesPartScore
	columns := []present.Column[row]{
		present.Text("", "", func(p row) string { return p.Part }),
		present.Count("", "jobs", func(p row) int { return p.Jobs }),
		present.Text("", "best classes", score(func(s s) string { return s.Classes })),
		present.Text("", "predictor", score(func(s s) string { return s.Predictor })),
		present.Text("", "coverage", score(func(s s) string { return present.Fixed(s.Coverage, 4) })),
		present.Text("", "accuracy", score(func(s s) string { return present.Fixed(s.AccuracyMean, 4) })),
		present.Time("", "mean abs. error", number(func(s s) stats.Number { return s.AbsoluteErrorMean }), second),
		present.Time("", "bias", number(func(s s) stats.Number { return s.Bias }), second),
		present.Text("", "accuracy of "+r.Scores[whole].Label(), func(p row) string {
			if p.Best == nil {
				return "-"
			}
			return present.Fixed(p.Scores[whole].AccuracyMean, 4)
		}),
	}
	var tables []present.Table
	for i := 0; i < len(r.Parts); {
		n := i
		for n < len(r.Parts) && r.Parts[n].By == r.Parts[i].By {
			n++
		}
		columns[0].Heading = r.Parts[i].By
		t := present.People(columns, r.Parts[i:n])
		t.Rows = largestParts(t.Rows, mostParts)
		tables = append(tables, t)
		i = n
	}
	return tables
}

// largestParts keeps the n rows with the most jobs (the second cell), those first, and
// counts the others in a last row.
func largestParts(rows [][]string, n int) [][]string {
	if len(rows) <= n {
		return rows
	}
	jobs := func(row []string) int {
		k, _ := strconv.Atoi(row[1])
		return k
	}
	byJobs := slices.Clone(rows)
	slices.SortStableFunc(byJobs, func(a, b []string) int { return jobs(b) - jobs(a) })
	hidden, sum := len(rows)-n, 0
	for _, row := range byJobs[n:] {
		sum += jobs(row)
	}
	last := []string{fmt.Sprintf("%d more", hidden), strconv.Itoa(sum)}
	for len(last) < len(rows[0]) {
		last = append(last, "-")
	}
	return append(byJobs[:n:n], last)
}
