package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/score"
)

// plot draws for each predictor predicted and actual waits (figure 4 of Downey
// 1997), and calibration, coverage over time, and waits in a burst (figure 5 of
// Sonmez and others 2009) for those that have them.
func (r *predictRun) plot() error {
	for i := range r.scores {
		if err := r.plotScatter(&r.scores[i]); err != nil {
			return err
		}
	}
	for _, plot := range []func() error{r.plotErrors, r.plotCalibration, r.plotCoverage} {
		if err := plot(); err != nil {
			return err
		}
	}
	for _, waits := range []string{waitsQueued, waitsQueuedEASY, waitsOfLog} {
		if err := r.plotBurst(waits); err != nil {
			return err
		}
	}
	return nil
}

func (r *predictRun) picture(name string) string {
	return filepath.Join(r.o.plots, name+".svg")
}

// notDrawn says why a picture is left out.
func (r *predictRun) notDrawn(name, why string) error {
	r.app.notDrawn(r.picture(name), errors.New(why))
	return nil
}

// source is the line below a picture's title.
func (r *predictRun) source(waits, what string) string {
	of := "waits of the log"
	if waits != waitsOfLog {
		of = fmt.Sprintf("simulated, %s on %d processors", policyOf[waits], r.processors)
		if r.o.sites != nil {
			of = fmt.Sprintf("simulated, %s, a machine for each site", policyOf[waits])
		}
	}
	return fmt.Sprintf("%s, %s, %s", filepath.Base(r.o.input), of, what)
}

func (r *predictRun) plotScatter(s *predictScore) error {
	name := "wait-scatter-" + s.predictor
	points, jobs := waitPoints(s)
	if jobs == 0 {
		return r.notDrawn(name, "nothing was predicted")
	}
	return r.app.drawTo(r.picture(name), func(w io.Writer) error {
		return figure.WaitScatter(w, r.app.pictureFormat(), r.source(s.waits, fmt.Sprintf("%d jobs", jobs)), points)
	})
}

// waitPoints are what is drawn of a predictor's predictions, and how many they
// are.
func waitPoints(s *predictScore) (points figure.WaitPoints, jobs int) {
	of := s.followed.scatter.Result()
	points = figure.WaitPoints{
		Predictor: s.predictor, Predicted: "predicted wait", Actual: "actual wait", Side: math.Pow(10, 1./score.ScatterCells),
		ShortPredicted: of.ShortPredicted, ShortActual: of.ShortActual,
	}
	switch {
	case s.bound != nil:
		points.Predicted = "bound of the wait"
	case s.waits == waitsAtHead:
		points.Predicted, points.Actual = "predicted time at the head of the queue", "actual time at the head of the queue"
	}
	for _, c := range of.Cells {
		points.Cells = append(points.Cells, figure.WaitCell(c))
	}
	for _, c := range of.Columns {
		points.Columns = append(points.Columns, figure.WaitColumn(c))
	}
	return points, of.Jobs
}

const calibrationPlot = "wait-calibration"

func (r *predictRun) plotCalibration() error {
	const name = calibrationPlot
	var all []figure.Calibration
	some := false
	for _, c := range r.calibration {
		curve := figure.Calibration{Name: c.predictor}
		for _, p := range c.curve {
			curve.Asked, curve.Achieved = append(curve.Asked, p.Asked), append(curve.Achieved, float64(p.Achieved))
			some = some || p.Jobs > 0
		}
		all = append(all, curve)
	}
	if !some {
		return r.notDrawn(name, "no predictor of quantiles had a prediction: want downey-a-exact, bmbp or qbets")
	}
	source := fmt.Sprintf("%s, bounds with confidence %g", filepath.Base(r.o.input), r.o.confidence)
	return r.app.drawTo(r.picture(name), func(w io.Writer) error { return figure.WaitCalibration(w, r.app.pictureFormat(), source, all) })
}

// mostStretches is how many stretches of time coverage is drawn in.
const mostStretches = 60

func (r *predictRun) plotCoverage() error {
	const name = "wait-coverage"
	length, block := r.span.block()
	if length == 0 {
		return r.notDrawn(name, "the log is shorter than ten days")
	}
	all, merged := r.coverages()
	if len(all) == 0 {
		return r.notDrawn(name, "there was no bound")
	}
	per := block
	if merged > 1 {
		per = fmt.Sprintf("%d %ss", merged, block)
	}
	source := fmt.Sprintf("%s, by submission, in stretches of a %s", filepath.Base(r.o.input), per)
	if merged > 1 {
		source = fmt.Sprintf("%s, by submission, in stretches of %s", filepath.Base(r.o.input), per)
	}
	var at func(float64) time.Time
	if clock, _ := r.header.Clock(); dated(clock, r.span.first, r.span.last) {
		at = clock.At
	}
	return r.app.drawTo(r.picture(name), func(w io.Writer) error {
		return figure.WaitCoverage(w, r.app.pictureFormat(), source, r.o.quantile, all, at)
	})
}

