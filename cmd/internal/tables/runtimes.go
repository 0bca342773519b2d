package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimeShow says which columns a result has beside those of every one, or shows to
// people.
type RunTimeShow struct {
	Common    bool // the accuracy over the common jobs
	Loss      bool // by the objective
	Measures  []evaluate.RunTimeMeasure
	Bounds    bool   // what predictions of a quantile are worth
	Intervals bool   // those of the accuracy
	Against   string // the score that the others differ from; "" for none
}

// RunTimeColumns are the columns of scores of run time predictors.
func RunTimeColumns(show RunTimeShow) []present.Column[evaluate.RunTimeScore] {
	type row = evaluate.RunTimeScore
	number := func(name, heading string, of func(row) stats.Number, short func(float64) string) present.Column[row] {
		return present.Float(name, heading, of, short)
	}
	decimals := func(x float64) string { return present.Fixed(x, 4) }
	short := func(x float64) string { return present.Fixed(x, -1) }
	onCommon := ""
	if show.Common {
		onCommon = "on common jobs"
	}
	all := []present.Column[row]{
		present.Text("classes", "classes", func(s row) string { return s.Classes }),
		present.Text("predictor", "predictor", func(s row) string { return s.Predictor }),
		present.Count("jobs", "jobs", func(s row) int { return s.Jobs }),
		present.Count("predicted", "predicted", func(s row) int { return s.Predicted }),
		number("coverage", "coverage", func(s row) stats.Number { return s.Coverage }, decimals),
		number("accuracy_mean", "accuracy", func(s row) stats.Number { return s.AccuracyMean }, decimals),
		number("accuracy_common_mean", onCommon, func(s row) stats.Number { return s.AccuracyCommon }, decimals),
		present.Count("accuracy_common_jobs", "", func(s row) int { return s.CommonJobs }),
		present.Time("absolute_error_mean_s", "mean abs. error", func(s row) stats.Number { return s.AbsoluteErrorMean }, second),
		present.Time("absolute_error_median_s", "median error", func(s row) stats.Number { return s.AbsoluteErrorMedian }, second),
		number("accuracy_low", "", func(s row) stats.Number { return s.AccuracyLow }, nil),
		number("accuracy_high", "", func(s row) stats.Number { return s.AccuracyHigh }, nil),
		number("accuracy_common_low", "", func(s row) stats.Number { return s.AccuracyCommonLow }, nil),
		number("accuracy_common_high", "", func(s row) stats.Number { return s.AccuracyCommonHigh }, nil),
		number("accuracy_difference", "", func(s row) stats.Number { return s.Difference }, nil),
		number("accuracy_difference_low", "", func(s row) stats.Number { return s.DifferenceLow }, nil),
		number("accuracy_difference_high", "", func(s row) stats.Number { return s.DifferenceHigh }, nil),
		number("accuracy_median", "", func(s row) stats.Number { return s.AccuracyMedian }, nil),
		number("accuracy_above_0_9", "", func(s row) stats.Number { return s.Accurate }, nil),
		number("absolute_error_q25_s", "", func(s row) stats.Number { return s.AbsoluteErrorQ25 }, nil),
		number("absolute_error_q75_s", "", func(s row) stats.Number { return s.AbsoluteErrorQ75 }, nil),
		number("absolute_error_q90_s", "", func(s row) stats.Number { return s.AbsoluteErrorQ90 }, nil),
		number("absolute_error_q99_s", "", func(s row) stats.Number { return s.AbsoluteErrorQ99 }, nil),
		number("bias_s", "", func(s row) stats.Number { return s.Bias }, nil),
		number("relative_error_mean", "", func(s row) stats.Number { return s.RelativeErrorMean }, nil),
		number("relative_error_median", "", func(s row) stats.Number { return s.RelativeErrorMedian }, nil),
		number("log_error_mean", "", func(s row) stats.Number { return s.LogErrorMean }, nil),
		number("log_bias", "", func(s row) stats.Number { return s.LogBias }, nil),
		number("under_pct", "under", func(s row) stats.Number { return s.UnderPct }, present.Percent),
		number("perfect_pct", "", func(s row) stats.Number { return s.PerfectPct }, nil),
		number("over_pct", "", func(s row) stats.Number { return s.OverPct }, nil),
	}
	if show.Loss {
		all = append(all, number("objective_loss_mean", "objective loss", func(s row) stats.Number {
			if s.Loss == nil {
				return stats.Number(math.NaN())
			}
			return s.Loss.Mean
		}, present.Sig[float64]))
	}
	for _, m := range show.Measures {
		all = append(all, number(m.Name, m.Name, func(s row) stats.Number { return s.Measure(m.Name) }, present.Sig[float64]))
	}
	if show.Bounds {
		bound := func(of func(*score.RunTimeBound) stats.Number) func(row) stats.Number {
			return func(s row) stats.Number {
				if s.Bound == nil {
					return stats.Number(math.NaN())
				}
				return of(s.Bound)
			}
		}
		all = append(all,
			number("quantile", "quantile", bound(func(b *score.RunTimeBound) stats.Number { return stats.Number(b.Quantile) }), short),
			number("bound_coverage", "covered", bound(func(b *score.RunTimeBound) stats.Number { return b.Coverage }), decimals),
			present.Time("pinball_loss_s", "pinball loss", bound(func(b *score.RunTimeBound) stats.Number { return b.QuantileLoss }), second),
			number("bound_mean_s", "", bound(func(b *score.RunTimeBound) stats.Number { return b.Mean }), nil))
	}
	if show.Intervals {
		all = append(all, present.Text("", "95% interval", func(s row) string { return span(s.AccuracyLow, s.AccuracyHigh) }))
	}
	if against := show.Against; against != "" {
		all = append(all, present.Text("", "minus "+against, func(s row) string { return versus(s, against) }))
	}
	return all
}

