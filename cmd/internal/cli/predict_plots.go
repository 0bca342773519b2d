package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

const (
	waitAccuracyPlot = "wait-accuracy-distribution"
	waitErrorPlot    = "wait-error-distribution"
	calibrationPlot  = "wait-calibration"
)

// waitPictures draws a result into a folder.
type waitPictures struct {
	app    *app
	folder string
	r      *evaluate.WaitsResult
}

// drawWaits draws for each predictor predicted and actual waits (figure 4 of Downey
// 1997), and calibration, coverage over time, and waits in a burst (figure 5 of
// Sonmez and others 2009) for those that have them.
func (a *app) drawWaits(folder string, r *evaluate.WaitsResult) error {
	p := waitPictures{a, folder, r}
	for i := range r.Scores {
		if err := p.scatter(&r.Scores[i]); err != nil {
			return err
		}
	}
	for _, draw := range []func() error{p.errors, p.calibration, p.coverage} {
		if err := draw(); err != nil {
			return err
		}
	}
	for i := range r.Bursts {
		if err := p.burst(&r.Bursts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *waitPictures) path(name string) string { return filepath.Join(p.folder, name+".svg") }

func (p *waitPictures) draw(name string, write func(w io.Writer, format string) error) error {
	return p.app.drawTo(p.path(name), func(w io.Writer) error { return write(w, p.app.pictureFormat()) })
}

// notDrawn says why a picture is left out.
func (p *waitPictures) notDrawn(name, why string) error {
	p.app.notDrawn(p.path(name), errors.New(why))
	return nil
}

// source is the line below a picture's title.
func (p *waitPictures) source(waits, what string) string {
	of := "waits of the log"
	switch {
	case waits == evaluate.LogWaits:
	case p.r.Sites != nil:
		of = fmt.Sprintf("simulated, %s, a machine for each site", policyOf[waits])
	default:
		of = fmt.Sprintf("simulated, %s on %d processors", policyOf[waits], *p.r.Processors)
	}
	return fmt.Sprintf("%s, %s, %s", filepath.Base(p.r.Log.Name), of, what)
}

func (p *waitPictures) scatter(s *evaluate.WaitScore) error {
	name := "wait-scatter-" + s.Predictor
	if s.Scatter.Jobs == 0 {
		return p.notDrawn(name, "nothing was predicted")
	}
	return p.draw(name, func(w io.Writer, format string) error {
		return figure.WaitScatter(w, format, p.source(s.Waits, fmt.Sprintf("%d jobs", s.Scatter.Jobs)), waitPoints(s))
	})
}

// waitPoints are what is drawn of a predictor's predictions.
func waitPoints(s *evaluate.WaitScore) figure.WaitPoints {
	of := s.Scatter
	points := figure.WaitPoints{
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
		points.Cells = append(points.Cells, figure.WaitCell(c))
	}
	for _, c := range of.Columns {
		points.Columns = append(points.Columns, figure.WaitColumn(c))
	}
	return points
}

// errors draws how accurate predicted waits are and how far they are off, under
// each way of simulating them: figure 4 of Sonmez and others (2009). Bounds of the
// log's own waits are not meant to be close.
func (p *waitPictures) errors() error {
	p.app.missing(errors.New("no wait was predicted from a simulated schedule"), waitAccuracyPlot, waitErrorPlot)
	for _, of := range []struct{ waits, end string }{{evaluate.QueueWaits, ""}, {evaluate.EASYWaits, "-easy"}} {
		var accuracy, miss []figure.Shares
		jobs := 0
		for i := range p.r.Scores {
			s := &p.r.Scores[i]
			if s.Waits != of.waits || len(s.Accuracy) == 0 {
				continue
			}
			accuracy = append(accuracy, shares(s.Predictor, s.Accuracy))
			miss = append(miss, shares(s.Predictor, s.Error))
			jobs = max(jobs, s.Predicted)
		}
		if len(accuracy) == 0 {
			continue
		}
		source := p.source(of.waits, fmt.Sprintf("%d jobs that waited", jobs))
		err := p.draw(waitAccuracyPlot+of.end, func(w io.Writer, format string) error {
			return figure.WaitAccuracyShares(w, format, source, accuracy)
		})
		if err != nil {
			return err
		}
		err = p.draw(waitErrorPlot+of.end, func(w io.Writer, format string) error { return figure.WaitErrorShares(w, format, source, miss) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *waitPictures) calibration() error {
	var all []figure.Calibration
	some := false
	for _, c := range p.r.Calibration {
		curve := figure.Calibration{Name: c.Predictor}
		for _, x := range c.Curve {
			curve.Asked, curve.Achieved = append(curve.Asked, x.Asked), append(curve.Achieved, float64(x.Achieved))
			some = some || x.Jobs > 0
		}
		all = append(all, curve)
	}
	if !some {
		return p.notDrawn(calibrationPlot, "no predictor of quantiles had a prediction: want downey-a-exact, bmbp or qbets")
	}
	source := fmt.Sprintf("%s, bounds with confidence %g", filepath.Base(p.r.Log.Name), p.r.Confidence)
	return p.draw(calibrationPlot, func(w io.Writer, format string) error { return figure.WaitCalibration(w, format, source, all) })
}

func (p *waitPictures) coverage() error {
	const name = "wait-coverage"
	c := &p.r.Coverage
	switch {
	case c.Block == "":
		return p.notDrawn(name, "the log is shorter than ten days")
	case len(c.Bounds) == 0:
		return p.notDrawn(name, "there was no bound")
	}
	per := "a " + c.Block
	if c.Merged > 1 {
		per = fmt.Sprintf("%d %ss", c.Merged, c.Block)
	}
	source := fmt.Sprintf("%s, by submission, in stretches of %s", filepath.Base(p.r.Log.Name), per)
	var at func(float64) time.Time
	if c.Clock.Dates(c.First, c.Last) {
		at = c.Clock.At
	}
	return p.draw(name, func(w io.Writer, format string) error {
		return figure.WaitCoverage(w, format, source, p.r.Quantile, coverages(c), at)
	})
}

// coverages are the lines of bounds.
func coverages(c *evaluate.WaitsCoverage) []figure.Coverage {
	var all []figure.Coverage
	for _, b := range c.Bounds {
		line := figure.Coverage{Name: b.Predictor, From: b.From, To: b.To, Share: b.Share}
		if b.Waits != evaluate.LogWaits {
			line.Name += " (simulated)"
		}
		all = append(all, line)
	}
	return all
}

func (p *waitPictures) burst(b *evaluate.WaitsBurst) error {
	name := map[string]string{evaluate.QueueWaits: "wait-burst-simulated", evaluate.EASYWaits: "wait-burst-simulated-easy", evaluate.LogWaits: "wait-burst"}[b.Waits]
	if len(b.Lines) == 0 {
		return p.notDrawn(name, fmt.Sprintf("no user's jobs, each within five minutes of the one before, have %d that waited and were predicted", evaluate.LeastWaiting))
	}
	what := fmt.Sprintf("a burst of %d jobs of user %d", b.Jobs, b.User)
	if b.Jobs > b.Kept {
		what += fmt.Sprintf(", the first %d of them", b.Kept)
	}
	return p.draw(name, func(w io.Writer, format string) error {
		return figure.WaitBurst(w, format, p.source(b.Waits, what), burstLines(b))
	})
}

func burstLines(b *evaluate.WaitsBurst) []figure.BurstWaits {
	var lines []figure.BurstWaits
	for _, l := range b.Lines {
		lines = append(lines, figure.BurstWaits(l))
	}
	return lines
}
