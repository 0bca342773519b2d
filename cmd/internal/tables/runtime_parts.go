package tables

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
)

// mostParts is how many parts a table for people shows.
const mostParts = 24

// bestOfPart is a row: the best of a part beside the best of the whole log.
type bestOfPart struct {
	evaluate.RunTimesPart
	Score *evaluate.RunTimesPartScore `row:"flat"` // nil where nothing was predicted
}

// runTimeParts are tables for people of the scores by parts, one for each way
// of cutting the log.
func runTimeParts(r *evaluate.RunTimesResult) []view.Table {
	if len(r.Best) == 0 {
		return nil
	}
	whole := slices.IndexFunc(r.Scores, func(s evaluate.RunTimeScore) bool {
		return s.Classes == r.Best[0].Classes && s.Predictor == r.Best[0].Predictor
	})
	var tables []view.Table
	for i := 0; i < len(r.Parts); {
		by := r.Parts[i].By
		var rows []bestOfPart
		for ; i < len(r.Parts) && r.Parts[i].By == by; i++ {
			row := bestOfPart{RunTimesPart: r.Parts[i]}
			if best := row.Best; best != nil {
				row.Score = &row.Scores[slices.IndexFunc(row.Scores, func(s evaluate.RunTimesPartScore) bool {
					return s.Classes == best.Classes && s.Predictor == best.Predictor
				})]
			}
			rows = append(rows, row)
		}
		part := view.Cell[bestOfPart]{First: true, Heading: by, Text: func(p bestOfPart) string { return p.Part }}
		beside := view.Cell[bestOfPart]{Heading: "accuracy of " + r.Scores[whole].Label(), Text: func(p bestOfPart) string {
			if p.Score == nil {
				return "-"
			}
			return view.Fixed(p.Scores[whole].AccuracyMean, 4)
		}}
		tables = append(tables, view.For(largestParts(rows, mostParts)).With(part).With(beside).Table())
	}
	return tables
}

// largestParts keeps the n parts with the most jobs, those first, and counts the others in
// a last row.
func largestParts(rows []bestOfPart, n int) []bestOfPart {
	if len(rows) <= n {
		return rows
	}
	byJobs := slices.Clone(rows)
	slices.SortStableFunc(byJobs, func(a, b bestOfPart) int { return cmp.Compare(b.Jobs, a.Jobs) })
	others := bestOfPart{RunTimesPart: evaluate.RunTimesPart{Part: fmt.Sprintf("%d more", len(rows)-n)}}
	for _, row := range byJobs[n:] {
		others.Jobs += row.Jobs
	}
	return append(byJobs[:n:n], others)
}
