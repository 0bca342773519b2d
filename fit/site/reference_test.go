package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The part of fit's testdata/reference.json that is of sites; reference.py says
// what is in it.
type (
	hyperGammaReference struct {
		Parameters [5]float64 `json:"parameters"`
	}
	sizesReference struct {
		N           int64      `json:"n"`
		Serial      int64      `json:"serial"`
		Parallel    int64      `json:"parallel"`
		PowersOfTwo int64      `json:"powers_of_two"`
		Log2        [4]float64 `json:"log2"`
		MeanSquare  float64    `json:"mean_square"`
		DRounded    float64    `json:"d_rounded"`
		DGenerated  float64    `json:"d_generated"`
		Gamma       [2]float64 `json:"gamma"`
	}
	shareReference struct {
		Groups []struct {
			Smallest float64 `json:"smallest"`
			Largest  float64 `json:"largest"`
			Median   float64 `json:"median"`
			Jobs     int64   `json:"jobs"`
			P        float64 `json:"p"`
		} `json:"groups"`
		Slope     float64 `json:"slope"`
		Intercept float64 `json:"intercept"`
	}
	arrivalsReference struct {
		PeakGaps      int64      `json:"peak_gaps"`
		Peak          [2]float64 `json:"peak"`
		Gaps          int64      `json:"gaps"`
		ARAR          float64    `json:"arar"`
		Cycle         [2]float64 `json:"cycle"`
		CycleD        float64    `json:"cycle_d"`
		CycleDistance float64    `json:"cycle_distance"`
	}
	logReference struct {
		HyperGamma  hyperGammaReference  `json:"hyper_gamma"`
		Sizes       *sizesReference      `json:"sizes"`
		ShareBySize *shareReference      `json:"share_by_size"`
		Arrivals    *arrivalsReference   `json:"arrivals"`
		Work        *hyperGammaReference `json:"work"`
	}
)

// readReference returns the references by log and selection of jobs.
func readReference(t testing.TB) map[string]map[string]logReference {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Logs map[string]map[string]logReference `json:"logs"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r.Logs
}
