package figure

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
)

// Half of the jobs are serial. Gamma distributions of the logarithm cannot take them, so all
// that are compared are fitted without, and the plots of all are of the other half.
func TestPairsAreOfTheFittedValues(t *testing.T) {
	sample := fit.Sample{Values: []float64{1, 2, 4, 8}, Counts: []float64{80, 40, 20, 20}}
	ranking, err := fit.RankFamilies([]string{"log-normal", "gamma"}, fit.Size, sample, fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var reports []fit.Report
	for _, r := range ranking.Ranked {
		reports = append(reports, r.Report)
	}
	pairs, err := pairsOf(reports, sample, 10)
	if err != nil || len(pairs) != 2 {
		t.Fatal(pairs, err)
	}
	for _, p := range pairs {
		if !slices.Equal(p.Log, []float64{2, 4, 8}) {
			t.Fatalf("%s: values %v of the log", p.Name, p.Log)
		}
	}
}
