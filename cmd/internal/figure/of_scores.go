package figure

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// OfRunTimes returns figures 2 and 3 of Sonmez and others (2009) for a log: the
// accuracies by classes, the distributions of the best predictor of each way of
// classing, and the best without and with the finest classes.
func OfRunTimes(r *evaluate.RunTimesResult) []Spec {
	names := [2]string{"run-time-accuracy-distribution", "run-time-error-distribution"}
	if len(r.Best) == 0 {
		const why = "nothing was predicted"
		return append([]Spec{absent("run-time-accuracy", why)}, absentExtra(why, names[0], names[1], "run-time-best")...)
	}
	source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(r.Log.Name), r.Log.Jobs)
	byClasses := accuracies("run-time-accuracy", source, r)
	for _, x := range r.Scores {
		if !slices.Contains(byClasses.X.Names, x.Classes) {
			byClasses.X.Names = append(byClasses.X.Names, x.Classes)
		}
	}
	for _, x := range r.Scores {
		byClasses.addAccuracy(x.Predictor, slices.Index(byClasses.X.Names, x.Classes), x)
	}
	accuracy, miss := accuracyAndError(names, [2]string{"How the accuracy of predictions is distributed", "How far predictions of run times are off"}, source)
	for _, c := range r.CurvesByClasses() {
		accuracy.cumulative(c.Predictor+","+c.Classes, c.Accuracy)
		miss.cumulative(c.Predictor+","+c.Classes, c.Error)
	}
	miss.fromOne()
	all := []Spec{byClasses, accuracy, miss}
	if len(r.Best) != 3 {
		return append(all, absentExtra("want predictions with and without the classes "+evaluate.FinestClasses, "run-time-best")...)
	}
	best := accuracies("run-time-best", source, r)
	for i, b := range r.Best[1:] {
		x := r.Score(b.Predictor, b.Classes)
		best.X.Names = append(best.X.Names, []string{"without: ", "with: "}[i]+x.Label())
		best.addAccuracy("the best, without and with "+evaluate.FinestClasses, i, *x)
	}
	return append(all, best)
}

// accuracies is a picture of mean accuracies as bars side by side, in a group for each
// way of classing, with intervals: figure 2 of Sonmez and others (2009) for one log.
func accuracies(name, source string, r *evaluate.RunTimesResult) Spec {
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		source += fmt.Sprintf("; 95 %% intervals over %d users", b.Users)
	}
	classes := "classes of jobs"
	if lacking := r.UnknownClasses(); len(lacking) > 0 { // without sites the bars of user-site repeat those of user
		classes += "\n(no " + strings.Join(lacking, " and no ") + " in the log)"
	}
	return Spec{Name: name, Title: "How accurately run times are predicted", Source: source,
		X: Axis{Title: classes, Kind: Categories}, Y: Axis{Title: "mean accuracy", Kind: Number, Max: 1}}
}

// addAccuracy enters a score under a name, in the i-th group.
func (s *Spec) addAccuracy(name string, i int, x evaluate.RunTimeScore) {
	at := slices.IndexFunc(s.Series, func(c Series) bool { return c.Name == name })
	if at < 0 {
		at = len(s.Series)
		s.Series = append(s.Series, Series{Name: name, Kind: Bars, Color: at + 1})
	}
	c := &s.Series[at]
	for len(c.Y) <= i {
		c.Y, c.Low, c.High = append(c.Y, math.NaN()), append(c.Low, math.NaN()), append(c.High, math.NaN())
	}
	c.Y[i], c.Low[i], c.High[i] = float64(x.AccuracyMean), float64(x.AccuracyLow), float64(x.AccuracyHigh)
}

// OfWaits returns, for each predictor, predicted and actual waits (figure 4 of
// Downey 1997), and coverage over time, and waits in a burst (figure
// 5 of Sonmez and others 2009) for those that have them.
func OfWaits(r *evaluate.WaitsResult) []Spec {
	var all []Spec
	for i := range r.Scores {
		all = append(all, scatterOf(r, &r.Scores[i]))
	}
	all = append(all, waitErrorsOf(r)...)
	all = append(all, coverageOf(r))
	for i := range r.Bursts {
		all = append(all, burstOf(r, &r.Bursts[i]))
	}
	return all
}

// waitsSource is the line below a picture's title.
func waitsSource(r *evaluate.WaitsResult, waits, what string) string {
	of := "waits of the log"
	switch {
	case waits == evaluate.LogWaits:
	case r.Sites != nil:
		of = fmt.Sprintf("simulated, %s, a machine for each site", evaluate.PolicyOf(waits))
	default:
		of = fmt.Sprintf("simulated, %s on %d processors", evaluate.PolicyOf(waits), *r.Processors)
	}
	return fmt.Sprintf("%s, %s, %s", filepath.Base(r.Log.Name), of, what)
}

