package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
)

// A score of evaluate's caller is a column, and --require knows it.
func TestRuntimeMeasure(t *testing.T) {
	a := &app{Streams: Streams{strings.NewReader(""), io.Discard, new(bytes.Buffer)}}
	o := runtimeOptions{input: writeLog(t, runtimeLog), ExecTimeout: time.Second, Conditions: thresholds.Conditions{Texts: []string{"exact(last,user)>=0.9"}}}
	o.Predictors, o.Classes, o.Rules = []string{"last"}, []string{"user"}, runtime.Options{}.Filled()
	o.Measures = []score.RunTimeMeasure{{Name: "exact", Sums: 1,
		Add: func(sums []float64, predicted, actual float64) {
			if predicted == actual {
				sums[0]++
			}
		},
		Value: func(sums []float64, n int) float64 { return sums[0] / float64(n) }}}
	if err := o.check(newRuntimeCmd(a, nil)); err != nil {
		t.Fatal(err)
	}
	r, err := a.scoreRunTimes(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	// Two of the four predictions are right (TestRuntimeScores).
	if err := a.runTimeThresholds(o, r, nil); err == nil || !strings.Contains(err.Error(), "exact(last,user)>=0.9': it is 0.5") {
		t.Errorf("%v", err)
	}
	table := tables.RunTimes(r).CSV
	if last := len(table.Head) - 1; table.Head[last] != "exact" || table.Rows[0][last] != "0.5" {
		t.Errorf("%q: %q", table.Head, table.Rows[0])
	}
}
