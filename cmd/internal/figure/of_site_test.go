package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Figure 7 of Lublin and Feitelson (2003): of three jobs of one, one and two
// processors p(size) = 0.8 - 0.1 size is 0.7, 0.7 and 0.6 (2/3 on average), and one
// job is too short for the law. At ln t = 5 all of the first Gamma and nothing of
// the second is below: 1/3 + 2/3 * 2/3 = 7/9.
func TestModelOfSizes(t *testing.T) {
	rows := []workload.Job{
		{Request: workload.Request{Submit: 0, Size: 1}, Run: 1}, {Request: workload.Request{Submit: 1, Size: 1}, Run: 50},
		{Request: workload.Request{Submit: 2, Size: 2}, Run: 100}, {Request: workload.Request{Submit: 3, Size: 9}, Run: 100},
	}
	var warnings workload.Warnings
	classes, err := fit.Collect(workload.JobsOf(rows), workload.Clock{}, fit.CollectOptions{}, &warnings)
	if err != nil || len(classes) != 1 {
		t.Fatal(classes, err)
	}
	sizes := fit.SizeRange{From: 1, To: 2}
	law := dist.HyperGamma{First: dist.Gamma{Shape: 100, Scale: 0.01}, Second: dist.Gamma{Shape: 10000, Scale: 0.001}, P: 0.9}
	of := site.RunTimesReport{Law: fit.Report{Law: law}, Form: site.FormLinear, Estimator: site.ByLikelihood, Shares: []site.ShareFit{{Form: site.FormLinear, Estimator: site.ByLikelihood, Slope: -0.1, Intercept: 0.8}}}
	got, err := fitsOf{class: classes[0]}.modelOfSizes(sizes, classes[0].SampleOfSizes(fit.RunTime, sizes), of)
	if err != nil || got == nil {
		t.Fatal(got, err)
	}
	if y := got.CDF(math.Exp(5)); math.Abs(y-7./9) > 1e-12 {
		t.Errorf("%v, want 7/9", y)
	}
	// A picture of two ranges tells the jobs of both, and leaves out ranges without any.
	picture := fitsOf{log: "a.swf", class: classes[0]}.bySize(BySizeName, "a size", []site.SizeFit{{SizeRange: sizes}, {SizeRange: fit.SizeRange{From: 3, To: 3}}, {SizeRange: fit.SizeRange{From: 9, To: 9}}},
		func(site.SizeFit, fit.Sample) (*Law, error) { return nil, nil })
	var svg strings.Builder
	if err := picture.Draw(&svg, "svg"); err != nil || !strings.Contains(svg.String(), "a.swf, 4 jobs with a size") || !strings.Contains(svg.String(), "9 processors") || strings.Contains(svg.String(), "3 processors") {
		t.Errorf("%v, %.400s", err, svg.String())
	}
	if got, err := (fitsOf{class: classes[0]}).modelOfSizes(sizes, fit.Sample{}, site.RunTimesReport{}); got != nil || err != nil {
		t.Errorf("without a model: %v, %v", got, err)
	}
}
