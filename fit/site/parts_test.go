package site

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fitted"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// sitePart is a log in testdata/site.json; site.py says what is in it.
type sitePart struct {
	SizeGamma struct {
		Shape, Scale, D float64
		DRounded        float64 `json:"d_rounded"`
		N               int64
		LogLikelihood   float64 `json:"log_likelihood"`
	} `json:"size_gamma"`
	Forms struct {
		Linear, Constant formReference
		LogOdds          formReference `json:"log-odds"`
		LeastD           [2]float64    `json:"least_d"`
		Correlation      float64
	}
	Week struct {
		Jobs, Seconds, Weights [model.Weekdays]float64
	}
	Arrivals struct {
		Gaps []struct {
			Min  float64
			N    int64
			Law  [2]float64
			ARAR float64
		}
		PeakOff struct {
			Jobs float64
			Law  [2]float64
		} `json:"peak_off"`
	}
}

type formReference struct {
	Slope, Intercept, D float64
	LogLikelihood       float64 `json:"log_likelihood"`
	DGroups             float64 `json:"d_groups"`
	DWorst              float64 `json:"d_worst"`
}

func readSiteParts(t testing.TB, log string) sitePart {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "site.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Logs map[string]sitePart }
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	p, ok := r.Logs[log]
	if !ok || len(p.Arrivals.Gaps) == 0 {
		t.Fatalf("testdata/site.json has no %s", log)
	}
	return p
}

func TestSitePartsAgreeWithSciPy(t *testing.T) {
	for _, name := range []string{fittest.KTH, fittest.SDSC} {
		t.Run(name, func(t *testing.T) {
			want := readSiteParts(t, name)
			c := fitted.CollectLog(t, name)
			o := Options{}.filled()

			_, sizes, err := fitSizes(c, o)
			if err != nil {
				t.Fatal(err)
			}
			g, w := sizes.Gamma, want.SizeGamma
			if g.Law.N != w.N {
				t.Errorf("size Gamma: n %d, want %d", g.Law.N, w.N)
			}
			fittest.Relative(t, "size Gamma: shape", fittest.Parameter(t, g.Law.Parameters, "shape"), w.Shape, 1e-9)
			fittest.Relative(t, "size Gamma: scale", fittest.Parameter(t, g.Law.Parameters, "scale"), w.Scale, 1e-9)
			fittest.Relative(t, "size Gamma: log-likelihood", g.Law.LogLikelihoodTransformed, w.LogLikelihood, 1e-9)
			fittest.Relative(t, "size Gamma: ordinary D", g.Law.KS.D, w.D, 1e-9)
			fittest.Relative(t, "size Gamma: D after rounding", g.DRounded, w.DRounded, 1e-9)

			fittest.Relative(t, "correlation of size and run time", sizeRunCorrelation(c.Shapes()), want.Forms.Correlation, 1e-9)
			week := weekOf(c.Collector)
			for d := range week.Jobs {
				fittest.Relative(t, "jobs of a weekday", float64(week.Jobs[d]), want.Week.Jobs[d], 0)
				fittest.Relative(t, "seconds of a weekday", week.Seconds[d], want.Week.Seconds[d], 1e-12)
				fittest.Relative(t, "weight of a weekday", week.Weights[d], want.Week.Weights[d], 1e-12)
			}
		})
	}
}

// TestShareFormsAgreeWithSciPy gives the forms the two Gammas that SciPy's
// reference values are for.
func TestShareFormsAgreeWithSciPy(t *testing.T) {
	for _, name := range []string{fittest.KTH, fittest.SDSC} {
		want := readSiteParts(t, name).Forms
		p := readReference(t)[name]["all"].HyperGamma.Parameters
		runs := newSizedRuns(fitted.CollectLog(t, name).Collector, hyperGammaOf(p))
		groups := runs.groups()
		forms := runs.shares(groups, p[4])
		if len(forms) != 7 {
			t.Fatalf("%d forms, want 3 by likelihood, 3 by least D and the line of all jobs", len(forms))
		}
		for i, w := range []formReference{want.Linear, want.LogOdds, want.Constant} {
			f := forms[i]
			what := name + ": " + f.Form
			if f.Estimator != ByLikelihood {
				t.Errorf("%s is by %s", what, f.Estimator)
			}
			fittest.Relative(t, what+": slope", f.Slope, w.Slope, 1e-5)
			fittest.Relative(t, what+": intercept", f.Intercept, w.Intercept, 1e-5)
			fittest.Relative(t, what+": log-likelihood", f.LogLikelihood, w.LogLikelihood, 1e-6)
			fittest.Near(t, what+": D", f.D, w.D, 1e-5)
			fittest.Near(t, what+": mean D of the groups", f.DGroups, w.DGroups, 1e-5)
			fittest.Near(t, what+": worst D of the groups", f.DWorst, w.DWorst, 1e-5)
		}
		least := forms[3]
		if least.Form != FormLinear || least.Estimator != ByLeastD {
			t.Errorf("%s: the fourth form is %s by %s", name, least.Form, least.Estimator)
		}
		fittest.Relative(t, name+": slope by least D", least.Slope, want.LeastD[0], 1e-3)
		fittest.Relative(t, name+": intercept by least D", least.Intercept, want.LeastD[1], 1e-3)
		for _, g := range groups {
			if g.LeastD > g.D {
				t.Errorf("%s: sizes %d to %d: least D %g is above D %g", name, g.Smallest, g.Largest, g.LeastD, g.D)
			}
		}
	}
}

