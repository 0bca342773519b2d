package site

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// kindsFit is the fit of all jobs, and of interactive and batch jobs apart.
type kindsFit struct {
	all, byKind             model.Site
	allReport, byKindReport Report
}

func collectKinds(t *testing.T, jobs iter.Seq2[workload.Job, error], clock workload.Clock, k workload.Kinds) (all fit.Class, kinds []fit.Class, err error) {
	t.Helper()
	classes, err := fit.Collect(jobs, clock, fit.CollectOptions{Kinds: &k}, nil)
	if err != nil {
		return fit.Class{}, nil, err
	}
	return classes[0], classes[1:], nil
}

func fitKinds(t *testing.T, jobs iter.Seq2[workload.Job, error], clock workload.Clock, k workload.Kinds) (f kindsFit, notByKind error) {
	t.Helper()
	all, kinds, err := collectKinds(t, jobs, clock, k)
	if err != nil {
		t.Fatal(err)
	}
	if f.all, f.allReport, err = FitClasses([]fit.Class{all}, clock, Options{}); err != nil {
		t.Fatal(err)
	}
	f.byKind, f.byKindReport, notByKind = FitClasses(kinds, clock, Options{CollectOptions: fit.CollectOptions{By: k.Column}})
	return f, notByKind
}

// TestSiteByKind: the reproduction's rows of all, interactive and batch jobs
// of SDSC96 (tables 1 and 6, and the section on interactive and batch jobs),
// and its fits of the total work, whose tolerances are 1 % of shapes and
// scales, 0.003 of p and 0.001 of D. EM on the interactive run times has
// several optima and is not compared.
func TestSiteByKind(t *testing.T) {
	log := fittest.OpenLog(t, fittest.SDSC)
	clock, _ := log.Header.Clock()
	kinds, ok := workload.FindKinds(&log.Header)
	if !ok || kinds.Column != "partition_id" || len(kinds.Interactive) != 1 || kinds.Interactive[0] != 1 {
		t.Fatalf("found %+v, %v; want partition 1", kinds, ok)
	}
	f, err := fitKinds(t, log.Jobs(), clock, kinds)
	if err != nil || len(f.all.Classes) != 1 || len(f.byKind.Classes) != 2 {
		t.Fatalf("%d classes of all jobs, %d by kind, %v", len(f.all.Classes), len(f.byKind.Classes), err)
	}
	for i, w := range []struct {
		name                   string
		value                  int64
		jobs, serial, gaps     int64
		p2, sizeD              float64
		gammaA, gammaB, gammaD float64
		peakA, peakB, arar     float64
		correlation            float64
		work                   [5]float64
		workLikelihood, workD  float64
	}{
		{"all", 0, 32135, 2680, 15128, 0.9178, 0.018, 4.560, 0.761, 0.036, 5.674, 0.876, 1.0586, 0.353,
			[5]float64{4.296148535139607, 1.324153797759512, 129.12780378467548, 0.09864598726576757, 0.6364585100767274}, -83002.60938114348, 0.02855926834965819},
		{"interactive", 1, 13694, 2092, 8069, 0.8203, 0.026, 4.039, 0.654, 0.045, 5.501, 0.859, 1.0332, 0.044,
			[5]float64{4.130170255514977, 1.1337508991772745, 525.4416973152989, 0.011521219574828906, 0.924832745689111}, -29379.954767203926, 0.021852020059923524},
		{"batch", 2, 18441, 588, 6841, 0.9811, 0.046, 7.222, 0.555, 0.087, 6.004, 0.971, 1.0313, 0.257,
			[5]float64{14.736717521513178, 0.4632531075370961, 113.61297184299599, 0.11188835090337353, 0.3213242694527111}, -41962.75533568089, 0.045922026774137814},
	} {
		c, r := f.all.Classes[0], f.allReport.Classes[0]
		if i > 0 {
			c, r = f.byKind.Classes[i-1], f.byKindReport.Classes[i-1]
		}
		if c.Name != w.name || r.Name != w.name || r.Label != w.name || c.Value != w.value {
			t.Errorf("class %d is named %s in the model, %s (%s) in the report, with value %d", i, c.Name, r.Name, r.Label, c.Value)
		}
		if r.Jobs != w.jobs || r.Sizes.Serial != w.serial || r.Arrivals.Peak.N != w.gaps {
			t.Errorf("%s: %d jobs, %d serial, %d gaps; want %d, %d, %d", w.name, r.Jobs, r.Sizes.Serial, r.Arrivals.Peak.N, w.jobs, w.serial, w.gaps)
		}
		fittest.Near(t, w.name+": power-of-two share", c.Lublin().Sizes.PowerOfTwoShare, w.p2, 0.00005001)
		fittest.Near(t, w.name+": D of sizes after rounding", r.Sizes.DRounded, w.sizeD, 0.001)
		fittest.Relative(t, w.name+": size Gamma's shape", fittest.Parameter(t, r.Sizes.Gamma.Law.Parameters, "shape"), w.gammaA, 0.001)
		fittest.Relative(t, w.name+": size Gamma's scale", fittest.Parameter(t, r.Sizes.Gamma.Law.Parameters, "scale"), w.gammaB, 0.001)
		fittest.Near(t, w.name+": D of the size Gamma", r.Sizes.Gamma.DRounded, w.gammaD, 0.001)
		fittest.Relative(t, w.name+": peak shape", c.Lublin().Gaps.Peak.Shape, w.peakA, 0.001)
		fittest.Relative(t, w.name+": peak scale", c.Lublin().Gaps.Peak.Scale, w.peakB, 0.001)
		fittest.Near(t, w.name+": ARAR", c.Lublin().Gaps.ARAR, w.arar, 0.001)
		fittest.Near(t, w.name+": correlation", r.RunTimes.Correlation, w.correlation, 0.00051)
		matchesEM(t, w.name+": work", r.Work.Law, w.work, w.workLikelihood, w.workD)
	}
}