// coverages are the shares of waits that bounds covered in stretches of time,
// and how many blocks a stretch has; nil where the log is too short for blocks.
func (r *predictRun) coverages() (all []figure.Coverage, merged int64) {
	length, _ := r.span.block()
	if length == 0 {
		return nil, 0
	}
	// So many blocks are one stretch.
	merged = int64(math.Ceil(float64(r.span.of(r.span.last, length)+1) / mostStretches))
	for i := range r.scores {
		s := &r.scores[i]
		if s.bound == nil || s.bound.Predicted == 0 {
			continue
		}
		c := coverageOf(s.followed.blocks.Blocks(), merged)
		c.Name = s.predictor
		if s.waits != waitsOfLog {
			c.Name += " (simulated)"
		}
		for k := range c.From {
			c.From[k], c.To[k] = r.span.first+c.From[k]*length, r.span.first+c.To[k]*length
		}
		all = append(all, c)
	}
	return all, merged
}

// coverageOf puts so many blocks into one stretch; the ends are in blocks.
func coverageOf(blocks []score.WaitBlock, merged int64) figure.Coverage {
	var c figure.Coverage
	var jobs []float64
	for _, b := range blocks {
		from := float64(b.Block - ((b.Block%merged)+merged)%merged)
		if k := len(c.From); k == 0 || c.From[k-1] != from {
			c.From, c.To = append(c.From, from), append(c.To, from+float64(merged))
			c.Share, jobs = append(c.Share, 0), append(jobs, 0)
		}
		k := len(c.From) - 1
		n := float64(b.Predicted)
		jobs[k] += n
		c.Share[k] += (b.Held - c.Share[k]) * n / jobs[k]
	}
	return c
}

// leastWaiting is how many jobs of a burst have to wait for it to be drawn.
const leastWaiting = 10

// plotBurst draws, of the bursts with the most jobs, the one whose jobs waited
// longest together.
func (r *predictRun) plotBurst(waits string) error {
	name := map[string]string{waitsQueued: "wait-burst-simulated", waitsQueuedEASY: "wait-burst-simulated-easy", waitsOfLog: "wait-burst"}[waits]
	followed, best := r.burst(waits)
	if len(followed) == 0 {
		return nil // nobody asked for these waits
	}
	if best < 0 {
		return r.notDrawn(name, fmt.Sprintf("no user's jobs, each within five minutes of the one before, have %d that waited and were predicted", leastWaiting))
	}
	all := burstLines(followed, best)
	what := fmt.Sprintf("a burst of %d jobs of user %d", r.longest[best].Jobs, r.longest[best].User)
	if r.longest[best].Jobs > burstRows {
		what += fmt.Sprintf(", the first %d of them", burstRows)
	}
	return r.app.drawTo(r.picture(name), func(w io.Writer) error { return figure.WaitBurst(w, r.app.pictureFormat(), r.source(waits, what), all) })
}

// burst is the one that is drawn, -1 where none is, and who predicted its waits.
func (r *predictRun) burst(waits string) (followed []*predictScore, best int) {
	for i := range r.scores {
		if r.scores[i].waits == waits {
			followed = append(followed, &r.scores[i])
		}
	}
	best = -1
	longest := 0.0
	for b := range burstsKept {
		if n, sum := waiting(followed, b); n >= leastWaiting && sum > longest {
			best, longest = b, sum
		}
	}
	return followed, best
}

// waiting is how many predicted jobs of a burst waited, and how long together, s.
func waiting(all []*predictScore, burst int) (most int, longest float64) {
	for _, s := range all {
		n, sum := 0, 0.0
		for _, j := range s.followed.bursts[burst] {
			if j.actual > 0 && !math.IsNaN(j.predicted) {
				n++
				sum += j.actual
			}
		}
		most, longest = max(most, n), max(longest, sum)
	}
	return most, longest
}

// burstLines are the actual waits of a burst, by the number of its job, and those
// that each predictor with a prediction predicted.
func burstLines(all []*predictScore, burst int) []figure.BurstWaits {
	jobs := 0
	for _, s := range all {
		for _, j := range s.followed.bursts[burst] {
			jobs = max(jobs, j.job+1)
		}
	}
	line := func(name string) figure.BurstWaits {
		l := figure.BurstWaits{Name: name, Seconds: make([]float64, jobs)}
		for i := range l.Seconds {
			l.Seconds[i] = math.NaN()
		}
		return l
	}
	lines := []figure.BurstWaits{line("actual")}
	for _, s := range all {
		l, some := line(s.predictor), false
		for _, j := range s.followed.bursts[burst] {
			lines[0].Seconds[j.job], l.Seconds[j.job] = j.actual, j.predicted
			some = some || !math.IsNaN(j.predicted)
		}
		if some {
			lines = append(lines, l)
		}
	}
	return lines
}
