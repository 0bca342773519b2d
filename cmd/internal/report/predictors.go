package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// runtimeWords are the captions of the pictures of predictors of run time.
var runtimeWords = map[string][2]string{
	"run-time-accuracy":              {"Mean accuracy by classes and predictors", "Bars of the mean accuracy of each predictor, in a group for each way of sorting jobs into classes, with 95 % intervals where they were drawn."},
	"run-time-accuracy-distribution": {"How accuracy is distributed", "Distribution of the accuracy of the best predictor of each way of sorting jobs into classes."},
	"run-time-error-distribution":    {"How far predictions are off", "Distribution of the absolute error of the best predictor of each way of sorting jobs into classes, over a log axis."},
	"run-time-best":                  {"The best, without and with the finest classes", "Bars of the mean accuracy of the best predictor without and with classes of user, application, size and site."},
}

func (l *Report) predictors() []page.Block {
	if l.scores == nil {
		return missing(l.why[RunTimes])
	}
	js := l.scores
	if len(js.Best) == 0 {
		return missing("No run time could be predicted: no class has a job that ended before another began.")
	}
	best := js.Best[0]
	summary := fmt.Sprintf("The most accurate of %s is %s, with a mean accuracy of %s", countedText(int64(distinctScores(js.Scores)), "predictor"), predictorWords(best.Predictor, best.Classes), present.Fixed(best.AccuracyMean, 3))
	for _, s := range js.Scores {
		if s.Classes == best.Classes && s.Predictor == best.Predictor {
			if present.Known(stats.Number(s.AccuracyLow)) {
				summary += fmt.Sprintf(" (95 %% interval over users: %s to %s)", present.Fixed(s.AccuracyLow, 3), present.Fixed(s.AccuracyHigh, 3))
			}
			summary += fmt.Sprintf(". It predicts %s %% of the jobs, half of them to within %s.", present.Fixed(100*float64(s.Coverage), 1), timeText(float64(s.AbsoluteErrorMedian)))
		}
	}
	for _, s := range js.Scores {
		if s.Predictor == estimates && best.Predictor != estimates && present.Known(stats.Number(s.AccuracyMean)) {
			summary += fmt.Sprintf(" That of the users' own estimates is %s.", present.Fixed(s.AccuracyMean, 3))
			break
		}
	}
	blocks := []page.Block{paragraph("%s", summary), paragraph("'loadstone runtime --predictors all' scores more predictors, such as kernel, tsafrir and alea.")}
	if alike := strings.Join(l.scores.UnknownClasses(), " and no "); alike != "" {
		blocks = append(blocks, remark("missing", "The log has no "+alike+", so classes that use them are the same as those that do not."))
	}
	for _, name := range []string{"run-time-accuracy", "run-time-best", "run-time-accuracy-distribution", "run-time-error-distribution"} {
		text := runtimeWords[name]
		blocks = append(blocks, l.kept(name, page.Figure{Caption: text[0], Alt: text[1] + " " + summary, Table: l.runtimeTable(name)})...)
	}
	blocks = append(blocks, tableOf(l.bestByClasses()), tableOf(scoresTable("All scores", js.Scores, true)))
	for _, out := range js.LeftOut {
		blocks = append(blocks, remark("missing", out.Classes+" is left out: "+sentence(out.Why)))
	}
	return blocks
}

// distinctScores counts the scores but for those that repeat another: classes by a field
// that the log lacks are the same as those without it.
func distinctScores(scores []evaluate.RunTimeScore) int {
	n := 0
	for i, s := range scores {
		if !slices.ContainsFunc(scores[:i], func(o evaluate.RunTimeScore) bool { return o.Predictor == s.Predictor && o.RunTime == s.RunTime }) {
			n++
		}
	}
	return n
}

// estimates is the predictor that repeats the user's own estimate, whatever the classes.
const estimates = "estimate"

// predictorWords name a predictor with its classes.
func predictorWords(predictor, classes string) string {
	if predictor == estimates {
		return "the users' estimates"
	}
	return predictor + " by " + classes
}

