package evaluate

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A workload generated from a log's fit is as far from the log as the fit is: D is at most the
// fit's own D plus the noise of two samples, at a false-alarm rate of 1e-7 (2.9 is the root of
// half of ln 2e7). The distributions of run times are fitted to those above 1 s.
func TestGeneratedMarginals(t *testing.T) {
	for _, name := range []string{"KTH-SP2-1996-2.1-cln", "SDSC-Par-1996-3.1-cln"} {
		log := jobtest.Open(t, name+".swf.gz")
		clock, _ := log.Header.Clock()
		jobs := workload.JobsOf(jobtest.Collect(t, log.Jobs()))
		processors, _ := log.Header.Processors()
		classes := jobtest.Must(fit.Collect(jobs, clock, fit.CollectOptions{}, nil))
		model, report, err := site.Fit(classes, clock, site.Options{Processors: processors})
		jobtest.NoError(t, err)
		w := jobtest.Must(generate.New(model, generate.Options{Jobs: 200_000, Seed: 1, Start: generate.FirstDay}))
		profile := func(jobs workload.JobSeq) *score.Profile {
			p := score.NewProfile(score.ProfileOptions{})
			for _, j := range jobtest.Collect(t, jobs) {
				if !(j.Run > 1) {
					j.Run = math.NaN()
				}
				p.Add(&j)
			}
			return p
		}
		r, own := report.Classes[0], [2]float64{}
		for _, s := range r.RunTimes.Shares {
			if s.Form == r.RunTimes.Form {
				own[0] = float64(s.D)
			}
		}
		own[1] = float64(r.Sizes.DGenerated)
		for i, x := range score.Compare(profile(jobs), profile(w.Jobs())).Attributes[:2] { // run times and sizes
			noise := 2.9 * math.Sqrt(1/float64(x.A.Jobs)+1/float64(x.B.Jobs))
			if float64(x.D) > own[i]+noise || own[i] == 0 {
				t.Errorf("%s, %s: D %.4f, want at most the fit's own %.4f and %.4f", name, x.Name, x.D, own[i], noise)
			}
		}
	}
}