func scatterOf(r *evaluate.WaitsResult, x *evaluate.WaitScore) Spec {
	name := "wait-scatter-" + x.Predictor
	if x.Scatter.Jobs == 0 {
		return absent(name, "nothing was predicted")
	}
	title, predicted, actual := "Predicted and actual waits: ", "predicted wait", "actual wait"
	switch {
	case x.Bound:
		title, predicted = "Bounds and actual waits: ", "bound of the wait"
	case x.Waits == evaluate.HeadWaits:
		predicted, actual = "predicted time at the head of the queue", "actual time at the head of the queue"
	}
	s := scatter(x.Scatter, predicted, actual)
	s.Name, s.Title = name, title+x.Predictor
	s.Source = waitsSource(r, x.Waits, fmt.Sprintf("%d jobs", x.Scatter.Jobs)) + s.Source
	return s
}

// fewestInColumn is how many jobs a column of a scatter plot has to have for its
// mean and its median to be drawn.
const fewestInColumn = 10

// scatter draws actual against predicted waits, darker where there are more
// jobs, with the identity, and with the mean and the median of the actual waits
// in columns of predicted ones: figure 4 of Downey (1997), "Predicting queue
// times on space-sharing parallel computers". The identity is straight but no
// diagonal, for each axis has the range of its times.
//
// Predictions beyond ten times the longest actual wait, or the shortest prediction
// if that is longer, are left out; the source counts them.
func scatter(of score.Scatter, predicted, actual string) Spec {
	atASecond := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(" (%d below 1 s, drawn at 1 s)", n)
	}
	s := Spec{Square: true, X: Axis{Title: predicted + atASecond(of.ShortPredicted), Kind: Duration}, Y: Axis{Title: actual + atASecond(of.ShortActual), Kind: Duration}}
	cells := Series{Kind: Cells, Side: math.Pow(10, 1./score.ScatterCells)}
	var xs, ys span
	for _, c := range of.Cells {
		xs.add(c.Predicted)
		ys.add(c.Actual, c.Actual*cells.Side)
	}
	limit, off := 10*max(ys.high, xs.low), 0
	xs = span{}
	for _, c := range of.Cells {
		if c.Predicted > limit {
			off += c.Jobs
			continue
		}
		xs.add(c.Predicted, c.Predicted*cells.Side)
		cells.X, cells.Y, cells.Count = append(cells.X, c.Predicted), append(cells.Y, c.Actual), append(cells.Count, c.Jobs)
	}
	if off > 0 {
		s.Source = fmt.Sprintf("; %d are off the chart", off)
	}
	s.X.Min, s.X.Max = decadeAtLeast(xs)
	s.Y.Min, s.Y.Max = decadeAtLeast(ys)
	mean, median := Series{Name: "mean", Kind: Line, Color: 1}, Series{Name: "median", Kind: Line, Color: 2}
	add := func(from, to, a, b float64) {
		mean.X, mean.Y, median.Y = append(mean.X, math.Sqrt(from)*math.Sqrt(to)), append(mean.Y, a), append(median.Y, b)
	}
	end := math.Inf(1)
	for _, c := range of.Columns {
		for ; c.From > end*(1+1e-9); end *= c.To / c.From { // columns without jobs
			add(end, end*c.To/c.From, math.NaN(), math.NaN())
		}
		a, b := max(1, c.Mean), max(1, c.Median)
		if c.Jobs < fewestInColumn {
			a, b = math.NaN(), math.NaN()
		}
		add(c.From, c.To, a, b)
		end = c.To
	}
	median.X = mean.X
	s.Series = []Series{cells, {Name: "identity", Kind: Identity}}
	if slices.ContainsFunc(mean.Y, Duration.has) {
		s.Series = append(s.Series, mean, median)
	}
	return s
}

// decadeAtLeast widens a range to a factor of ten.
func decadeAtLeast(s span) (low, high float64) {
	f := max(1, math.Sqrt(10*s.low/s.high))
	return s.low / f, s.high * f
}

