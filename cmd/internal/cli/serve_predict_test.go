package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
)

// What serve --replay answers about the jobs of a log has the scores of predict, to the last
// digit.
func TestServeScoresAsPredict(t *testing.T) { scoresAsPredict(t, queuedLog(t, 3000), time.Minute) }

func scoresAsPredict(t *testing.T, log string, within time.Duration) {
	s := startService(t, "--replay", log, "--speed", quickly, "--predictors", "bmbp,qbets,conformal")
	s.ended(within)
	var scores live.Scores
	s.read("/v1/scores", &scores)
	for _, quantile := range []float64{0.5, 0.8, 0.95} {
		got := loadstone(t, "", "predict", log, "--predictors", "bmbp,qbets,conformal", "--quantile", fmt.Sprint(quantile), "--format", "json", "-q")
		var predicted struct {
			Scores []struct {
				Predictor string
				Predicted int
				Coverage  json.Number
				Loss      json.Number `json:"pinball_loss_min"`
				Median    json.Number `json:"bound_median_min"`
			}
		}
		if err := json.Unmarshal([]byte(got.out), &predicted); err != nil || len(predicted.Scores) != 3 {
			t.Fatalf("%v, %s%s", err, got.out, got.err)
		}
		for _, want := range predicted.Scores {
			for _, b := range scores.Bounds {
				if b.Predictor != want.Predictor || b.Quantile != quantile {
					continue
				}
				saw := fmt.Sprint(b.Answers, b.Settled, text(b.Coverage.All), text(b.Loss), text(b.Median))
				if wanted := fmt.Sprint(want.Predicted, want.Predicted, want.Coverage, want.Loss, want.Median); saw != wanted {
					t.Errorf("%s, %s at %g: %s, want %s", log, b.Predictor, quantile, saw, wanted)
				}
				want.Predicted = -1
			}
			if want.Predicted != -1 {
				t.Errorf("%s, %s at %g: no score", log, want.Predictor, quantile)
			}
		}
	}
}

// text is a number as JSON has it.
func text(x any) string {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(b))
}
