package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimes is the result in its three forms.
func RunTimes(r *evaluate.RunTimesResult) view.Result {
	return view.Result{Text: func(w *view.Screen) { writeRunTimes(w, r) }, JSON: r, CSV: view.CSV(r.Scores)}
}

// writeRunTimes is the table for people.
func writeRunTimes(w *view.Screen, r *evaluate.RunTimesResult) {
	shown, repeated := distinctClasses(r.Scores)
	isShown := func(classes string) bool {
		return slices.ContainsFunc(shown, func(s evaluate.RunTimeScore) bool { return s.Classes == classes })
	}
	people := view.For(shown)
	common := slices.ContainsFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.CommonJobs > 0 && s.CommonJobs < s.Predicted })
	if !common {
		people.Without(onCommon)
	}
	against := ""
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		// The difference from another predictor has what the interval has.
		people.With(view.Cell[evaluate.RunTimeScore]{Heading: "95% interval", Narrow: 4, Text: func(s evaluate.RunTimeScore) string { return span(s.AccuracyLow, s.AccuracyHigh) }})
		if len(r.Scores) > 1 { // the others differ from it
			against = b.AgainstPredictor + "," + b.AgainstClasses
			people.With(view.Cell[evaluate.RunTimeScore]{Heading: "minus " + against, Text: func(s evaluate.RunTimeScore) string { return versus(s, against) }})
		}
	}
	table := people.Table()
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
	writeLegend(w, append(repeated, runTimeLegend(table.Head, against)...)...)
	for _, t := range runTimeParts(r) {
		w.Printf("\n")
		w.Table(t)
	}
}

// onCommon is the heading of the accuracy over the common jobs.
const onCommon = "on common jobs"

// runTimeLegend says what the headings mean.
func runTimeLegend(head []string, against string) []string {
	has := func(heading string) bool { return slices.Contains(head, heading) }
	coverage, common := "coverage: share of jobs with a prediction", ""
	if has("under") {
		coverage += "; under: share of predictions below the run time"
	}
	if has(onCommon) {
		coverage += "; on common jobs: accuracy on those that all predict"
		common = " on common jobs"
	}
	legend := []string{coverage}
	if has("accuracy") {
		legend = append(legend, "accuracy: mean of the smaller of predicted and actual run time over the larger, 0 to 1 (perfect)")
	}
	if has("covered") {
		covered := "covered: share of run times not above the bound"
		if has("pinball loss") {
			covered += "; pinball loss: its error, smaller is better"
		}
		legend = append(legend, covered)
	}
	if against != "" {
		legend = append(legend, "minus "+against+": difference in accuracy"+common+" (95% interval); * the interval excludes 0")
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
	text := view.Fixed(s.Rank(), 4)
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
	return view.Fixed(low, 3) + " to " + view.Fixed(high, 3)
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
