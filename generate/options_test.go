package generate

import (
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestBadOptions(t *testing.T) {
	named := time.FixedZone("here", 3600)
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"neither":        {Options{}, "jobs: is missing, and so is `days`, want either `jobs` or `days`"},
		"both":           {Options{Jobs: 1, Days: 2}, "days: 2, want either `jobs` or `days`"},
		"too few":        {Options{Jobs: 1, Processors: 32}, "procs: 32, want a machine for the sizes of model lublin1999, of at least 33 processors"},
		"load NaN":       {Options{Jobs: 1, Load: math.NaN()}, "load: NaN, want a number above 0"},
		"method":         {Options{Jobs: 1, Method: "weights"}, `method: "weights", want one of slot-weights, expected-interarrival`},
		"no maximum":     {Options{Jobs: 1, Estimates: EstimatesTsafrir}, "estimates: tsafrir, want `max-estimate` too"},
		"fraction":       {Options{Jobs: 1, Estimates: EstimatesTsafrir, MaxEstimate: 3600.5}, "max-estimate: 3600.5, want whole seconds"},
		"maximum alone":  {Options{Jobs: 1, MaxEstimate: 7200}, "max-estimate: 7200, want `estimates` tsafrir too"},
		"short":          {Options{Jobs: 50_000, Estimates: EstimatesTsafrir, MaxEstimate: 3600}, "max-estimate: 3600, but "},
		"start at noon":  {Options{Jobs: 1, Start: time.Date(2026, 1, 5, 12, 0, 0, 0, named)}, "start: 12:00:00, want a midnight"},
		"start anywhere": {Options{Jobs: 1, Start: time.Date(2026, 1, 5, 0, 0, 0, 0, time.Local)}, "start: a time in this machine's own zone, want a time in a named zone"},
	} {
		checkRefused(t, name, site(t, model.Lublin1999), tt.o, tt.want)
	}
}

