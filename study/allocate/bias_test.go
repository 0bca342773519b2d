package allocate

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
)

// A line of a first run is the one that its forecasts have, from the first
// prediction on.
func TestFirstRun(t *testing.T) {
	jobs, err := short(4).Jobs(1)
	if err != nil {
		t.Fatal(err)
	}
	study := Study{Machine: paperMachine(), Strategies: Strategies()[2:4], Keep: true}
	study.Rules.Correction = FirstRun
	o, err := study.Run(jobs)
	if err != nil {
		t.Fatal(err)
	}
	line := o.Rows[0].Application.Bias
	for _, forecasts := range [][]Forecast{o.Rows[1].AloneForecasts, o.Rows[1].ScheduleForecasts} {
		if len(forecasts) < 100 {
			t.Fatalf("%d forecasts", len(forecasts))
		}
		for _, f := range forecasts {
			want := math.Exp(line.Intercept + line.Slope*math.Log(f.Raw))
			if !(math.Abs(f.Predicted/want-1) < 1e-12) && want > predict.Shortest {
				t.Fatalf("%g became %g, want %g", f.Raw, f.Predicted, want)
			}
		}
	}
	// Of two jobs no line follows, and nothing is corrected.
	few := []Job{{Sequential: 30, Parallelism: 3}, {Offset: 1, Sequential: 80, Parallelism: 4}}
	study.Machine.Processors = 4
	if o, err = study.Run(few); err != nil {
		t.Fatal(err)
	}
	for _, f := range o.Rows[1].AloneForecasts {
		if f.Predicted != f.Raw {
			t.Errorf("%g became %g", f.Raw, f.Predicted)
		}
	}
	study.Rules.Correction = "late"
	if _, err := study.Run(few); err == nil || !strings.Contains(err.Error(), `correction "late", want one of [running first-run]`) {
		t.Error(err)
	}
}
