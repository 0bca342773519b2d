package cli

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// No earlier result makes its readers panic, and the scores that are taken from
// one are numbers, each within its bounds or without any.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"` + evaluate.WaitsSchema + `","log":{"name":"x","jobs":3},"quantile":0.95,"confidence":0.95,"parameters":"hindsight","changes":"misses",` +
		`"options":{"law":"uniform-log","trim":0.1,"limits":false,"months":1,"estimate_factor":0},"scores":[{"predictor":"bmbp","jobs":4,"predicted":3,` +
		`"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6,"coverage":1,"coverage_low":null,"coverage_high":null,` +
		`"correlation_log":null,"correlation_log_low":null,"correlation_log_high":null,"sums":{"jobs":"1f","predicted":"1 2","accuracy":"0.5 1",` +
		`"held":"1 2","log_pairs":"1 2","log_predicted_mean":"1 2","log_actual_mean":"1 2","log_predicted_squares":"0 1","log_actual_squares":"0 1","log_products":"0 1"}}]}`))
	f.Add([]byte(`{"schema":"` + evaluate.RunTimesSchema + `","log":{"name":"x","jobs":3},"options":{"alpha":0.5,"window":5,"neighbours":5,"quantile":0.95,"confidence":0.95},"fallback":null,` +
		`"scores":[{"classes":"user","predictor":"last2","jobs":4,"predicted":3,"accuracy_mean":0.5,"accuracy_low":0.4,"accuracy_high":0.6}]}`))
	f.Add([]byte(`{"schema":"` + evaluate.RunTimesSchema + `","scores":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p predictBaseline
		if decodeBaseline(data, "x", evaluate.WaitsSchema, &p) == nil {
			checkBaseline(t, p.scores)
		}
		var r runtimeBaseline
		if decodeBaseline(data, "x", evaluate.RunTimesSchema, &r) == nil {
			checkBaseline(t, r.scores)
		}
	})
}

func checkBaseline(t *testing.T, scores []baselineScore) {
	if len(scores) == 0 {
		t.Error("no scores")
	}
	for _, s := range scores {
		if s.name == "" || math.Abs(s.value) > 1+rounding || s.low > s.high || math.IsNaN(s.low) != math.IsNaN(s.high) {
			t.Errorf("%+v", s)
		}
		if s.clusters != nil {
			score.Difference(*s.clusters, *s.clusters, score.Sums.CorrelationLog, leastReplicates, intervalLevel, 1)
		}
	}
}