// The queue numbers tell the kinds as well: queue 0 is the interactive
// partition, and the commonest of the 29 others, standby, stands for batch.
func TestCollectKindsByQueue(t *testing.T) {
	log := fittest.OpenLog(t, fittest.SDSC)
	clock, _ := log.Header.Clock()
	all, kinds, err := collectKinds(t, log.Jobs(), clock, workload.Kinds{Column: "queue_id", Interactive: []int64{0}})
	if err != nil {
		t.Fatal(err)
	}
	if len(kinds) != 2 || all.Jobs() != 32135 || kinds[0].Jobs() != 13694 || kinds[1].Jobs() != 18441 {
		t.Fatalf("%d kinds of %d jobs", len(kinds), all.Jobs())
	}
	if kinds[0].Value != 0 || kinds[1].Value != 28 || kinds[1].Label() != "batch" {
		t.Errorf("interactive is queue %d, batch %d (%s); want 0, 28", kinds[0].Value, kinds[1].Value, kinds[1].Label())
	}
}

func TestFindKinds(t *testing.T) {
	for _, tt := range []struct {
		lines       []string
		column      string // "" for none
		interactive []int64
	}{
		{nil, "", nil},
		{[]string{"Queue: 0 interactive", "Queue: 1 batch"}, "queue_id", []int64{0}},
		{[]string{"Queue: 0 - Interactive jobs - direct shell", "Queue: 1 - Normal jobs queue"}, "queue_id", []int64{0}},
		{[]string{"Queue: 0 interactive", "Queue: 1 batch", "Partition: 1 main"}, "queue_id", []int64{0}},
		{[]string{"Queue: 0 interactive", "Queue: 1 batch", "Partition: 2 long", "Partition: 5 gpu-interactive", "Partition: 3 interactive"}, "partition_id", []int64{3, 5}},
		{[]string{"Partition: 1 interactive"}, "", nil}, // there is nothing beside it
		{[]string{"Queue: 1 short", "Queue: 2 long"}, "", nil},
	} {
		var h workload.Header
		for _, l := range tt.lines {
			h.Lines = append(h.Lines, " "+l)
		}
		k, ok := workload.FindKinds(&h)
		same := len(k.Interactive) == len(tt.interactive)
		for i := range k.Interactive {
			same = same && k.Interactive[i] == tt.interactive[i]
		}
		if ok != (tt.column != "") || k.Column != tt.column || !same {
			t.Errorf("%v: %+v, %v; want %s %v", tt.lines, k, ok, tt.column, tt.interactive)
		}
	}
}

func TestKindsOfOddLogs(t *testing.T) {
	some := func(i int, j *workload.Job) {
		fittest.Plain(i, j)
		switch {
		case i%50 == 0:
			j.Queue = workload.Unknown
		case i%20 == 1:
			j.Queue = 7
		}
	}
	queue := workload.Kinds{Column: "queue_id", Interactive: []int64{7}}
	f, err := fitKinds(t, fittest.Jobs(500, some), workload.Clock{}, queue)
	if err != nil {
		t.Fatal(err)
	}
	// 25 jobs of queue 7 are too few for laws of their own; 10 have no queue.
	if len(f.byKind.Classes) != 2 || f.byKind.Classes[0].Name != "batch" || f.byKindReport.Jobs != 490 {
		t.Errorf("%d classes of %d jobs", len(f.byKind.Classes), f.byKindReport.Jobs)
	}
	if s := f.byKindReport.Fallbacks; len(s) != 1 || s[0].Label != "interactive" || s[0].Jobs != 25 || s[0].RunTimes != FromPool {
		t.Errorf("fallbacks %+v", s)
	}
	f, err = fitKinds(t, fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Queue = workload.Unknown }), workload.Clock{}, queue)
	if len(f.all.Classes) != 1 || !errors.Is(err, ErrNoClass) {
		t.Errorf("no queues: %d classes and %v", len(f.all.Classes), err)
	}
	for want, k := range map[string]workload.Kinds{
		`"colour"`:     {Column: "colour", Interactive: []int64{1}},
		`"", want one`: {Interactive: []int64{1}},
		"at least one": {Column: "queue_id"},
	} {
		if _, _, err := collectKinds(t, fittest.Jobs(500, fittest.Plain), workload.Clock{}, k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", k, err, want)
		}
	}
}
