package runtime

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

type scores struct {
	Classes, Predictor string
	Jobs, Predicted    int
	Accuracy           float64 `json:"accuracy_mean"`
	Mean               float64 `json:"absolute_error_mean_s"`
	Median             float64 `json:"absolute_error_median_s"`
}

// TestScoresOfRealLogs compares scores with those of testdata/scores.py, an independent program
// with the rules of this package, to the last printed digit.
func TestScoresOfRealLogs(t *testing.T) {
	data := jobtest.Must(os.ReadFile("testdata/scores.json"))
	var reference struct{ Logs map[string][]scores }
	if err := json.Unmarshal(data, &reference); err != nil || len(reference.Logs) != 4 {
		t.Fatalf("%d logs, %v, want 4", len(reference.Logs), err)
	}
	for name, want := range reference.Logs {
		t.Run(name, func(t *testing.T) {
			got := scoresOf(t, name, allEntries(t))
			if name == "KTH-SP2-1996-2.1-cln.swf.gz" {
				papers.Has(t, documentRows(got)...)
			}
			if len(want) != len(got) {
				t.Fatalf("%d reference scores, want %d", len(want), len(got))
			}
			for i, g := range got {
				w := want[i]
				if g.Classes != w.Classes || g.Predictor != w.Predictor || g.Jobs != w.Jobs || g.Predicted != w.Predicted ||
					!within(g.Accuracy, w.Accuracy, 6e-8) || !within(g.Mean, w.Mean, 6e-4) || !within(g.Median, w.Median, 6e-4) {
					t.Errorf("got  %+v\nwant %+v", g, w)
				}
			}
		})
	}
}

// documentRows returns the rows of docs/findings/papers.md about a log, by classes.
func documentRows(all []scores) []string {
	var rows []string
	for _, c := range []struct{ name, text string }{{"site", "site"}, {"user", "user"}, {"user-app-size-site", "user, application, size, site"}} {
		row := "| " + c.text + " |"
		for _, s := range all {
			if s.Classes != c.name {
				continue
			}
			if s.Predictor == "es" { // the first; all predict the same number
				row += fmt.Sprintf(" %.4f |", float64(s.Predicted)/float64(s.Jobs))
			}
			row += fmt.Sprintf(" %.3f |", s.Accuracy)
		}
		rows = append(rows, row)
	}
	return rows
}

func within(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// scoresOf returns the scores of predictors on a real log.
func scoresOf(t *testing.T, name string, entries []Entry) []scores {
	t.Helper()
	result := make([]scores, len(entries))
	misses := make([][]float64, len(entries))
	for row, err := range Replay(workload.InOrder(jobtest.Open(t, name).Jobs(), nil), nil, entries...) {
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range row.Predictions {
			s := &result[i]
			s.Jobs++
			if math.IsNaN(p.Seconds) {
				continue
			}
			miss := math.Abs(p.Seconds - row.Job.Run)
			misses[i] = append(misses[i], miss)
			s.Predicted++
			s.Accuracy += stats.Accuracy(p.Seconds, row.Job.Run)
			s.Mean += miss
		}
	}
	for i := range result {
		s := &result[i]
		s.Classes, s.Predictor = entries[i].Classes.Name, entries[i].Predictor
		s.Accuracy /= float64(s.Predicted)
		s.Mean /= float64(s.Predicted)
		slices.Sort(misses[i])
		s.Median = stats.Quantile(misses[i], 0.5)
	}
	return result
}
