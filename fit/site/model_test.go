package site

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fromMonday is a clock that begins on Monday, 5 January 1970, at midnight.
var fromMonday = workload.Clock{Start: time.Unix(4*86400, 0).UTC(), Known: true}

// plainBut returns n plain jobs, modified by change.
func plainBut(n int, change func(i int, j *workload.Job)) workload.JobSeq {
	return workload.JobSeq(fittest.Jobs(n, func(i int, j *workload.Job) {
		if fittest.Plain(i, j); change != nil {
			change(i, j)
		}
	}))
}

func TestSiteOfOddLogs(t *testing.T) {
	queue := workload.ClassColumn{Column: "queue_id"}
	for name, tt := range map[string]struct {
		jobs    workload.JobSeq
		clock   workload.Clock
		options Options
		by      []workload.ClassColumn
		err     string                                                // part of the error; "" for none
		right   func(s model.Site, c model.Class, r ClassReport) bool // of the first class
	}{
		"too few jobs":      {jobs: plainBut(99, nil), err: "99 jobs, want at least 100"},
		"few jobs, allowed": {jobs: plainBut(50, nil), options: Options{LeastJobs: 50}},
		"bad option":        {jobs: plainBut(200, nil), options: Options{MinGap: 0.5}, err: "min-gap: 0.5"},
		"all serial": {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Size = 1 }), right: func(_ model.Site, c model.Class, r ClassReport) bool {
			return c.Sizes.(*model.TwoStageSizes).SerialShare == 1 && c.RunTimes.(*model.GammaRunTimes).PSlope == 0 && len(r.Warnings) == 2
		}},
		"one parallel size": {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Size = 12 }), options: Options{Processors: 64}, right: func(_ model.Site, c model.Class, _ ClassReport) bool {
			return c.Means(64).Size > 12-1e-11 && c.Means(64).Size < 12+1e-11
		}},
		"two parallel sizes":  {jobs: plainBut(500, func(i int, j *workload.Job) { j.Size = int64(2 + i%2) }), options: Options{Processors: 64}},
		"no run times":        {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Run = math.NaN() }), err: "run_time"},
		"no sizes":            {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Size = workload.Unknown }), err: "size"},
		"equal run times":     {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Run = 60 }), err: "1 distinct value "},
		"no submission times": {jobs: plainBut(500, func(_ int, j *workload.Job) { j.Submit = math.NaN() }), err: "interarrival"},
		"all at night": {jobs: plainBut(500, func(i int, j *workload.Job) { j.Submit = float64(i*86400 + i%7*30) }), clock: fromMonday, right: func(_ model.Site, c model.Class, r ClassReport) bool {
			return r.Arrivals.AllHours && c.Arrivals.ARAR == 1 && c.Arrivals.Method == model.Stationary
		}},
		"unknown time of day": {jobs: plainBut(500, nil), right: func(_ model.Site, c model.Class, _ ClassReport) bool {
			return c.Arrivals.Method == model.Stationary && c.Arrivals.Cycle == (dist.Gamma{})
		}},
		"sizes above the machine": {jobs: plainBut(600, nil), options: Options{Processors: 8}, right: func(_ model.Site, _ model.Class, r ClassReport) bool {
			return r.Sizes.N == 500 && len(r.Sizes.LeftOut) == 1 && r.Sizes.LeftOut[0].Jobs == 100
		}},
		"status filter": {jobs: plainBut(600, func(i int, j *workload.Job) { j.Status = int64(i % 3) }), options: Options{Status: []int64{1}}, right: func(_ model.Site, c model.Class, _ ClassReport) bool {
			return c.Jobs == 200
		}},
		"classes, one small, one unknown": {by: []workload.ClassColumn{queue}, jobs: plainBut(700, func(i int, j *workload.Job) {
			switch {
			case i%10 == 9:
				j.Queue = workload.Unknown
			case i%50 == 0:
				j.Queue = 7
			}
		}), right: func(s model.Site, _ model.Class, _ ClassReport) bool { return len(s.Classes) == 3 }},
	} {
		t.Run(name, func(t *testing.T) {
			site, report, err := fitOf(t, tt.jobs, tt.clock, tt.options, tt.by...)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error is %v, want one with %q", err, tt.err)
				}
				return
			}
			if err == nil {
				err = site.Validate()
			}
			if err != nil {
				t.Fatal(err)
			}
			if tt.right != nil && !tt.right(site, site.Classes[0], report.Classes[0]) {
				t.Errorf("%+v", report)
			}
			if tt.by == nil {
				return
			}
			if f := report.Fallbacks; len(f) != 1 || f[0].Label != "queue_id=7" || f[0].Jobs != 14 {
				t.Errorf("fallbacks %+v", f)
			}
			if s := report.Skipped; len(s) != 1 || s[0].Label != "queue_id unknown" || s[0].Jobs != 70 {
				t.Errorf("skipped %+v", s)
			}
		})
	}
	if _, r, err := Fit(nil, workload.Clock{}, Options{}); !errors.Is(err, ErrNoClass) || r.Skipped == nil {
		t.Errorf("no class: %+v, %v", r, err)
	}
}