// RunTimes is the result in its three forms.
func RunTimes(r *evaluate.RunTimesResult) present.Result {
	var show RunTimeShow
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		show.Intervals = true
		if len(r.Scores) > 1 { // the others differ from it
			show.Against = b.AgainstPredictor + "," + b.AgainstClasses
		}
	}
	if len(r.Scores) > 0 {
		show.Measures = r.Scores[0].Measures
	}
	show.Common = slices.ContainsFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.CommonJobs > 0 && s.CommonJobs < s.Predicted })
	show.Loss = slices.ContainsFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.Loss != nil })
	show.Bounds = slices.ContainsFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.Bound != nil })
	columns := RunTimeColumns(show)
	text := func(w *present.Screen) {
		shown, repeated := distinctClasses(r.Scores)
		isShown := func(classes string) bool {
			return slices.ContainsFunc(shown, func(s evaluate.RunTimeScore) bool { return s.Classes == classes })
		}
		// Coverage has what jobs and predicted have; the difference from another predictor, what the interval has.
		table := present.People(columns, shown).Narrowed("predicted", "jobs", "quantile", "95% interval", "pinball loss", "median error", "covered", "under")
		w.Table(table)
		for i, b := range r.Best {
			if len(shown) < 2 || i > 0 && (len(r.Best) < 3 || b.Predictor == r.Best[0].Predictor && b.Classes == r.Best[0].Classes || !isShown(b.Classes)) {
				continue // it repeats the table or the first line
			}
			name := "best"
			if b.Among != "all" {
				name += " " + b.Among
			}
			w.Printf("%s: %s,%s %s\n", name, b.Predictor, b.Classes, bestText(r, b))
		}
		writeLegend(w, append(repeated, runTimeLegend(show, table)...)...)
		for _, t := range runTimeParts(r) {
			w.Printf("\n")
			w.Table(t)
		}
	}
	return present.Result{Text: text, JSON: r, CSV: present.CSV(columns, r.Scores)}
}

