package board_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/score"
)

// Rank three predictors by their accuracy on two logs.
func Example() {
	column := func(log string, scores map[string]float64) board.Column {
		c := board.Column{Log: board.Log{Name: log}}
		for _, name := range []string{"last", "mean", "median"} {
			c.Entries = append(c.Entries, board.Entry{Predictor: name, Score: scores[name], Coverage: 1})
		}
		return c
	}
	b := board.Board{Score: "accuracy_mean", Level: 0.95}
	b.Rank([]board.Column{
		column("kth", map[string]float64{"last": 0.6, "mean": 0.4, "median": 0.5}),
		column("ctc", map[string]float64{"last": 0.5, "mean": 0.3, "median": 0.7}),
	}, score.Sums.AccuracyMean)
	for _, p := range b.Predictors {
		fmt.Printf("%s: mean rank %g, best on %d of %d logs, mean score %.2f\n", p.Predictor, p.MeanRank, p.Firsts, p.Scored, p.Mean)
	}
	// Output:
	// last: mean rank 1.5, best on 1 of 2 logs, mean score 0.55
	// median: mean rank 1.5, best on 1 of 2 logs, mean score 0.60
	// mean: mean rank 3, best on 0 of 2 logs, mean score 0.35
}
