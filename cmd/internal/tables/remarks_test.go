package tables

import (
	"fmt"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestWaitRemarks(t *testing.T) {
	got := WaitRemarks(&evaluate.WaitsResult{FirstJobs: 7, Warnings: []workload.Warning{
		{Rule: "no-estimates", Text: "no job has an estimate", Count: 1}, {Rule: "other", Text: "odd", Count: 3},
	}})
	want := []view.Remark{
		{Text: "only the first 7 jobs by submission are replayed (--first-jobs)"},
		{Warning: true, Text: "no job has an estimate; --estimate-factor draws them (no-estimates)"},
		{Warning: true, Text: "odd; 3 times (other)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// A remark that applies to several fits is made once, with the first few of them.
func TestFitRemarks(t *testing.T) {
	var all []fit.Report
	for _, family := range []string{"a", "b", "c", "d", "e", "f"} {
		r := fit.Report{Family: family, Attribute: fit.RunTime, By: "all"}
		r.Warnings = []string{"of all"}
		if family != "f" {
			r.Warnings = append(r.Warnings, "of five")
		} else {
			r.LeftOut = []fit.LeftOut{{Why: "run time unknown", Jobs: 1}}
			r.By = "queue_id=1"
		}
		all = append(all, r)
	}
	got := FitRemarks(&site.Result{Fits: all})
	want := []view.Remark{
		{Text: "of all (all fits)"}, {Text: "of five (a; b; c; d and 1 other fit)"}, {Text: "1 job left out: run time unknown (f of run_time, queue_id=1)"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	// Remarks that differ only in their numbers are merged into one, with the numbers of the fits
	// that it names.
	for i := range all {
		all[i].By, all[i].LeftOut, all[i].Warnings = "all", nil, []string{fmt.Sprintf("%d jobs lie outside", 9-i), "7 stages"}
	}
	got = FitRemarks(&site.Result{Fits: all[:3]})
	if want := []view.Remark{{Text: "9, 8, 7 jobs lie outside (all fits)"}, {Text: "7 stages (all fits)"}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Warnings about a model's classes name up to three of the classes, and the lack of p-values is
// mentioned once.
func TestModelRemarks(t *testing.T) {
	class := func(name string, warnings ...string) site.ClassReport {
		return site.ClassReport{Name: name, Warnings: warnings}
	}
	r := &site.Result{Site: &site.Report{Classes: []site.ClassReport{class("batch", "odd", "odder"), class("interactive")}}}
	want := []view.Remark{{Text: "odd (batch)"}, {Text: "odder (batch)"}}
	if got := ModelRemarks(r); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	r.Site.Classes = append(r.Site.Classes, class("c", "odd"), class("d", "odd"))
	if got := ModelRemarks(r); got != nil {
		t.Errorf("of four classes: %+v", got)
	}
	got := FitRemarks(&site.Result{Fits: []fit.Report{{Family: "a", Attribute: fit.RunTime, By: "all", KS: stats.KS{Significance: stats.Significance{Method: stats.NoPValue}}, LeftOut: []fit.LeftOut{{Why: "odd", Jobs: 2}}}}})
	if want := []view.Remark{{Text: "the KS distance has no p-value: --replicates 199 computes one"}, {Text: "2 jobs left out: odd (a)"}}; !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// The model's offered load is reported, and is a warning if it differs by more than a tenth from
// the log's.
func TestLoadRemarks(t *testing.T) {
	m := jobtest.Must(model.Preset("lublin1999"))
	job := workload.UnknownJob() // on the whole machine for 1000 s
	job.Submit, job.Run, job.Size, job.Allocated = 0, 1000, m.Processors, m.Processors
	classesUntil := func(last float64) []fit.Class {
		end := workload.UnknownJob()
		end.Submit = last
		classes, err := fit.Collect(workload.JobsOf([]workload.Job{job, end}), workload.Clock{}, fit.CollectOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return classes
	}
	made := m.OfferedLoad()
	for times, warning := range map[float64]bool{1.095: false, 1.105: true, 0.905: false, 0.895: true} {
		load := made / times
		want := view.Remark{Warning: warning, Text: fmt.Sprintf("offered load: %.3f in the log, %.3f in the model; 'loadstone generate --load R' scales the arrivals", load, made)}
		got := LoadRemarks(&site.Result{Model: m, Classes: classesUntil(1000 / load)})
		if !slices.Equal(got, []view.Remark{want}) {
			t.Errorf("%g times the load: %+v, want %+v", times, got, want)
		}
	}
	if got := LoadRemarks(&site.Result{Classes: classesUntil(1000)}); got != nil {
		t.Errorf("without a model: %+v", got)
	}
}
