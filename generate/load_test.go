package generate_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestLoadIsMet checks that the jobs have the requested load, from the first submission to the
// last, for every model, length and seed, and that no job is submitted after the requested days.
// The test computes the load from the jobs.
func TestLoadIsMet(t *testing.T) {
	loads := []float64{0.3, 1.2, 0.7, 0.9}[:longtest.Size(2, 4)]
	lengths := []generate.Options{{Days: 7}, {Jobs: 2000}, {Days: 30, Method: model.ExpectedSlotsMethod}, {Days: 30}}[:longtest.Size(3, 4)]
	for _, name := range model.Presets() {
		site := jobtest.Must(model.Preset(name))
		if site.Classes[0].Malleable != nil && !site.Classes[0].Malleable.Rigid {
			continue // its jobs have no sizes
		}
		for _, load := range loads {
			for _, o := range lengths {
				if o.Method != "" && site.Classes[0].Malleable != nil {
					continue // whose law of seconds has no shape
				}
				for seed := range uint64(longtest.Size(1, 2)) {
					o.Load, o.Seed = load, seed+1
					t.Run(fmt.Sprintf("%s load %g days %g jobs %d seed %d", site.Name, load, o.Days, o.Jobs, o.Seed), func(t *testing.T) {
						w, err := generate.New(site, o)
						if err != nil {
							t.Fatal(err)
						}
						first, last, area, jobs := math.NaN(), 0.0, 0.0, int64(0)
						var made generate.Made
						for j := range workload.Jobs(w.Counted(&made)) {
							if jobs == 0 {
								first = j.Submit
							}
							last = j.Submit
							area += float64(j.Size) * j.Run
							jobs++
						}
						near := 0.005
						if o.Method != "" { // the last submission jumps if the hour at which a gap begins changes
							near = 0.05
						}
						if name == "downey1997-rigid" && o.Jobs > 0 {
							// No jobs are submitted in its 12-hour nights: the last job comes
							// before or after one.
							near = max(near, 6*3600/(last-first))
						}
						if got := area / (last - first) / float64(w.Site.Processors); math.Abs(got/load-1) > near {
							t.Errorf("load %.4f of %d jobs in %.1f days", got, jobs, last/86400)
						}
						if got := made.Load(w.Site.Processors); math.Abs(got*(last-first)*float64(w.Site.Processors)/area-1) > 1e-9 {
							t.Errorf("the load is said to be %g", got)
						}
						if o.Days > 0 && (o.Method != "" && last < 0.6*o.Days*86400 || last >= o.Days*86400) || o.Jobs > 0 && jobs != o.Jobs {
							t.Errorf("%d jobs, the last at %.2f days", jobs, last/86400)
						}
					})
				}
			}
		}
	}
}
