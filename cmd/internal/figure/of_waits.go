package figure

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// The names of the pictures of scores of wait predictors. Those of EASY
// backfilling end in "-easy".
const (
	WaitScatterName        = "wait-scatter-" // and the predictor
	WaitAccuracyName       = "wait-accuracy-distribution"
	WaitErrorName          = "wait-error-distribution"
	WaitCoverageName       = "wait-coverage"
	WaitBurstName          = "wait-burst"
	WaitSimulatedBurstName = "wait-burst-simulated"
)

// OfWaits returns, for each predictor, predicted and actual waits (figure 4 of
// Downey 1997), and coverage over time, and waits in a burst (figure
// 5 of Sonmez and others 2009) for those that have them.
func OfWaits(r *evaluate.WaitsResult) []Picture {
	var all []Picture
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

func scatterOf(r *evaluate.WaitsResult, s *evaluate.WaitScore) Picture {
	name := WaitScatterName + s.Predictor
	if s.Scatter.Jobs == 0 {
		return absent(name, "nothing was predicted")
	}
	return Picture{Name: name, Draw: func(w io.Writer, format string) error {
		return WaitScatter(w, format, waitsSource(r, s.Waits, fmt.Sprintf("%d jobs", s.Scatter.Jobs)), WaitPointsOf(s))
	}}
}

// WaitPointsOf returns what WaitScatter draws of a predictor's predictions.
func WaitPointsOf(s *evaluate.WaitScore) WaitPoints {
	of := s.Scatter
	points := WaitPoints{
		Predictor: s.Predictor, Predicted: "predicted wait", Actual: "actual wait", Side: math.Pow(10, 1./score.ScatterCells),
		ShortPredicted: of.ShortPredicted, ShortActual: of.ShortActual,
	}
	switch {
	case s.Bound:
		points.Predicted = "bound of the wait"
	case s.Waits == evaluate.HeadWaits:
		points.Predicted, points.Actual = "predicted time at the head of the queue", "actual time at the head of the queue"
	}
	for _, c := range of.Cells {
		points.Cells = append(points.Cells, WaitCell(c))
	}
	for _, c := range of.Columns {
		points.Columns = append(points.Columns, WaitColumn(c))
	}
	return points
}

// waitErrorsOf returns how accurate predicted waits are and how far they are off,
// under each way of simulating them: figure 4 of Sonmez and others (2009). Bounds
// of the log's own waits are not meant to be close.
func waitErrorsOf(r *evaluate.WaitsResult) []Picture {
	var all []Picture
	for _, of := range []struct{ waits, end string }{{evaluate.QueueWaits, ""}, {evaluate.EASYWaits, "-easy"}} {
		var accuracy, miss []Shares
		jobs := 0
		for i := range r.Scores {
			s := &r.Scores[i]
			if s.Waits != of.waits || len(s.Accuracy) == 0 {
				continue
			}
			accuracy = append(accuracy, sharesOf(s.Predictor, s.Accuracy))
			miss = append(miss, sharesOf(s.Predictor, s.Error))
			jobs = max(jobs, s.Predicted)
		}
		if len(accuracy) == 0 {
			all = append(all, absentExtra("no wait was predicted from a simulated schedule", WaitAccuracyName+of.end, WaitErrorName+of.end)...)
			continue
		}
		source := waitsSource(r, of.waits, fmt.Sprintf("%d jobs that waited", jobs))
		all = append(all,
			Picture{Name: WaitAccuracyName + of.end, Draw: func(w io.Writer, format string) error { return WaitAccuracyShares(w, format, source, accuracy) }},
			Picture{Name: WaitErrorName + of.end, Draw: func(w io.Writer, format string) error { return WaitErrorShares(w, format, source, miss) }})
	}
	return all
}

func coverageOf(r *evaluate.WaitsResult) Picture {
	c := &r.Coverage
	switch {
	case c.Block == "":
		return absent(WaitCoverageName, "the log is shorter than ten days")
	case len(c.Bounds) == 0:
		return absent(WaitCoverageName, "there was no bound")
	}
	return Picture{Name: WaitCoverageName, Draw: func(w io.Writer, format string) error {
		per := "a " + c.Block
		if c.Merged > 1 {
			per = fmt.Sprintf("%d %ss", c.Merged, c.Block)
		}
		source := fmt.Sprintf("%s, by submission, in stretches of %s", filepath.Base(r.Log.Name), per)
		return WaitCoverage(w, format, source, r.Quantile, CoveragesOf(c), dates(c))
	}}
}

// dates tells the time at a second of the log; nil where that is not known.
func dates(c *evaluate.WaitsCoverage) func(float64) time.Time {
	if c.Clock.Dates(c.First, c.Last) {
		return c.Clock.At
	}
	return nil
}

// CoveragesOf returns the lines of bounds, as WaitCoverage draws them.
func CoveragesOf(c *evaluate.WaitsCoverage) []Coverage {
	var all []Coverage
	for _, b := range c.Bounds {
		line := Coverage{Name: b.Predictor, From: b.From, To: b.To, Share: b.Share}
		if b.Waits != evaluate.LogWaits {
			line.Name += " (simulated)"
		}
		all = append(all, line)
	}
	return all
}

func burstOf(r *evaluate.WaitsResult, b *evaluate.WaitsBurst) Picture {
	name := map[string]string{evaluate.QueueWaits: WaitSimulatedBurstName, evaluate.EASYWaits: WaitSimulatedBurstName + "-easy", evaluate.LogWaits: WaitBurstName}[b.Waits]
	if len(b.Lines) == 0 {
		return absent(name, fmt.Sprintf("no user's jobs, each within five minutes of the one before, have %d that waited and were predicted", evaluate.LeastWaiting))
	}
	return Picture{Name: name, Draw: func(w io.Writer, format string) error {
		what := fmt.Sprintf("a burst of %d jobs of user %d", b.Jobs, b.User)
		if b.Jobs > b.Kept {
			what += fmt.Sprintf(", the first %d of them", b.Kept)
		}
		return WaitBurst(w, format, waitsSource(r, b.Waits, what), BurstLinesOf(b))
	}}
}

// BurstLinesOf returns the waits of a burst, as WaitBurst draws them.
func BurstLinesOf(b *evaluate.WaitsBurst) []BurstWaits {
	var lines []BurstWaits
	for _, l := range b.Lines {
		lines = append(lines, BurstWaits(l))
	}
	return lines
}
