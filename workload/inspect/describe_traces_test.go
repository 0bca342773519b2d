package inspect

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// pandasColumn and the like are testdata/describe.json, by describe.py.
type pandasColumn struct {
	Known                                int64
	Mean, CV, Q25, Median, Q75, Min, Max float64
}

type pandasLog struct {
	Jobs, Processors, Users, Sites int64
	Months, Parallel, Load         float64
	Columns                        map[string]pandasColumn
	ByHour                         [24]int64 `json:"by_hour"`
	FromMonday                     [7]int64  `json:"by_weekday_from_monday"`
	MondayAt10                     int64     `json:"monday_at_10"`
	Weeks                          struct {
		Start, Covered, Load []float64
		Jobs                 []int64
	}
	Counts []struct {
		Width, Intervals, Mean, Variance, Dispersion, Max float64
		MaxStart                                          float64 `json:"max_start"`
		R                                                 []float64
	}
	Interarrivals struct {
		Known               int64
		Mean, CV, Zero, Max float64
		R                   []float64
	}
	Relation struct {
		Jobs                   int64
		LogJobs                int64 `json:"log_jobs"`
		Pearson, Spearman, Log float64
	}
	ByQueue []struct {
		Value       string
		Jobs, Users int64
		Run, Size   pandasColumn
		Load        float64
	} `json:"by_queue"`
}

// agree says whether two figures agree: sums of 30,000 numbers in another order
// differ in the last digits.
func agree(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}

func TestRealLogsAgainstPandas(t *testing.T) {
	data, err := os.ReadFile("testdata/describe.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct{ Logs map[string]pandasLog }
	if err := json.Unmarshal(data, &reference); err != nil || len(reference.Logs) != 2 {
		t.Fatalf("testdata/describe.json: %v, %d logs", err, len(reference.Logs))
	}
	for name, want := range reference.Logs {
		t.Run(name, func(t *testing.T) {
			log := jobtest.Open(t, name)
			o := DescribeOptions{Arrivals: true, Interval: 7 * 86400}
			if len(want.ByQueue) > 0 {
				o.By = "queue_id"
			}
			d, err := Describe(t.Context(), log, o)
			if err != nil {
				t.Fatal(err)
			}
			againstPandas(t, d, want)
		})
	}
}

func againstPandas(t *testing.T, d *Description, want pandasLog) {
	number := func(what string, got stats.Number, want float64) {
		t.Helper()
		if !agree(float64(got), want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	count := func(what string, got, want int64) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %d, want %d", what, got, want)
		}
	}
	column := func(what string, c Column, want pandasColumn) {
		t.Helper()
		count(what+" known", c.Known-c.Negative, want.Known)
		number(what+" mean", c.Mean, want.Mean)
		number(what+" q25", c.Q25, want.Q25)
		number(what+" median", c.Median, want.Median)
		number(what+" q75", c.Q75, want.Q75)
		number(what+" min", c.Min, want.Min)
		number(what+" max", c.Max, want.Max)
		if want.Known > 1 {
			number(what+" CV", c.CV, want.CV)
		}
	}
	count("jobs", d.Jobs, want.Jobs)
	count("users", d.Groups["user_id"].Distinct, want.Users)
	count("sites", d.Groups["partition_id"].Distinct, want.Sites)
	count("processors", int64(d.Log.Processors), want.Processors)
	number("months", d.Months, want.Months)
	number("parallel", stats.Number(d.Parallel), want.Parallel)
	number("load", d.OfferedLoad, want.Load)
	found := 0
	for name, c := range d.Columns {
		if w, ok := want.Columns[name]; ok {
			column(name, c, w)
			found++
		}
	}
	count("columns compared", int64(found), int64(len(want.Columns)))

	for hour, n := range want.ByHour {
		count("jobs by hour", d.Arrivals.ByHour[hour].Jobs, n)
	}
	for i, n := range want.FromMonday {
		count("jobs by weekday", d.Arrivals.ByWeekday[i].Jobs, n)
	}
	count("Monday, 10 o'clock", d.Arrivals.ByWeekdayHour[0].Hours[10], want.MondayAt10)
	count("jobs by the clock", d.Arrivals.Jobs, want.Jobs)

	count("weeks", int64(len(d.Load.Intervals)), int64(len(want.Weeks.Start)))
	for i, w := range d.Load.Intervals {
		number("start of a week", w.Start, want.Weeks.Start[i])
		number("cover of a week", w.Covered, want.Weeks.Covered[i])
		number("load of a week", w.Load, want.Weeks.Load[i])
		count("jobs of a week", w.Jobs, want.Weeks.Jobs[i])
	}

	for i, c := range d.Bursts.Counts {
		w := want.Counts[i]
		number("width", c.Width, w.Width)
		number("intervals", c.Intervals, w.Intervals)
		number("mean count", c.Mean, w.Mean)
		number("variance of counts", c.Variance, w.Variance)
		number("dispersion", c.Dispersion, w.Dispersion)
		number("highest count", c.Max, w.Max)
		number("its start", c.MaxStart, w.MaxStart)
		for k, r := range w.R {
			number("autocorrelation of counts", c.Autocorrelation[k].R, r)
		}
	}
	gaps := d.Bursts.Interarrivals
	count("interarrivals", gaps.Known, want.Interarrivals.Known)
	number("mean interarrival", gaps.Mean, want.Interarrivals.Mean)
	number("CV of interarrivals", gaps.CV, want.Interarrivals.CV)
	number("zero interarrivals", stats.Number(gaps.Zero), want.Interarrivals.Zero)
	number("longest interarrival", gaps.Max, want.Interarrivals.Max)
	for k, r := range want.Interarrivals.R {
		number("autocorrelation of interarrivals", gaps.Autocorrelation[k].R, r)
	}

	r := d.Sizes
	count("jobs with size and run time", r.Jobs, want.Relation.Jobs)
	count("those of logarithms", r.LogJobs, want.Relation.LogJobs)
	number("correlation", r.Pearson, want.Relation.Pearson)
	number("rank correlation", r.Spearman, want.Relation.Spearman)
	number("correlation of logarithms", r.Logarithms, want.Relation.Log)
	if len(want.ByQueue) == 0 {
		return
	}
	count("queues", int64(len(d.By.Values)), int64(len(want.ByQueue)))
	// The queue of the largest load first.
	order := make([]int, len(want.ByQueue))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want.ByQueue[b].Load, want.ByQueue[a].Load) })
	for i, v := range d.By.Values {
		w := want.ByQueue[order[i]]
		if string(v.Value) != w.Value {
			t.Fatalf("queue %d is %s, want %s", i, v.Value, w.Value)
		}
		count("jobs of a queue", v.Jobs, w.Jobs)
		count("users of a queue", int64(v.Users), w.Users)
		number("load of a queue", v.Load, w.Load)
		column("run times of a queue", v.Run, w.Run)
		column("sizes of a queue", v.Size, w.Size)
	}
}
