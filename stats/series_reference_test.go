package stats

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
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
	return longtest.ReadJSON[seriesReference](t, "testdata/series.json")
}