// A class has the counts of its requested times if, with some rounding, there are no more of them
// than a model may have. Jobs without one are left out.
func TestEstimatesOfAClass(t *testing.T) {
	for name, tt := range map[string]struct {
		asked func(i int) float64
		want  *EstimatesReport
		why   string
	}{
		"some": {func(i int) float64 { return []float64{math.NaN(), 0, 60}[i%3] }, &EstimatesReport{Jobs: 1000, LeftOut: 2000, Distinct: 1, Largest: 60}, ""},
		"none": {func(int) float64 { return math.NaN() }, nil, ""},
		"few": {func(i int) float64 {
			if i < 99 {
				return 60
			}
			return math.NaN()
		}, nil, "99 jobs have one, want at least 100"},
		"many": {func(i int) float64 { return 1 + 900*float64(i) }, nil, "more than 2048"},
	} {
		c := fit.NewCollector(workload.Clock{})
		for i := range 3000 {
			j := workload.UnknownJob()
			j.Submit, j.Run, j.Time = float64(i), 30, tt.asked(i)
			c.Add(&j)
		}
		var r ClassReport
		f := fitter{o: Options{LeastJobs: 100}}
		e, err := f.estimates(fit.Class{Collector: c}, &r)
		if diff := cmp.Diff(tt.want, r.Estimates); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (err == nil) != (tt.why == "") || err != nil && !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: error %v, want %q", name, err, tt.why)
		}
		if log, _ := e.(*model.LogEstimates); tt.want != nil && (log == nil || log.Check() != nil || log.Jobs()+r.Estimates.LeftOut != 3000) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// TestLineByJobs checks that the line is recovered from jobs that follow it, within five standard
// errors by an information matrix computed by hand. The paper's line, clipped to 0 at the largest
// sizes, may have a log-likelihood lower by thousands than no line at all. With the Gammas far
// apart each job's Gamma is certain, so that the share of a size is a proportion, and the line a
// weighted regression over the sizes that are not clipped; nothing is likelier than the line
// found.
func TestLineByJobs(t *testing.T) {
	for _, truth := range []model.Line{{PIntercept: 0.78, PSlope: -0.0054}, {PIntercept: 1.2, PSlope: -0.03}, {PIntercept: -1.5, PSlope: 0.02}} {
		h := dist.HyperGamma{First: dist.Gamma{Shape: 30, Scale: 0.1}, Second: dist.Gamma{Shape: 900, Scale: 0.01}, P: 0.6}
		rng := rand.New(rand.NewPCG(1, 2))
		c := fit.NewCollector(workload.Clock{})
		var information [3]float64 // of intercept, both, slope
		for i := range 20000 {
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
		shares := runs.shares(runs.groups())
		line := shares[2]
		det := information[0]*information[2] - information[1]*information[1]
		fittest.Near(t, "slope", line.Slope, truth.PSlope, 5*math.Sqrt(information[0]/det))
		fittest.Near(t, "intercept", line.Intercept, truth.PIntercept, 5*math.Sqrt(information[2]/det))
		for _, f := range shares[:2] {
			if f.LogLikelihood > line.LogLikelihood+1e-6 {
				t.Errorf("%v: %s has log-likelihood %g, the line %g", truth, f.Form, f.LogLikelihood, line.LogLikelihood)
			}
		}
	}
}

// The log-likelihood of a line that is clipped at sizes with jobs from the other Gamma is finite,
// even if their densities relative to the likelier Gamma's underflow.
func TestLikelihoodOfClippedLines(t *testing.T) {
	// Means of ln of 5 and 10, deviations of 0.016 and 0.032.
	h := dist.HyperGamma{First: dist.Gamma{Shape: 1e5, Scale: 5e-5}, Second: dist.Gamma{Shape: 1e5, Scale: 1e-4}, P: 0.5}
	c := fit.NewCollector(workload.Clock{})
	for i := range 4000 {
		j := workload.UnknownJob()
		j.Submit, j.Size, j.Run = float64(i), 1+int64(i%40), math.Exp(10)
		if j.Size <= 16 || i%25 == 0 { // small jobs and 4 % of the large ones are short
			j.Run = math.Exp(5)
		}
		c.Add(&j)
	}
	runs := newSizedRuns(c, h)
	shares := runs.shares(runs.groups())
	clipped := false
	for _, f := range shares {
		want := 0.0
		for _, k := range c.Shapes() {
			var density float64
			switch x, p := math.Log(k.Run), f.line().P(int64(k.Size)); p {
			case 0:
				density, clipped = h.Second.LogPDF(x), clipped || k.Run < math.Exp(6)
			case 1:
				density = h.First.LogPDF(x)
			default:
				h.P = p
				density = h.LogPDF(x)
			}
			want += k.Jobs * density
		}
		fittest.Relative(t, f.Form, f.LogLikelihood, want, 1e-9)
		if math.IsInf(want, 0) {
			t.Errorf("%s: log-likelihood %g", f.Form, want)
		}
	}
	if !clipped {
		t.Error("no line uses the second Gamma alone at sizes with short jobs")
	}
	if _, why := chooseShare(shares, FormLinear, runs.total); why == "" || strings.Contains(why, "Inf") {
		t.Errorf("the choice of the linear form gives the reason %q", why)
	}

	// With rates of +Inf both densities are 0 everywhere.
	nowhere := dist.Gamma{Shape: 1, Scale: 1e-310}
	runs = newSizedRuns(c, dist.HyperGamma{First: nowhere, Second: nowhere, P: 0.5})
	for _, f := range runs.shares(runs.groups()) {
		if !math.IsInf(float64(f.LogLikelihood), -1) {
			t.Errorf("%s, of jobs that neither Gamma can have: log-likelihood %g, want -Inf", f.Form, f.LogLikelihood)
		}
	}
}

// The line is chosen if BIC prefers it to a constant.
func TestChooseShare(t *testing.T) {
	const jobs = 1000 // (ln jobs)/2 is 3.45
	for _, tt := range []struct {
		constant   stats.Number
		form, want string
		says       string
	}{
		{-110, FormLikeliest, FormLikeliest, "by 10 in log-likelihood"},
		{-103.4, FormLikeliest, FormConstant, "by at most 3.4"},
		{-110, FormLinear, FormLinear, "is better than the linear form"},
		{-110, FormConstant, FormConstant, ""},
	} {
		shares := []ShareFit{{Form: FormLinear, LogLikelihood: -200}, {Form: FormConstant, LogLikelihood: tt.constant}, {Form: FormLikeliest, LogLikelihood: -100}}
		if chosen, why := chooseShare(shares, tt.form, jobs); chosen.Form != tt.want || (why == "") != (tt.says == "") || !strings.Contains(why, tt.says) {
			t.Errorf("%s of a constant of %g: %s (%s), want %s (%s)", tt.form, tt.constant, chosen.Form, why, tt.want, tt.says)
		}
	}
	if chosen, why := chooseShare([]ShareFit{{Form: FormLinear}}, FormLikeliest, jobs); chosen.Form != FormLinear || why != "" {
		t.Errorf("with one form: %s (%s)", chosen.Form, why)
	}
}

func TestShareOf(t *testing.T) {
	inf := 800.0 // its exponential overflows
	for name, tt := range map[string]struct {
		ratio, weight []float64
		want          float64
	}{
		"all of the first":   {[]float64{inf, 3}, []float64{5, 1}, 1},
		"all of the second":  {[]float64{-inf, -3}, []float64{5, 1}, 0},
		"clearly told apart": {[]float64{inf, -inf}, []float64{3, 1}, 0.75},
		// 2 jobs with f1/f2 = 2 and one with 1/4: 2/(1+p) = 0.75/(1-0.75p),
		// so p = 1.25/2.25.
		"by hand": {[]float64{math.Log(2), math.Log(0.25)}, []float64{2, 1}, 1.25 / 2.25},
	} {
		var jobs []sizedRun
		for i, ratio := range tt.ratio {
			densities, _ := relativeDensities(ratio, 0)
			jobs = append(jobs, sizedRun{i, tt.weight[i], densities})
		}
		fittest.Near(t, name, shareOf(jobs), tt.want, 1e-9)
	}
	// A job so far out that both densities are 0 does not count towards the shares: of the
	// others, one in four is from the first Gamma.
	none := math.Inf(-1)
	of := func(lnFirst, lnSecond float64) densities {
		d, _ := relativeDensities(lnFirst, lnSecond)
		return d
	}
	jobs := []sizedRun{{0, 1, of(0, none)}, {1, 3, of(none, 0)}, {2, 5, of(none, none)}}
	fittest.Near(t, "share", shareOf(jobs), 0.25, 1e-9)
	if math.IsNaN(shareOf(jobs[2:])) {
		t.Error("the share is NaN without jobs")
	}
}
