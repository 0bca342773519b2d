package figure

import (
	"io"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// What a result has nothing for is a picture all the same, which says why; of
// several for one reason the first alone is missed where all are drawn.
func TestPicturesOfNothing(t *testing.T) {
	for _, c := range []struct {
		all   []Picture
		name  string
		extra bool
		why   string
	}{
		{OfRunTimes(&evaluate.RunTimesResult{}), RunTimeAccuracyName, false, "nothing was predicted"},
		{OfRunTimes(&evaluate.RunTimesResult{}), RunTimeBestName, true, "nothing was predicted"},
		{OfRunTimes(&evaluate.RunTimesResult{Best: make([]evaluate.BestRunTime, 1)}), RunTimeBestName, true, "want predictions with and without the classes user-app-size-site"},
		{OfWaits(&evaluate.WaitsResult{Scores: []evaluate.WaitScore{{Predictor: "bmbp"}}}), WaitScatterName + "bmbp", false, "nothing was predicted"},
		{OfWaits(&evaluate.WaitsResult{}), WaitAccuracyName, true, "no wait was predicted from a simulated schedule"},
		{OfWaits(&evaluate.WaitsResult{}), WaitCoverageName, false, "the log is shorter than ten days"},
		{OfDescription(&inspect.Description{}), SubmissionsName, false, "no time of submission is known"},
	} {
		p, ok := Find(c.all, c.name)
		if !ok || p.Extra != c.extra {
			t.Errorf("%s: found %t, extra %t", c.name, ok, p.Extra)
			continue
		}
		if err := p.Draw(io.Discard, "svg"); err == nil || err.Error() != c.why {
			t.Errorf("%s: %v, want %q", c.name, err, c.why)
		}
	}
	if _, ok := Find(nil, "map"); ok {
		t.Error("found in nothing")
	}
}

// A result without distributions has bars all the same: what cannot be drawn is an
// error of that picture alone.
func TestPicturesFailApart(t *testing.T) {
	all := OfRunTimes(&evaluate.RunTimesResult{Best: make([]evaluate.BestRunTime, 1), Scores: []evaluate.RunTimeScore{{Classes: "user", Predictor: "last"}}})
	p, _ := Find(all, RunTimeAccurateName)
	if err := p.Draw(io.Discard, "svg"); err == nil || !strings.Contains(err.Error(), "no predictions to draw") {
		t.Error(err)
	}
	p, _ = Find(all, RunTimeAccuracyName)
	var svg strings.Builder
	if err := p.Draw(&svg, "svg"); err != nil || !strings.Contains(svg.String(), ">last<") {
		t.Errorf("%v %.200s", err, svg.String())
	}
}
