package report

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// lines returns blocks as lines: remarks and paragraphs, and the rows of tables.
func lines(blocks []page.Block) []string {
	var all []string
	for _, b := range blocks {
		switch {
		case b.Remark != nil:
			all = append(all, b.Remark.Kind+": "+b.Remark.Text)
		case b.Table != nil:
			all = append(all, tableLines(b.Table)...)
		default:
			all = append(append(all, b.Words...), b.List...)
		}
	}
	return all
}

func tableLines(t *page.Table) []string {
	all := []string{"# " + t.Caption, strings.Join(t.Head, " | ")}
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		all = append(all, strings.Join(cells, " | "))
	}
	return all
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func runTimeScore(classes, predictor string, accuracy, low, high stats.Number) evaluate.RunTimeScore {
	return evaluate.RunTimeScore{Classes: classes, Predictor: predictor, AccuracyLow: low, AccuracyHigh: high, AccuracyCommon: accuracy - 0.125, CommonJobs: 4,
		RunTime:       score.RunTime{Jobs: 8, Predicted: 6, Coverage: 0.75, AccuracyMean: accuracy, AbsoluteErrorMean: 7200, AbsoluteErrorMedian: 90},
		RunTimeDetail: score.RunTimeDetail{UnderPct: 25}}
}

// The best predictor, what the log lacks, the best of each way of classing, all scores
// and the classes that are left out.
func TestPredictorsSection(t *testing.T) {
	nan := stats.Number(math.NaN())
	l := &Report{scores: &evaluate.RunTimesResult{
		Scores:  []evaluate.RunTimeScore{runTimeScore("site", "last", 0.25, nan, nan), runTimeScore("user", "last", 0.5, 0.375, 0.625), runTimeScore("user", "rm", 0.4375, nan, nan)},
		Best:    []evaluate.BestRunTime{{Among: "all", Classes: "user", Predictor: "last", AccuracyMean: 0.5}},
		Unknown: []string{"queue", "partition"},
		LeftOut: []evaluate.ClassesLeftOut{{Classes: "user-site", Why: "the log has one site"}},
	}}
	head := "classes, predictor | predicted | coverage | mean accuracy | 95 % from | to | on common jobs | mean error | median error | too short"
	site := "site, last | 6 | 75.0 % | 0.2500 | – | – | 0.1250 | 120 min | 1.5 min | 25.0 %"
	last := "user, last | 6 | 75.0 % | 0.5000 | 0.375 | 0.625 | 0.3750 | 120 min | 1.5 min | 25.0 %"
	rm := "user, rm | 6 | 75.0 % | 0.4375 | – | – | 0.3125 | 120 min | 1.5 min | 25.0 %"
	same(t, "predictors", lines(l.predictors()), []string{
		"The most accurate of 3 predictors is last by user, with a mean accuracy of 0.500 (95 % interval over users: 0.375 to 0.625). It predicts 75.0 % of the jobs, half of them to within 90 s.",
		"'loadstone runtime --predictors all' scores more predictors, such as kernel, tsafrir and alea.",
		"missing: The log has no queues and no sites, so classes that use them are the same as those that do not.",
		"# The best predictor of each way of sorting jobs into classes", head, site, last,
		"# All scores", head, site, last, rm,
		"missing: user-site is left out: The log has one site.",
	})
	same(t, "accuracies", tableLines(l.runtimeTable("run-time-accuracy")), []string{"# The numbers", "classes | last | rm", "site | 0.2500 | ", "user | 0.5000 | 0.4375"})
	same(t, "best", tableLines(l.runtimeTable("run-time-best")), []string{"# The numbers", "among | classes | predictor | mean accuracy", "all | user | last | 0.5000"})
	l.scores.Scores = append(l.scores.Scores, runTimeScore("all", "estimate", 0.4375, nan, nan))
	if got, want := l.predictors()[0].Words[0], " That of the users' own estimates is 0.438."; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
	l.scores.Scores = append(l.scores.Scores, runTimeScore("user-site", "rm", 0.4375, nan, nan)) // repeats that by user
	l.scores.Best[0] = evaluate.BestRunTime{Among: "all", Classes: "all", Predictor: "estimate", AccuracyMean: 0.625}
	if got, want := l.predictors()[0].Words[0], "The most accurate of 4 predictors is the users' estimates, with a mean accuracy of 0.625. It"; !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin with %q", got, want)
	}
	l.scores.Best = nil
	same(t, "none", lines(l.predictors()), []string{"missing: No run time could be predicted: no class has a job that ended before another began."})
}