func TestGapsLeftOut(t *testing.T) {
	monday := workload.Clock{Known: true}
	for _, name := range []string{fittest.KTH, fittest.SDSC} {
		c := fitted.CollectLog(t, name)
		for _, w := range readSiteParts(t, name).Arrivals.Gaps {
			what := fmt.Sprintf("%s: gaps above %g s", name, w.Min)
			o := Options{MinGap: w.Min}.filled() // a MinGap of 0 is 1
			a, r, err := fitArrivals(c, monday, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Peak.N != w.N {
				t.Errorf("%s: %d gaps, want %d", what, r.Peak.N, w.N)
			}
			gaps, _ := a.Gaps.(model.LnGaps)
			fittest.Relative(t, what+": shape", gaps.Peak.Shape, w.Law[0], 1e-9)
			fittest.Relative(t, what+": scale", gaps.Peak.Scale, w.Law[1], 1e-9)
			fittest.Relative(t, what+": ARAR", gaps.ARAR, w.ARAR, 1e-9)
			jobs := r.Gaps
			all, _ := o.gapSamples(c.Collector)
			for _, l := range all.LeftOut {
				jobs += l.Jobs
			}
			if jobs != c.Jobs() {
				t.Errorf("%s: %d gaps used and left out, want %d", what, jobs, c.Jobs())
			}
		}
	}
}

func TestAutomaticPeak(t *testing.T) {
	for _, name := range []string{fittest.KTH, fittest.SDSC} {
		want := readSiteParts(t, name).Arrivals.PeakOff
		_, r, err := fitArrivals(fitted.CollectLog(t, name), workload.Clock{Known: true}, Options{AutomaticPeaks: []AutomaticPeak{{"nine", 9, 10}}}.filled())
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Cycle.Peaks) != 1 || r.Cycle.Peaks[0].Name != "nine" || r.Cycle.Peaks[0].Jobs != want.Jobs {
			t.Errorf("%s: taken off: %+v, want %g jobs", name, r.Cycle.Peaks, want.Jobs)
		}
		fittest.Relative(t, name+": cycle shape", r.Cycle.gamma().Shape, want.Law[0], 1e-9)
		fittest.Relative(t, name+": cycle scale", r.Cycle.gamma().Scale, want.Law[1], 1e-9)
		if r.FullCycle == nil || r.FullCycle.N != r.Cycle.N+int64(want.Jobs) || want.Jobs > 0 && r.FullCycle.Law == r.Cycle.Law {
			t.Errorf("%s: the cycle with the peak is %+v", name, r.FullCycle)
		}
	}
	// The cleaned SDSC log has one job too many in the paper's peak.
	_, r, err := fitArrivals(fitted.CollectLog(t, fittest.SDSC), workload.Clock{Known: true}, Options{AutomaticPeaks: []AutomaticPeak{{"SDSC, 3:30", 3, 4}}}.filled())
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Cycle.Peaks[0].Jobs; n != 1 {
		t.Errorf("the paper's peak of the cleaned log has %g jobs too many, want 1", n)
	}
}

func TestTakeOff(t *testing.T) {
	var jobs [model.Slots]float64
	jobs[47], jobs[0], jobs[1], jobs[2] = 10, 100, 20, 30
	// From 0:00 to 1:00: the half hours around are 23:30 and 1:00, mean 20.
	got, off := takeOff(jobs, []AutomaticPeak{{"midnight", 0, 1}})
	if got[0] != 20 || got[1] != 20 || got[47] != 10 || got[2] != 30 || off[0].Jobs != 80 {
		t.Errorf("half hours %v, %v, %v, %v; %g jobs taken off", got[47], got[0], got[1], got[2], off[0].Jobs)
	}
	// Up to midnight: the half hours around are 22:30 and 0:00.
	jobs[45], jobs[46], jobs[47] = 0, 7, 90
	got, off = takeOff(jobs, []AutomaticPeak{{"late", 23, 24}})
	if got[46] != 7 || got[47] != 50 || off[0].Jobs != 40 {
		t.Errorf("half hours %v, %v; %g jobs taken off", got[46], got[47], off[0].Jobs)
	}
}

