package stats

import (
	"encoding/json"
	"os"
	"testing"
)

// seriesReference is testdata/series.json: values of statsmodels, SciPy and
// pandas, by series.py.
type seriesReference struct {
	Autocorrelation []struct {
		Series []float64
		Lags   []int
		R      []float64
	}
	Spearman struct {
		X, Y []float64
		R    float64
	}
	Events []float64
	Counts []struct {
		Width, Intervals, Mean, Variance, Max float64
		MaxStart                              float64 `json:"max_start"`
		Lags                                  []int
		R                                     []float64
	}
}

func readSeriesReference(t *testing.T) seriesReference {
	t.Helper()
	data, err := os.ReadFile("testdata/series.json")
	if err != nil {
		t.Fatal(err)
	}
	var r seriesReference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Autocorrelation) < 5 || len(r.Spearman.X) == 0 || len(r.Counts) != 3 {
		t.Fatal("testdata/series.json is not whole")
	}
	return r
}