// Shares of a distribution are those up to each value; before the first there are none.
func TestShareTable(t *testing.T) {
	l := &Report{scores: &evaluate.RunTimesResult{
		Scores: []evaluate.RunTimeScore{{Classes: "user", Predictor: "last"}},
		Curves: []evaluate.RunTimeDistributions{{Classes: "user", Predictor: "last", Error: []score.Share{{Value: 5, AtMost: 0.25}, {Value: 60, AtMost: 0.5}, {Value: 700, AtMost: 1}}}},
	}}
	same(t, "errors", tableLines(l.runtimeTable("run-time-error-distribution")), []string{"# The numbers", "absolute error up to | last by user",
		"1 s | 0.0 %", "10 s | 25.0 %", "60 s | 50.0 %", "10 min | 50.0 %", "60 min | 100.0 %", "4 h | 100.0 %", "12 h | 100.0 %", "24 h | 100.0 %", "7 d | 100.0 %"})
}

// Bounds with a verdict on each, points, and what the reader should know of the log.
func TestWaitsSection(t *testing.T) {
	nan := stats.Number(math.NaN())
	procs := int64(1024)
	bound := func(name, waits string, coverage, low, high stats.Number) evaluate.WaitScore {
		s := evaluate.WaitScore{Predictor: name, Waits: waits, Bound: true, CoverageLow: low, CoverageHigh: high}
		s.Jobs, s.Predicted, s.Coverage, s.AccuracyMean, s.TightnessMedian = 1000, 900, coverage, 0.25, 4
		return s
	}
	point := evaluate.WaitScore{Predictor: "simulated", Waits: evaluate.QueueWaits, AccuracyLow: 0.25, AccuracyHigh: 0.75}
	point.Jobs, point.Predicted, point.AccuracyMean, point.CorrelationLog, point.UnderPct, point.OverPct, point.AbsoluteErrorMean = 1000, 990, 0.5, 0.875, 12.5, 37.5, 180
	l := &Report{describe: &inspect.Description{Jobs: 50_000}, waited: &evaluate.WaitsResult{Quantile: 0.95, Confidence: 0.9, Processors: &procs, FirstJobs: 1000, Scores: []evaluate.WaitScore{
		bound("bmbp", evaluate.LogWaits, 0.95, 0.94, 0.96), bound("qbets", evaluate.LogWaits, 0.94, 0.93, 0.95), bound("chebyshev", evaluate.LogWaits, 0.9, nan, nan),
		bound("estimates", evaluate.QueueWaits, 0.5, nan, nan), point,
	}}}
	l.describe.Clock = workload.Clock{Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}
	l.waited.Coverage = evaluate.WaitsCoverage{Block: "week", Merged: 1, Bounds: []evaluate.BoundCoverage{
		{Predictor: "bmbp", Waits: evaluate.LogWaits, From: []float64{0, 7 * 86400, 14 * 86400}, Share: []float64{0.75, 0.625, 1}},
		{Predictor: "qbets", Waits: evaluate.LogWaits, From: []float64{0}, Share: []float64{0.9499}},
	}}
	verdicts := []string{
		"good: Over the first 1,000 jobs, bmbp covers 95.0 % of the waits (95 % interval 94.0 to 96.0 %), but only 62.5 % in the worst week, from 2024-01-08; the target is 95 %. The bound holds.",
		"warning: Over the first 1,000 jobs, qbets covers 94.0 % of the waits (95 % interval 93.0 to 95.0 %); the target is 95 %. The interval includes the target: the shortfall may be chance.",
		"warning: Over the first 1,000 jobs, chebyshev covers 90.0 % of the waits; the target is 95 %. The bound does not hold.",
	}
	bounds := []string{
		"# Upper bounds for 95 % of the log's waits, with 90 % confidence",
		"predictor | jobs | bounded | covered | 95 % from | to | mean accuracy | median of bound over wait",
		"bmbp | 1,000 | 900 | 95.0 % | 94.0 % | 96.0 % | 0.250 | 4",
		"qbets | 1,000 | 900 | 94.0 % | 93.0 % | 95.0 % | 0.250 | 4",
		"chebyshev | 1,000 | 900 | 90.0 % | – | – | 0.250 | 4",
		"conformal, which learns its bounds from the state of the queue, is not scored here because it takes long: 'loadstone predict --predictors conformal' scores it.",
	}
	rest := []string{
		"Simulated queues run the log's jobs on 1,024 processors. They score the predictors, not the site's own scheduler.",
		"# Upper bounds on waits in a simulated queue, first come, first served",
		"predictor | jobs | bounded | covered | 95 % from | to | mean accuracy | median of bound over wait",
		"estimates | 1,000 | 900 | 50.0 % | – | – | 0.250 | 4",
		"# Point predictions of waits in a simulated queue, first come, first served",
		"predictor | jobs | predicted | mean accuracy | 95 % from | to | correlation of logarithms | too short | too long | mean error",
		"simulated | 1,000 | 990 | 0.500 | 0.250 | 0.750 | 0.875 | 12.5 % | 37.5 % | 3 h",
	}
	first := "warning: The log is large: predictors of wait are scored on the first 1,000 of its 50,000 jobs only. --predict-jobs sets how many."
	// The scatter of "simulated" has no job.
	after := "missing: The queue simulated with predicted run times is not drawn: nothing was predicted."
	bmbp := "missing: The bound bmbp is not drawn: nothing was predicted."
	same(t, "waits", lines(l.waits()), slices.Concat([]string{first}, verdicts, bounds, []string{bmbp}, rest, []string{after}))

	l.waited.Scores, l.waited.FirstJobs, l.waited.Processors = l.waited.Scores[4:], 0, nil
	same(t, "no bounds", lines(l.waits()), slices.Concat([]string{"missing: The log has no waiting times to test bounds on. 'loadstone simulate' adds simulated ones."}, rest[4:], []string{after}))
}