// bestByClasses has the best predictor of each way of classing.
func (l *Report) bestByClasses() page.Table {
	var best []evaluate.RunTimeScore
	for _, s := range l.scores.Scores {
		i := slices.IndexFunc(best, func(b evaluate.RunTimeScore) bool { return b.Classes == s.Classes })
		switch {
		case i < 0:
			best = append(best, s)
		case s.Rank() > best[i].Rank() || !present.Known(best[i].Rank()):
			best[i] = s
		}
	}
	return scoresTable("The best predictor of each way of sorting jobs into classes", best, false)
}

func scoresTable(caption string, scores []evaluate.RunTimeScore, folded bool) page.Table {
	t := page.Table{Caption: caption, Folded: folded, Head: []string{"classes, predictor", "predicted", "coverage", "mean accuracy", "95 % from", "to", "on common jobs", "mean error", "median error", "too short"}}
	for _, s := range scores {
		t.Rows = append(t.Rows, []page.Cell{textCell(s.Classes + ", " + s.Predictor), countCell(s.Predicted), shareCell(s.Coverage), fixedCell(s.AccuracyMean, 4),
			fixedCell(s.AccuracyLow, 3), fixedCell(s.AccuracyHigh, 3), fixedCell(s.AccuracyCommon, 4), timeCell(s.AbsoluteErrorMean), timeCell(s.AbsoluteErrorMedian), percentCell(s.UnderPct)})
	}
	oneUnit(&t, 7, 8)
	return t
}

// runtimeTable has the numbers of a picture of predictors of run time.
func (l *Report) runtimeTable(picture string) *page.Table {
	t := &page.Table{Caption: "The numbers", Folded: true}
	switch picture {
	case "run-time-accuracy":
		t.Head = []string{"classes"}
		rows := map[string][]page.Cell{}
		for _, s := range l.scores.Scores {
			if !slices.Contains(t.Head, s.Predictor) {
				t.Head = append(t.Head, s.Predictor)
			}
		}
		for _, s := range l.scores.Scores {
			if rows[s.Classes] == nil {
				rows[s.Classes] = make([]page.Cell, len(t.Head))
				rows[s.Classes][0] = textCell(s.Classes)
				t.Rows = append(t.Rows, rows[s.Classes])
			}
			rows[s.Classes][slices.Index(t.Head, s.Predictor)] = fixedCell(s.AccuracyMean, 4)
		}
	case "run-time-best":
		t.Head = []string{"among", "classes", "predictor", "mean accuracy"}
		for _, b := range l.scores.Best {
			t.Rows = append(t.Rows, []page.Cell{textCell(b.Among), textCell(b.Classes), textCell(b.Predictor), fixedCell(b.AccuracyMean, 4)})
		}
	case "run-time-accuracy-distribution":
		l.shareTable(t, "accuracy up to", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
			func(x float64) page.Cell { return fixedCell(x, 1) }, func(c evaluate.RunTimeDistributions) []score.Share { return c.Accuracy })
	default:
		l.shareTable(t, "absolute error up to", []float64{1, 10, 60, 600, 3600, 4 * 3600, 12 * 3600, 86400, 7 * 86400},
			func(x float64) page.Cell { return timeCell(x) }, func(c evaluate.RunTimeDistributions) []score.Share { return c.Error })
	}
	return t
}

// shareTable has the shares of the best predictor of each way of classing up to
// some values.
func (l *Report) shareTable(t *page.Table, head string, values []float64, text func(float64) page.Cell, of func(evaluate.RunTimeDistributions) []score.Share) {
	t.Head = []string{head}
	for _, x := range values {
		t.Rows = append(t.Rows, []page.Cell{text(x)})
	}
	for _, c := range l.scores.CurvesByClasses() {
		t.Head = append(t.Head, predictorWords(c.Predictor, c.Classes))
		for k, x := range values {
			upTo := 0.0
			for _, s := range of(c) {
				if s.Value <= x {
					upTo = s.AtMost
				}
			}
			t.Rows[k] = append(t.Rows[k], shareCell(upTo))
		}
	}
}