// checkRefused fails if the options of a model are not refused for the given reason.
func checkRefused(t *testing.T, name string, s model.Site, o Options, want string) {
	t.Helper()
	if _, err := New(s, o); !errors.As(err, new(*workload.OptionError)) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

func TestHeader(t *testing.T) {
	zone := jobtest.Must(time.LoadLocation("Asia/Jerusalem"))
	w := prepare(t, model.Lublin1999, Options{Jobs: 10, Processors: 256, Seed: 42, Start: time.Date(2026, 1, 5, 0, 0, 0, 0, zone)})
	h := w.Header
	for key, want := range map[string]string{
		"Version": "2.2", "MaxJobs": "10", "MaxRecords": "10", "MaxNodes": "256", "MaxProcs": "256",
		"MaxQueues": "2", "UnixStartTime": "1767564000", "TimeZoneString": "Asia/Jerusalem",
	} {
		if got := h.Get(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if names := h.Names("Queue"); names[0] != "interactive" || names[1] != "batch" {
		t.Errorf("queues %v", names)
	}
	notes := strings.Join(h.All("Note"), "\n")
	for _, want := range []string{"model lublin1999\n", "loadstone.model/1: sha256 ", "--jobs 10 --procs 256 --seed 42"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
	clock, note := h.Clock()
	if !clock.Known || note != "" || clock.Start.Hour() != 0 {
		t.Errorf("clock %v, %q", clock, note)
	}

	// A time zone with a fixed offset, whatever its name, is read back with the same offset.
	for _, fixed := range []*time.Location{time.FixedZone("", 9*3600), time.FixedZone("EST", 3600), time.FixedZone("CET", 3600), time.FixedZone("mine", -3600)} {
		start := time.Date(2026, 1, 5, 0, 0, 0, 0, fixed)
		h := prepare(t, model.Lublin1999, Options{Jobs: 10, Start: start}).Header
		summer := start.AddDate(0, 6, 0)
		if clock, note := h.Clock(); note != "" || !clock.Start.Equal(start) || clock.At(summer.Sub(start).Seconds()).Hour() != 0 {
			t.Errorf("%s: clock %v, %q", fixed, clock, note)
		}
	}

	days := prepare(t, model.Lublin1999Untyped, Options{Days: 2.5, Load: 0.7}).Header
	for _, key := range []string{"MaxJobs", "MaxRecords", "UnixStartTime", "Queue", "MaxQueues"} {
		if got := days.Get(key); got != "" {
			t.Errorf("%s: %q, want none", key, got)
		}
	}
	if notes := strings.Join(days.All("Note"), "\n"); !strings.Contains(notes, "--days 2.5 --load 0.7 --seed 0") {
		t.Errorf("notes %q", notes)
	}
}

// Options for parts that a model lacks give errors that state this.
func TestOptionsOfOtherModels(t *testing.T) {
	still, none := poisson(), poisson()
	none.Classes[0].RunTimes = &model.LawRunTimes{First: model.Law{Law: dist.Uniform{Low: 0, High: 1e-300}}}
	table := poisson()
	table.Classes[0].Sizes = &model.SizeTable{Rows: []model.SizeShare{{Size: 1, Share: 0.5}, {Size: 50, Share: 0.5}}}
	quick, busy := poisson(), poisson()
	quick.Classes[0].Arrivals.Interarrival.Law, busy.Classes[0].Arrivals.Interarrival.Law = dist.Exponential{Mean: 1e-9}, dist.Exponential{Mean: 1}
	tall := poisson() // the run times of large jobs lie beyond the limit
	tall.Classes[0].Sizes = &model.TwoStageSizes{Log2: dist.TwoStageUniform{Low: 0, Mid: 2, High: 6, P: 0.5}}
	tall.Classes[0].RunTimes = &model.GammaRunTimes{
		Law:  model.LnHyperGamma{HyperGamma: dist.HyperGamma{First: dist.Gamma{Shape: 4, Scale: 1}, Second: dist.Gamma{Shape: 400, Scale: 0.1}, P: 0.5}, MaxLn: 12},
		Line: model.Line{PIntercept: 1.001, PSlope: -0.001},
	}
	short := site(t, model.Lublin1999)
	for i := range short.Classes {
		short.Classes[i].Estimates = &model.TsafrirEstimates{Max: 3600}
	}
	steep := site(t, model.Lublin1999Untyped)
	steep.Classes[0].Arrivals.Week = &[model.Weekdays]float64{0, 1.4, 1.4, 1.4, 1.4, 1.4, 0}
	for name, tt := range map[string]struct {
		site model.Site
		o    Options
		want string
	}{
		"method":       {still, Options{Jobs: 1, Method: model.SlotWeights}, "method: slot-weights, want one that goes with the model (classes[0].arrivals.cycle: nothing, want a daily cycle"},
		"seconds":      {site(t, model.Downey1997), Options{Jobs: 1, Method: model.ExpectedInterarrival}, "classes[0].arrivals.method: expected-interarrival, want slot-weights or stationary where the distribution is of seconds"},
		"load":         {none, Options{Jobs: 1, Load: 0.5}, "load: 0.5, which the model cannot reach at any arrival rate"},
		"times":        {site(t, model.Lublin2003), Options{Jobs: 1, Method: model.ExpectedSlotsMethod, Times: 2}, "load: 2 times the model's, which its method of arrivals leaves unknown, want a load, or method slot-weights"},
		"estimates":    {short, Options{Jobs: 50_000}, "classes[1].estimates.max_s: 3600, but "},
		"table":        {table, Options{Jobs: 1, Processors: 40}, "procs: 40, want a machine for the sizes of model poisson, of at least 50 processors"},
		"tall":         {tall, Options{Jobs: 1, Processors: 4096}, "procs: 4096, want a machine for model poisson, of at most "},
		"days":         {quick, Options{Days: 1}, "days: 1, in which the model makes about 8.6e+13 jobs, want fewer days, with at most 1e+12 jobs, or longer interarrival times"},
		"users":        {withUsers(site(t, model.Lublin1999), 5), Options{Jobs: 1, Processors: 1 << 21}, "processors: 2097152, and the model has users, want at most 1048576"},
		"week, method": {steep, Options{Jobs: 1, Method: model.ExpectedInterarrival}, "method: expected-interarrival, want one that goes with the model (classes[0].arrivals.method: expected-interarrival: Sunday has weight 0, which leaves no finite shape above 0"},
	} {
		checkRefused(t, name, tt.site, tt.o, tt.want)
	}
	build(t, site(t, model.Downey1997), Options{Days: 30, Load: 0.3}) // jobs without sizes, scaled by the mean alone
	build(t, busy, Options{Days: 3652425})                            // a job a second for 10,000 years
	if w := build(t, table, Options{Jobs: 1, Processors: 256}); w.Site.Processors != 256 {
		t.Errorf("a table of sizes up to 50 on %d processors", w.Site.Processors)
	}
}

// A class with an explicit mean has that rate, whatever the mean of its law, with and without a
// cycle; the model file contains the mean.
func TestMeanSecondsIsTheRate(t *testing.T) {
	site := site(t, model.Lublin1999Batch)
	const want = 3600.0
	site.Classes[0].Arrivals.MeanSeconds = want
	if got := site.Classes[0].Arrivals.Gap(); got != want {
		t.Errorf("the mean is %g, want %g", got, want)
	}
	for _, stationary := range []bool{false, true} {
		if stationary {
			site.Classes[0].Arrivals.Method = model.Stationary
		}
		a := newArrivals(site.Classes[0], 1, Options{Seed: 16, Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
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
}

// Terminal control characters in the names of a model do not reach the header.
func TestHeaderIsPrintable(t *testing.T) {
	site := site(t, model.Lublin1999)
	site.Name, site.Source, site.Classes[0].Name = "a\x1b[2J", "b\u202ec\x9b", "d\a理"
	w := build(t, site, Options{Jobs: 2, By: "e\x1bf"})
	lines := strings.Join(w.Header.Lines, "\n")
	for _, want := range []string{`model a\x1b[2J`, `model from: b\u202ec\x9b`, `Queue: 0 d\a理`, `generated by e\x1bf`} {
		if !strings.Contains(lines, want) {
			t.Errorf("header %q, want %q", lines, want)
		}
	}
	for _, line := range w.Header.Lines {
		if printable.Text(line) != line {
			t.Errorf("header line %q", line)
		}
	}
}

// The header names the values of the column that distinguishes the classes, so that classes of
// the generated jobs can be selected by name.
func TestHeaderNamesTheClasses(t *testing.T) {
	for column, max := range map[string]string{"queue_id": "MaxQueues", "partition_id": "MaxPartitions", "user_id": "", "group_id": "", "application_id": ""} {
		site := site(t, model.Lublin1999)
		for i := range site.Classes {
			site.Classes[i].Column, site.Classes[i].Value = column, int64(3+i)
		}
		w := build(t, site, Options{Jobs: 2, Seed: 1})
		want := map[int64]string{3: site.Classes[0].Name, 4: site.Classes[1].Name}
		if got := w.Header.NamesOf(column); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
		if got := w.Header.Get(max); max != "" && got != "2" {
			t.Errorf("%s: %q, want 2", max, got)
		}
	}
}