func TestSizeRanges(t *testing.T) {
	c := fitted.CollectLog(t, fittest.KTH)
	all := c.Sample(fit.Work).Jobs()
	var jobs, work int64
	for _, r := range sizeRanges(c.Shapes(), 3) {
		jobs += jobsOfSizes(c.Shapes(), r)
		work += c.SampleOfSizes(fit.Work, r).Jobs()
	}
	// One of the 28,476 jobs has no size.
	if jobs != 28475 || work != all {
		t.Errorf("groups of sizes have %d jobs and %d with work, want 28475 and %d", jobs, work, all)
	}
}

// The form chosen is the model's, and the model gives the shares that the
// report judged.
func TestSitePForm(t *testing.T) {
	c := fitted.CollectLog(t, fittest.KTH)
	for _, form := range []string{"", FormLikeliest, FormLinear, FormLogOdds, FormConstant} {
		m, r, err := fitRunTimes(c, Options{PForm: form}.filled())
		if err != nil {
			t.Fatal(err)
		}
		byJobs := func(s float64) float64 { return float64(r.Shares[6].Slope)*s + float64(r.Shares[6].Intercept) }
		want := map[string]func(float64) float64{
			"":            byJobs,
			FormLikeliest: byJobs,
			FormLinear: func(s float64) float64 {
				return min(1, max(0, float64(r.Shares[0].Slope)*s+float64(r.Shares[0].Intercept)))
			},
			FormLogOdds: func(s float64) float64 {
				return 1 / (1 + math.Exp(-float64(r.Shares[1].Slope)*s-float64(r.Shares[1].Intercept)))
			},
			FormConstant: func(float64) float64 { return float64(r.Shares[2].Intercept) },
		}[form]
		for _, size := range []int64{1, 8, 64, 100} {
			fittest.Near(t, "p of "+form, m.P(size), want(float64(size)), 1e-14)
		}
		if float64(r.Slope) != m.PSlope || float64(r.Intercept) != m.PIntercept {
			t.Errorf("%q: the report has %v and %v, the model %g and %g", form, r.Slope, r.Intercept, m.PSlope, m.PIntercept)
		}
		if said := len(r.Warnings); said != 1 && form != FormConstant {
			t.Errorf("%q: warnings %q", form, r.Warnings)
		}
	}
}

// TestLineByJobs: the line of jobs that follow one comes back, by an
// information matrix by hand within five standard errors, where the paper's,
// clipped to 0 at the largest sizes, may be thousands less likely than no line.
// With the Gammas far apart every job tells its own, so that the share of a
// size is a proportion and the line a weighted regression, of the sizes that are
// not clipped; and nothing is likelier than what is found, the true line included.
func TestLineByJobs(t *testing.T) {
	for _, truth := range []model.Line{{PIntercept: 0.78, PSlope: -0.0054}, {PIntercept: 1.2, PSlope: -0.03}, {PIntercept: -1.5, PSlope: 0.02}} {
		h := dist.HyperGamma{First: dist.Gamma{Shape: 30, Scale: 0.1}, Second: dist.Gamma{Shape: 900, Scale: 0.01}, P: 0.6}
		rng := rand.New(rand.NewPCG(1, 2))
		c := fit.NewCollector(workload.Clock{})
		const n = 20000
		var information [3]float64 // of intercept, both, slope
		for i := range n {
			j := workload.UnknownJob()
			j.Submit, j.Size = float64(i), 1+rng.Int64N(128)
			p := truth.P(j.Size)
			law := h.Second
			if rng.Float64() < p {
				law = h.First
			}
			j.Run = math.Exp(law.Rand(rng))
			c.Add(&j)
			for k, x := range []float64{1, float64(j.Size), float64(j.Size * j.Size)} {
				if p > 0 && p < 1 {
					information[k] += x / (p * (1 - p))
				}
			}
		}
		runs := newSizedRuns(c, h)
		groups := runs.groups()
		shares := runs.shares(groups, h.P)
		line := shares[6]
		det := information[0]*information[2] - information[1]*information[1]
		fittest.Near(t, "slope", line.Slope, truth.PSlope, 5*math.Sqrt(information[0]/det))
		fittest.Near(t, "intercept", line.Intercept, truth.PIntercept, 5*math.Sqrt(information[2]/det))
		own := ShareFit{Form: FormLinear, Estimator: "truth", Slope: stats.Number(truth.PSlope), Intercept: stats.Number(truth.PIntercept)}
		runs.judge(&own, runs.distance(runs.jobs))
		for _, f := range append(shares[:6:6], own) {
			if f.Form != FormLogOdds && f.LogLikelihood > line.LogLikelihood+1e-6 {
				t.Errorf("%v: %s by %s has log-likelihood %g, the line %g", truth, f.Form, f.Estimator, f.LogLikelihood, line.LogLikelihood)
			}
		}
	}
}

