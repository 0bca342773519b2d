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
// digit. So has what score finds in the store.
func TestServeScoresAsPredict(t *testing.T) { scoresAsPredict(t, queuedLog(t, 3000), time.Minute) }

func scoresAsPredict(t *testing.T, log string, within time.Duration) {
	store := t.TempDir()
	s := startService(t, "--replay", log, "--speed", quickly, "--predictors", "bmbp,qbets,conformal", "--store", store)
	s.ended(within)
	var scores live.Scores
	s.read("/v1/scores", &scores)
	var stored predictScores
	stored.read(t, "score", store)
	for _, quantile := range []float64{0.5, 0.8, 0.95} {
		var predicted predictScores
		predicted.read(t, "predict", log, "--predictors", "bmbp,qbets,conformal", "--quantile", fmt.Sprint(quantile))
		for _, want := range predicted.Scores {
			for _, b := range scores.Bounds {
				if b.Predictor != want.Predictor || b.Quantile != quantile {
					continue
				}
				in := stored.of(fmt.Sprintf("%s@%g", b.Predictor, quantile))
				in.Predictor = want.Predictor
				if in != want {
					t.Errorf("%s, %s at %g: in the store %+v, want %+v", log, b.Predictor, quantile, in, want)
				}
				saw := fmt.Sprint(b.Answers, b.Settled, text(b.Coverage.All), text(b.QuantileLoss), text(b.BoundMedian))
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

// predictScores are those of the JSON of predict and score.
type predictScores struct {
	Scores []predictScore
}

type predictScore struct {
	Predictor string
	Predicted int
	Coverage  json.Number
	Loss      json.Number `json:"pinball_loss_min"`
	Median    json.Number `json:"bound_median_min"`
}

func (p *predictScores) read(t *testing.T, args ...string) {
	t.Helper()
	got := loadstone(t, "", append(args, "--format", "json", "-q")...)
	if err := json.Unmarshal([]byte(got.out), p); err != nil || len(p.Scores) < 3 {
		t.Fatalf("%q: %v, %s%s", args, err, got.out, got.err)
	}
}

func (p *predictScores) of(predictor string) predictScore {
	for _, s := range p.Scores {
		if s.Predictor == predictor {
			return s
		}
	}
	return predictScore{}
}

// text is a number as JSON has it.
func text(x any) string {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(b))
}
