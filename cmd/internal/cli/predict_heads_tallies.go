package cli

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

// headTallies count what comes of the predictors at the head of the queue.
type headTallies struct {
	run    *predictRun
	names  []string // of the predictors
	a, b   int      // places of downey-a and downey-b, below 0 for none
	waits  []score.WaitTally
	parts  *partTallies
	needed score.NeededTally
	curve  *score.CalibrationTally // nil for none
}

func (r *predictRun) newHeadTallies(names []string) *headTallies {
	t := &headTallies{run: r, names: names, waits: make([]score.WaitTally, len(names)), parts: r.newParts(len(names))}
	if r.calibrates() && slices.Contains(names, "downey-a-exact") {
		t.curve = score.NewCalibrationTally(calibrationLevels)
	}
	t.a, t.b = slices.Index(names, "downey-a"), slices.Index(names, "downey-b")
	if t.a >= 0 && t.b >= 0 {
		r.threshold = new(predict.Threshold)
	}
	return t
}

// add enters a job, and writes its predictions.
func (t *headTallies) add(row *predict.HeadWait) error {
	r := t.run
	t.needed.Add(row.Needed, row.Benefactors)
	if r.threshold != nil {
		r.threshold.Add(row.Needed, row.Predictions[t.a].Seconds, row.Predictions[t.b].Seconds, row.Actual)
	}
	if t.curve != nil {
		t.curve.AddLevel(row.Level)
	}
	for i, p := range row.Predictions {
		t.waits[i].Add(p.Seconds, row.Actual)
		t.parts.wait(i, &row.Request, p.Seconds, row.Actual)
		if err := r.write(row.Request.ID, waitsAtHead, t.names[i], unbounded(p), row.Actual); err != nil {
			return err
		}
	}
	return nil
}

// conclude puts the scores into the run.
func (t *headTallies) conclude() {
	r := t.run
	r.needed = t.needed.Result()
	for i, name := range t.names {
		s := t.waits[i].Result()
		r.scores = append(r.scores, predictScore{predictor: name, waits: waitsAtHead, wait: &s, parts: t.parts.of(i), followed: t.parts.followed[i]})
	}
	if t.curve != nil {
		r.calibration = append(r.calibration, predictCalibration{"downey-a-exact", waitsAtHead, t.curve.Result()})
	}
}