// The line is taken where BIC prefers it to a constant.
func TestChooseShare(t *testing.T) {
	of := func(line, byJobs, constant stats.Number) []ShareFit {
		return []ShareFit{
			{Form: FormLinear, Estimator: ByLikelihood, LogLikelihood: line}, {Form: FormConstant, Estimator: ByLikelihood, LogLikelihood: constant},
			{Form: FormLinear, Estimator: ByJobs, LogLikelihood: byJobs},
		}
	}
	const jobs = 1000 // half of its logarithm is 3.45
	for _, tt := range []struct {
		shares                []ShareFit
		form, want, estimator string
		says                  string
	}{
		{of(-200, -100, -110), FormLikeliest, FormLinear, ByJobs, "by 10 in log-likelihood"},
		{of(-200, -100, -103.4), FormLikeliest, FormConstant, ByLikelihood, "by at most 3.4"},
		{of(-200, -100, -110), FormLinear, FormLinear, ByLikelihood, "is better than the linear form"},
		{of(-200, -100, -110), FormConstant, FormConstant, ByLikelihood, ""},
		{of(stats.Number(math.NaN()), 0, 0)[:1], FormLikeliest, FormLinear, ByLikelihood, ""},
	} {
		chosen, why := chooseShare(tt.shares, tt.form, jobs)
		if said := strings.Join(why, "; "); chosen.Form != tt.want || chosen.Estimator != tt.estimator || (said == "") != (tt.says == "") || !strings.Contains(said, tt.says) {
			t.Errorf("%+v by %s: %s by %s (%s), want %s (%s)", tt.shares, tt.form, chosen.Form, chosen.Estimator, said, tt.want, tt.says)
		}
	}
}

func TestSitePartsOptions(t *testing.T) {
	for _, o := range []Options{
		{PForm: "logit"},
		{AutomaticPeaks: []AutomaticPeak{{"x", 3.25, 4}}}, {AutomaticPeaks: []AutomaticPeak{{"x", 4, 3}}}, {AutomaticPeaks: []AutomaticPeak{{"x", -1, 3}}},
		{AutomaticPeaks: []AutomaticPeak{{"x", 3, math.NaN()}}}, {AutomaticPeaks: []AutomaticPeak{{"x", 3, 25}}}, {AutomaticPeaks: []AutomaticPeak{{"x", 0, 24}}},
		{SizeRanges: []fit.SizeRange{{From: 0, To: 4}}}, {SizeRanges: []fit.SizeRange{{From: 5, To: 4}}}, {SizeRanges: make([]fit.SizeRange, 65)},
	} {
		if err := o.Validate(); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	ok := Options{PForm: FormLogOdds, AutomaticPeaks: []AutomaticPeak{{"x", 23.5, 24}}, SizeRanges: []fit.SizeRange{{From: 1, To: 1}}}
	if err := ok.Validate(); err != nil {
		t.Error(err)
	}
}

// A group of too few jobs is said, and is no reason to have no model.
func TestSmallGroupsOfSizes(t *testing.T) {
	_, r, err := Fit(fittest.Jobs(600, fittest.Plain), workload.Clock{}, Options{SizeRanges: []fit.SizeRange{{From: 1, To: 16}, {From: 100, To: 200}}})
	if err != nil {
		t.Fatal(err)
	}
	full, empty := r.Classes[0].BySize[0], r.Classes[0].BySize[1]
	if full.RunTime == nil || full.Work == nil || full.Jobs != 600 || full.RunTime.N != 600 {
		t.Errorf("sizes 1 to 16: %+v", full)
	}
	if empty.RunTime != nil || empty.Work != nil || empty.WhyNoRunTime == "" || empty.WhyNoWork == "" || empty.Jobs != 0 {
		t.Errorf("sizes 100 to 200: %+v", empty)
	}
}

// A job so far out that neither Gamma gives it anything is no part of the
// shares: of the others, one in four is the first's.
func TestShareOfJobsFarOut(t *testing.T) {
	none := math.Inf(-1)
	jobs := []sizedRun{{0, 1, 0, none}, {1, 3, none, 0}, {2, 5, none, none}}
	if p := shareOf(jobs); math.Abs(p-0.25) > 1e-9 {
		t.Errorf("share is %g, want 0.25", p)
	}
	if p := shareOf(jobs[2:]); math.IsNaN(p) {
		t.Error("the share of no job is NaN")
	}
}
