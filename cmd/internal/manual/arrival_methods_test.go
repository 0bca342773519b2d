package manual

import (
	"bytes"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// The paper's three ways of introducing the daily cycle into the arrivals, compared with the log:
// the third is closest to the log's half hours on KTH-SP2-1996, but not on SDSC-Par-1996, whose
// arrivals are flatter than their Gamma. The figures of the manual show the same jobs; -update
// draws them.
func TestArrivalMethodsFigures(t *testing.T) {
	for _, tt := range []struct {
		log, picture string
		thirdIsBest  bool
	}{
		{"KTH-SP2-1996-2.1-cln", "arrivals-kth.svg", true},
		{"SDSC-Par-1996-3.1-cln", "arrivals-sdsc.svg", false},
	} {
		log := jobtest.Must(logfile.Open(reallogs.Path(t, "swf/"+tt.log+".swf.gz"), workload.Options{}))
		defer log.Close()
		clock, _ := log.Header.Clock()
		var slots [model.Slots]float64
		jobs := int64(0)
		seen := func(yield func(workload.Job, error) bool) {
			for j, err := range log.Jobs() {
				at := clock.At(j.Submit)
				slots[(at.Hour()*60+at.Minute())/30]++
				jobs++
				if !yield(j, err) {
					return
				}
			}
		}
		processors, _ := log.Header.Processors()
		classes, err := fit.Collect(seen, clock, fit.CollectOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site, _, err := site.Fit(classes, clock, site.Options{Processors: processors})
		if err != nil {
			t.Fatal(err)
		}
		share := func(counts [model.Slots]float64) []float64 {
			shares, n := make([]float64, model.Slots), 0.0
			for _, c := range counts {
				n += c
			}
			for i, c := range counts {
				shares[i] = c / n
			}
			return shares
		}
		names, shares := []string{"the log"}, [][]float64{share(slots)}
		distance := map[model.Method]float64{}
		for _, m := range []model.Method{model.SlotWeights, model.ExpectedInterarrival, model.ExpectedSlotsMethod} {
			// Ten times as many jobs, to reduce the effect of chance.
			site.Classes[0].Arrivals.Week = nil
			w, err := generate.New(site, generate.Options{Jobs: 10 * jobs, Seed: 1, Method: m, Start: generate.FirstDay})
			if err != nil {
				t.Fatal(err)
			}
			var made [model.Slots]float64
			for j, err := range w.Jobs() {
				if err != nil {
					t.Fatal(err)
				}
				made[int(j.Submit/model.SlotSeconds)%model.Slots]++
			}
			names, shares = append(names, string(m)), append(shares, share(made))
			for i, p := range shares[0] {
				q := shares[len(shares)-1][i]
				distance[m] += float64(jobs) * (p - q) * (p - q) / (p + q)
			}
		}
		t.Logf("%s: distances from the log's half hours %v", tt.log, distance)
		third := distance[model.SlotWeights]
		if best := third < distance[model.ExpectedInterarrival] && third < distance[model.ExpectedSlotsMethod]; best != tt.thirdIsBest {
			t.Errorf("%s: distances from the log %v: that the third method is nearest is %v, want %v", tt.log, distance, best, tt.thirdIsBest)
		}
		cycles := figure.DailyCycles("arrivals of "+tt.log+" by the three methods of Lublin and Feitelson (2003)", names, shares...)
		var picture bytes.Buffer
		jobtest.NoError(t, cycles.Draw(&picture, "svg"))
		isPicture(t, tt.picture, picture.Bytes())
	}
}
