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
		RunTime:       score.RunTime{Jobs: 8, Predicted: 6, Coverage: 0.75, MeanAccuracy: score.MeanAccuracy{AccuracyMean: accuracy}, AbsoluteErrorMean: 7200, AbsoluteErrorMedian: 90},
		RunTimeDetail: score.RunTimeDetail{UnderPct: 25}}
}

// The best predictor, what the log lacks, the best of each way of classing, all scores
// and the classes that are left out.
func TestPredictorsSection(t *testing.T) {
	nan := stats.Number(math.NaN())
	l := &Report{scores: &evaluate.RunTimesResult{
		Scores:  []evaluate.RunTimeScore{runTimeScore("site", "last", 0.25, nan, nan), runTimeScore("user", "last", 0.5, 0.375, 0.625), runTimeScore("user", "rm", 0.4375, nan, nan)},
		Best:    []evaluate.BestRunTime{{Among: "all", Classes: "user", Predictor: "last", MeanAccuracy: score.MeanAccuracy{AccuracyMean: 0.5}}},
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
	l.scores.Best[0] = evaluate.BestRunTime{Among: "all", Classes: "all", Predictor: "estimate", MeanAccuracy: score.MeanAccuracy{AccuracyMean: 0.625}}
	if got, want := l.predictors()[0].Words[0], "The most accurate of 4 predictors is the users' estimates, with a mean accuracy of 0.625. It"; !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin with %q", got, want)
	}
	l.scores.Best = nil
	same(t, "none", lines(l.predictors()), []string{"missing: No run time could be predicted: no class has a job that ended before another began."})
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
	off := func(top float64, y ...float64) string {
		return l.offScale([]float64{0, 86400, 2 * 86400, 3 * 86400}, &figure.Spec{Y: figure.Axis{Max: top}, Series: []figure.Series{{Name: "load", Y: y}}})
	}
	for top, want := range map[float64]string{
		2: " The axis ends at 2 to keep the rest readable; a triangle marks each of the 2 values above it: load 7 (from 2024-01-03), load 5 (from 2024-01-01).",
		6: " The axis ends at 6 to keep the rest readable; a triangle marks the one value above it: load 7 (from 2024-01-03).",
	} {
		if got := off(top, 5, 1, 7); got != want {
			t.Errorf("%g: %q, want %q", top, got, want)
		}
	}
	want := " The axis ends at 2 to keep the rest readable; a triangle marks each of the 4 values above it. The highest are load 7 (from 2024-01-03), load 6 (from 2024-01-04), load 5 (from 2024-01-01)."
	if got := off(2, 5, 4, 7, 6); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := off(7, 5, 4, 7, 6); got != "" {
		t.Errorf("%q on a scale that holds all", got)
	}
}