// waitErrorsOf returns how accurate predicted waits are and how far they are off,
// under each way of simulating them: figure 4 of Sonmez and others (2009). Bounds
// of the log's own waits are not meant to be close.
func waitErrorsOf(r *evaluate.WaitsResult) []Spec {
	var all []Spec
	for _, of := range []struct{ waits, end string }{{evaluate.QueueWaits, ""}, {evaluate.EASYWaits, "-easy"}} {
		names := [2]string{"wait-accuracy-distribution" + of.end, "wait-error-distribution" + of.end}
		accuracy, miss := accuracyAndError(names, [2]string{"How the accuracy of predicted waits is distributed", "How far predicted waits are off"}, "")
		jobs := 0
		for _, x := range r.Scores {
			if x.Waits == of.waits && len(x.Accuracy) > 0 {
				accuracy.cumulative(x.Predictor, x.Accuracy)
				miss.cumulative(x.Predictor, x.Error)
				jobs = max(jobs, x.Predicted)
			}
		}
		if len(accuracy.Series) == 0 {
			all = append(all, absentExtra("no wait was predicted from a simulated schedule", names[:]...)...)
			continue
		}
		miss.fromOne()
		accuracy.Source = waitsSource(r, of.waits, fmt.Sprintf("%d jobs that waited", jobs))
		miss.Source = accuracy.Source
		all = append(all, accuracy, miss)
	}
	return all
}

// coverageOf draws how the coverage of bounds changes over time, with the share
// that was asked for. A line has a point in the middle of each stretch, and breaks where a
// stretch is missing or has no share.
func coverageOf(r *evaluate.WaitsResult) Spec {
	c, name := &r.Coverage, "wait-coverage"
	switch {
	case c.Block == "":
		return absent(name, "the log is shorter than ten days")
	case len(c.Bounds) == 0:
		return absent(name, "there was no bound")
	}
	per := "a " + c.Block
	if c.Merged > 1 {
		per = fmt.Sprintf("%d %ss", c.Merged, c.Block)
	}
	axis, places := TimeAxis(c.Clock, c.First, c.Last)
	s := Spec{Name: name, Title: "How many waits bounds cover, over time", Source: fmt.Sprintf("%s, by submission, in stretches of %s", filepath.Base(r.Log.Name), per),
		X: axis, Y: Axis{Title: "share of waits covered", Kind: Share, Max: 1}, Series: []Series{{Name: "asked for", Kind: Limit, Y: []float64{r.Quantile}}}}
	least := r.Quantile
	for k, b := range c.Bounds {
		line := Series{Name: BoundName(b), Kind: Line, Color: k + 1}
		for i, y := range b.Share {
			if i > 0 && b.From[i] > b.To[i-1] {
				line.X, line.Y = append(line.X, b.From[i]), append(line.Y, math.NaN())
			}
			if y >= 0 && y <= 1 {
				least = min(least, y)
			}
			line.X, line.Y = append(line.X, (b.From[i]+b.To[i])/2), append(line.Y, y)
		}
		line.X = places(line.X...)
		s.Series = append(s.Series, line)
	}
	s.Y.Min = max(0, math.Floor(20*least-0.2)/20)
	return s
}

// BoundName is what a bound is called in pictures and tables of its coverage.
func BoundName(b evaluate.BoundCoverage) string {
	if b.Waits != evaluate.LogWaits {
		return b.Predictor + " (simulated)"
	}
	return b.Predictor
}

// burstOf draws the actual waits of the jobs of a burst and the predicted ones,
// over a log axis: figure 5 of Sonmez and others (2009). Waits below a second are drawn
// at 1 s.
func burstOf(r *evaluate.WaitsResult, b *evaluate.WaitsBurst) Spec {
	name := map[string]string{evaluate.QueueWaits: "wait-burst-simulated", evaluate.EASYWaits: "wait-burst-simulated-easy", evaluate.LogWaits: "wait-burst"}[b.Waits]
	if len(b.Lines) == 0 {
		return absent(name, fmt.Sprintf("no user's jobs, each within five minutes of the one before, have %d that waited and were predicted", evaluate.LeastWaiting))
	}
	what := fmt.Sprintf("a burst of %d jobs of user %d", b.Jobs, b.User)
	if b.Jobs > b.Kept {
		what += fmt.Sprintf(", the first %d of them", b.Kept)
	}
	s := Spec{Name: name, Title: "Waits in a burst", Source: waitsSource(r, b.Waits, what), X: Axis{Title: "job of the burst", Kind: Number}, Y: Axis{Title: "wait", Kind: Duration}}
	for k, l := range b.Lines {
		line := Series{Name: l.Name, Kind: Line, Color: k} // the first are the data
		for i, y := range l.Seconds {
			if y < 1 {
				s.Y.Title = "wait (below 1 s drawn at 1 s)"
			}
			line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, max(1, y))
		}
		s.Series = append(s.Series, line)
	}
	return s
}