// A trend is called one where its p-value is below 0.01, in the unit of the periods.
func TestTrendWords(t *testing.T) {
	l := &Report{use: &inspect.Usage{Unit: "month"}}
	for want, trend := range map[string]*stats.Trend{
		"rising by about 2 h per month":     {N: 12, PValue: 0.009, Slope: 7200},
		"falling by about 10 min per month": {N: 12, PValue: 0.001, Slope: -600},
		"no clear trend":                    {N: 12, PValue: 0.01, Slope: 600},
		"too few months":                    nil,
	} {
		if got := l.trendWords(trend); got != want {
			t.Errorf("%+v: %q, want %q", trend, got, want)
		}
	}
}

// A measure beyond the earlier ones is a change only where that is clear for as many
// measures as were compared: 2 in 50 is below 0.05 for one measure, not for two, and 2 in
// 40 is not below.
func TestChangeWords(t *testing.T) {
	change := func(measure string, earlier int, beyond string) inspect.Change {
		return inspect.Change{Measure: measure, Period: "2024-12", Last: 7, Earlier: earlier, Beyond: beyond}
	}
	for _, c := range []struct {
		changes []inspect.Change
		want    string
	}{
		{nil, ""},
		{[]inspect.Change{change("users", 9, "above"), change("failed_pct", 9, ""), change("jobs_per_day", 4, "below")}, "In the last month compared, 2024-12, 2 of 3 measures are outside their earlier range (by chance: 0.8): active users 7 (highest of 10 months), jobs a day 7.0 (lowest of 5 months)."},
		{[]inspect.Change{change("users", 3, "above"), change("failed_pct", 3, ""), change("jobs_per_day", 3, "")}, "In the last month compared, 2024-12, 1 of 3 measures is outside its earlier range (by chance: 1.5): active users 7 (highest of 4 months)."},
		{[]inspect.Change{change("users", 49, ""), change("jobs_per_day", 49, "")}, "The last month compared, 2024-12, is within the range of those before in every measure compared."},
	} {
		if got := changeWords(c.changes, "month"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	got := oddsWords([]inspect.Change{change("users", 10, ""), change("jobs_per_day", 10, "")}, "month")
	if want := "The highest or lowest of 11 months is weak evidence of a change: without any change, each measure would be one of the two with a probability of 2 in 11; on average, 0.4 of the 2 measures would be."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The table of changes has the mean wait, and says where the last month is outside its
// earlier range.
func TestChangedSection(t *testing.T) {
	l := &Report{use: &inspect.Usage{Unit: "month", Failed: 0.25, Periods: []inspect.UsagePeriod{{Label: "2024-01", Covered: 0.5}, {Complete: true}}, Changes: []inspect.Change{
		{Measure: "wait_mean_s", Period: "2024-12", Last: 12600, Median: 7200, Low: 3600, High: 10800, Earlier: 9, Beyond: "above"},
		{Measure: "failed_pct", Period: "2024-12", Last: 5, Median: 10, Low: 2.5, High: 20, Earlier: 9},
	}}}
	blocks := l.changed()
	same(t, "changes", lines(blocks[:1]), []string{"# 2024-12 compared with the complete months before it", "measure | 2024-12 | earlier median | earlier range",
		"mean wait | 3.5 h | 2 h | 1 h to 3 h", "failed jobs | 5.0 % | 10.0 % | 2.5 % to 20.0 %"})
	if rows := blocks[0].Table.Rows; rows[0][1].Note != "highest of 10 months" || rows[1][1].Note != "" {
		t.Errorf("notes %q and %q", rows[0][1].Note, rows[1][1].Note)
	}
	same(t, "what is left out", lines(blocks[2:]), []string{
		"missing: Left out, because the log covers less than 90 % of the month: 2024-01 (50.0 %).",
		"missing: Not compared, because the log lacks the data: jobs a day, active users, offered load, utilisation, median wait, 90th percentile of waits.",
	})
}

// Waits have a row for all jobs, with the trends of the 90th percentile and of the mean;
// months with few jobs are counted, and the summary tells what is clear.
func TestWaitTrends(t *testing.T) {
	nan := stats.Number(math.NaN())
	sizes := inspect.WaitClass{Name: "1", WaitSummary: inspect.WaitSummary{Jobs: 90, Mean: 600, Median: 60, Q90: 1200},
		Q90ByPeriod: []stats.Number{1, nan, nan, 1}, MeanByPeriod: []stats.Number{1, nan, nan, 1}}
	all := sizes
	all.Name, all.Q90ByPeriod, all.MeanByPeriod = "all", []stats.Number{1, 2, 3, 4}, []stats.Number{1, 2, 3, 4}
	all.Trend, all.MeanTrend = &stats.Trend{N: 11, PValue: 0.2, Slope: 60}, &stats.Trend{N: 11, PValue: 0.005, Slope: -1800}
	l := &Report{describe: &inspect.Description{}, use: &inspect.Usage{Unit: "month", Waits: all, BySize: []inspect.WaitClass{sizes}, Periods: []inspect.UsagePeriod{{Complete: true}, {Complete: true}, {}, {Complete: true}}}}
	l.describe.Log.Processors = workload.Integer(workload.Unknown)
	got := lines(l.waitsNow())[1:]
	same(t, "waits", got[:4], []string{"# Waits by number of processors",
		"processors | jobs | median wait | 90th percentile | trend of the 90th percentile | mean wait | trend of the mean",
		"1 | 90 | 1 min | 20 min | too few months | 10 min | too few months",
		"all jobs | 90 | 1 min | 20 min | no clear trend | 10 min | falling by about 30 min per month"})
	// The hint about a larger machine needs the size of this one.
	const larger = "What if the machine had N processors? 'loadstone simulate LOG --policy easy --procs N' "
	if slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, larger) }) {
		t.Error("a machine of unknown size is to be simulated")
	}
	l.describe.Log.Processors = 8
	if got := lines(l.waitsNow()); !strings.HasPrefix(got[len(got)-2], larger) {
		t.Errorf("%q is no hint at a larger machine", got[len(got)-2])
	}
	rows := l.waitTable("", "", []inspect.WaitClass{sizes, all}).Rows
	if first, second := rows[0][4].Note, rows[1][4].Note; first != "too few jobs in 1 of 3 months" || second != "" {
		t.Errorf("notes %q and %q", first, second)
	}
	for _, c := range []struct {
		q90, mean *stats.Trend
		want      string
	}{
		{all.Trend, all.MeanTrend, "The mean wait of all jobs is falling by about 30 min per month."},
		{all.MeanTrend, all.MeanTrend, "The 90th percentile of the waits of all jobs is falling by about 30 min per month; the mean wait of all jobs is falling by about 30 min per month."},
		{all.Trend, all.Trend, "The waits of all jobs show no clear trend over 11 months."},
		{nil, nil, ""},
	} {
		l.use.Waits.Trend, l.use.Waits.MeanTrend = c.q90, c.mean
		if got := l.waitTrends(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A trend counts as turned if the last complete period is half as much again as the
// one before, or two thirds of it, against the trend, and by more than the trend's slope.
func TestTurnWords(t *testing.T) {
	nan := stats.Number(math.NaN())
	l := &Report{use: &inspect.Usage{Unit: "month", Periods: []inspect.UsagePeriod{
		{Label: "2024-01", Complete: true}, {Label: "2024-02", Complete: true}, {Label: "2024-03", Complete: true}, {Label: "2024-04"}}}}
	for _, c := range []struct {
		slope  stats.Number
		p      stats.Number
		values [4]stats.Number
		want   string
	}{
		{-1800, .001, [4]stats.Number{9000, 6300, 12600, 1}, ", but it rose from 1.8 h to 3.5 h in the last month, 2024-03"},
		{-1800, .001, [4]stats.Number{9000, 0, 7200, 1}, ", but it rose from 0 h to 2 h in the last month, 2024-03"},
		{-1800, .2, [4]stats.Number{9000, 6300, 12600, 1}, ""},        // no trend
		{-1800, .001, [4]stats.Number{9000, 6300, 9449, 1}, ""},       // 1.4998 times as much
		{-1800, .001, [4]stats.Number{9000, 3600, 5400, 1}, ""},       // no more than the slope
		{-1800, .001, [4]stats.Number{9000, 6300, 3000, 99_999}, ""},  // with the trend
		{-1800, .001, [4]stats.Number{9000, 6300, nan, 99_999}, ""},   // too few jobs
		{-1800, .001, [4]stats.Number{6300, nan, 12_600, 99_999}, ""}, // too few jobs before
		{600, .001, [4]stats.Number{600, 7200, 4800, 1}, ", but it fell from 2 h to 1.3 h in the last month, 2024-03"},
		{600, .001, [4]stats.Number{600, 7200, 4801, 1}, ""},
	} {
		if got := l.waitsTurn(&stats.Trend{N: 3, PValue: c.p, Slope: c.slope}, c.values[:]); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := l.waitsTurn(nil, nil); got != "" {
		t.Errorf("no trend: %q", got)
	}
	l.use.LoadTrend = &stats.Trend{N: 3, PValue: .001, Slope: .02}
	l.use.Periods[1].Load, l.use.Periods[2].Load = .75, .5
	if got, want := l.loadTrend(), "rising by about 2 percentage points per month, but it fell from 75.0 % to 50.0 % in the last month, 2024-03"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The trend of the load is in percentage points.
func TestLoadTrendWords(t *testing.T) {
	l := &Report{use: &inspect.Usage{Unit: "month", LoadTrend: &stats.Trend{N: 12, PValue: 0.001, Slope: -0.0125}}}
	if got, want := l.loadTrend(), "falling by about 1.250 percentage points per month"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is off the scale is marked there and named, the highest first.
func TestOffScale(t *testing.T) {
	l := &Report{describe: &inspect.Description{Clock: workload.Clock{Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}}}
	h := figure.History{Edges: []float64{0, 86400, 2 * 86400, 3 * 86400}, Lines: []figure.HistoryLine{{Name: "load", Y: []float64{5, 1, 7}}}}
	for top, want := range map[float64]string{
		2: " The axis ends at 2 to keep the rest readable; a triangle marks each of the 2 values above it: load 7 (from 2024-01-03), load 5 (from 2024-01-01).",
		6: " The axis ends at 6 to keep the rest readable; a triangle marks the one value above it: load 7 (from 2024-01-03).",
	} {
		if got := l.offScale(h, top); got != want {
			t.Errorf("%g: %q, want %q", top, got, want)
		}
	}
	h.Edges, h.Lines[0].Y = append(h.Edges, 4*86400), []float64{5, 4, 7, 6}
	want := " The axis ends at 2 to keep the rest readable; a triangle marks each of the 4 values above it. The highest are load 7 (from 2024-01-03), load 6 (from 2024-01-04), load 5 (from 2024-01-01)."
	if got := l.offScale(h, 2); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := l.offScale(h, 7); got != "" {
		t.Errorf("%q on a scale that holds all", got)
	}
}
