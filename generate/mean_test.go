package generate

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
)

// A class with a mean of its own comes at that rate, whatever its law's mean is,
// with and without a cycle; the model file has the mean.
func TestMeanSecondsIsTheRate(t *testing.T) {
	site, err := model.Preset("lublin1999-batch")
	if err != nil {
		t.Fatal(err)
	}
	const want = 3600.0
	site.Classes[0].Arrivals.MeanSeconds = want
	var file bytes.Buffer
	if err := model.Encode(&file, site); err != nil || !strings.Contains(file.String(), `"mean_s": 3600`) {
		t.Fatalf("%v: %s", err, file.String())
	}
	if site, err = model.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if got := site.Classes[0].Means(site.Processors).Interarrival; got != want {
		t.Errorf("the mean is %g, want %g", got, want)
	}
	for _, stationary := range []bool{false, true} {
		if stationary {
			site.Classes[0].Arrivals = site.Classes[0].Arrivals.WithoutCycle()
		}
		a, err := newArrivals(site.Classes[0], 1, Options{Seed: 16, Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		c := a.start()
		const jobs = 200_000
		last := 0.0
		for range jobs {
			last = c.next()
		}
		if got := last / jobs; math.Abs(got/want-1) > 0.05 {
			t.Errorf("stationary %v: a job each %g s, want %g", stationary, got, want)
		}
	}
	by := site
	by.Classes[0].Arrivals.Method = model.ExpectedInterarrival
	if err := by.Validate(); err == nil {
		t.Error("a mean beside shapes is taken")
	}
}