// runTimeLegend says what the headings mean.
func runTimeLegend(show RunTimeShow, table present.Table) []string {
	has := func(heading string) bool { return slices.Contains(table.Head, heading) }
	coverage, common := "coverage: share of jobs with a prediction", ""
	if has("under") {
		coverage += "; under: share of predictions below the run time"
	}
	legend := []string{coverage, "accuracy: mean of the smaller of predicted and actual run time over the larger, 0 to 1 (perfect)"}
	if show.Common {
		legend[0] += "; on common jobs: accuracy on those that all predict"
		common = " on common jobs"
	}
	if has("covered") {
		covered := "covered: share of run times not above the bound"
		if has("pinball loss") {
			covered += "; pinball loss: its error, smaller is better"
		}
		legend = append(legend, covered)
	}
	if show.Against != "" && show.Intervals {
		legend = append(legend, "minus "+show.Against+": difference in accuracy"+common+" (95% interval); * the interval excludes 0")
	}
	return legend
}

// distinctClasses leaves out the classes whose predictors all score as those of earlier
// classes do, such as user-site where a log has one site, and names them in lines.
func distinctClasses(scores []evaluate.RunTimeScore) (shown []evaluate.RunTimeScore, lines []string) {
	first := map[string]string{} // of each classes, the first with the same scores
	var names []string
	same := map[string][]string{}
	for _, s := range scores {
		if first[s.Classes] == "" {
			as := s.Classes
			if i := slices.IndexFunc(names, func(earlier string) bool { return sameScores(scores, earlier, s.Classes) }); i >= 0 {
				as = names[i]
				same[as] = append(same[as], s.Classes)
			} else {
				names = append(names, as)
			}
			first[s.Classes] = as
		}
		if first[s.Classes] == s.Classes {
			shown = append(shown, s)
		}
	}
	for _, name := range names {
		if len(same[name]) > 0 {
			lines = append(lines, fmt.Sprintf("not shown: classes with the same scores as %s on this log (%s)", name, strings.Join(same[name], ", ")))
		}
	}
	return shown, lines
}

// sameScores says whether two ways of classing have the same predictors with the same
// scores.
func sameScores(scores []evaluate.RunTimeScore, a, b string) bool {
	of := func(classes string) (list []evaluate.RunTimeScore) {
		for _, s := range scores {
			if s.Classes == classes {
				list = append(list, s)
			}
		}
		return list
	}
	return slices.EqualFunc(of(a), of(b), func(x, y evaluate.RunTimeScore) bool {
		return x.Predictor == y.Predictor && x.Predicted == y.Predicted && (x.Predicted == 0 || x.RunTime == y.RunTime && x.Bias == y.Bias)
	})
}

// bestText is the accuracy that a best predictor is the best by.
func bestText(r *evaluate.RunTimesResult, b evaluate.BestRunTime) string {
	s := r.Score(b.Predictor, b.Classes)
	text := present.Fixed(s.Rank(), 4)
	if s.CommonJobs > 0 && s.CommonJobs < s.Predicted {
		text += fmt.Sprintf(" on the %d jobs that all predict", s.CommonJobs)
	}
	return text
}

// span writes an interval for people.
func span(low, high stats.Number) string {
	if math.IsNaN(float64(low)) || math.IsNaN(float64(high)) {
		return "-"
	}
	return present.Fixed(low, 3) + " to " + present.Fixed(high, 3)
}

// versus writes a difference and its interval for people, with a star where
// the interval excludes 0.
func versus(s evaluate.RunTimeScore, against string) string {
	switch {
	case s.Label() == against || math.IsNaN(float64(s.Difference)):
		return "-"
	case math.IsNaN(float64(s.DifferenceLow)) || math.IsNaN(float64(s.DifferenceHigh)):
		return fmt.Sprintf("%+.3f", s.Difference)
	}
	star := ""
	if s.DifferenceLow > 0 || s.DifferenceHigh < 0 {
		star = " *"
	}
	return fmt.Sprintf("%+.3f (%+.3f to %+.3f)%s", s.Difference, s.DifferenceLow, s.DifferenceHigh, star)
}
