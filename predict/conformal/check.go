package conformal

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostCount is the largest number of anything counted in a state.
const mostCount = 1 << 53

// check returns an error where a state that was read is none that could have been
// saved: a checksum says nothing of who wrote the file. It makes up for maps that are
// not written where they are empty.
func (p *Predictor) check(fresh *state, underWay []workload.Job) error {
	if p.Queue == nil || len(p.Controls) != len(p.options.Quantiles) || len(p.Controls) == 0 {
		return errors.New("its parts have different lengths")
	}
	if err := p.Window.check(len(fresh.Window.Columns)); err != nil {
		return err
	}
	if p.Known < 0 || p.Known > p.Window.Seen || p.Trained < 0 || p.Trained > p.Window.Seen || p.Last < -1 || p.Last > mostCount {
		return fmt.Errorf("%d waits known and %d jobs trained on of %d, the last of row %d", p.Known, p.Trained, p.Window.Seen, p.Last)
	}
	for i := range p.Controls {
		c := &p.Controls[i]
		if c.Users == nil {
			c.Users = fresh.Controls[i].Users
		}
		ok := in(0, c.All, 3) && in(-2, c.Down, 0)
		for _, x := range c.Users {
			ok = ok && in(0, x, 2)
		}
		if !ok {
			return errors.New("a controller beyond its ends")
		}
	}
	return errors.Join(p.checkGiven(), checkUnderWay(underWay, p.Last))
}

// checkGiven checks the bounds that were given.
func (p *Predictor) checkGiven() error {
	n := len(p.options.Quantiles)
	for row, g := range p.Waiting {
		ok := g != nil && g.Place >= 0 && g.Place < p.Window.rows() && len(g.Bounds) == n && len(g.Missed) == n && in(0, g.Weight, 1)
		for i := 0; ok && i < n; i++ {
			ok = g.Bounds[i] >= 0 || !g.Learned && math.IsNaN(g.Bounds[i])
		}
		if !ok {
			return fmt.Errorf("the waiting job of row %d has no place, or no bounds", row)
		}
	}
	for _, past := range p.Past {
		if len(past.Bounds) != n || !in(0, past.Wait, math.MaxFloat64) {
			return errors.New("a past wait without its bounds")
		}
	}
	for _, d := range p.Due {
		if d.Value < 0 || d.Value >= n || math.IsNaN(d.At) {
			return errors.New("a bound of no quantile")
		}
	}
	return nil
}

// checkUnderWay checks the jobs with which a replay begins.
func checkUnderWay(jobs []workload.Job, last int64) error {
	before := math.Inf(-1)
	for i := range jobs {
		j := &jobs[i]
		if !(j.Submit >= before) || j.Submit > math.MaxFloat64 || j.Row < 0 || j.Row > last || math.IsInf(j.Wait, 0) || math.IsInf(j.Run, 0) {
			return fmt.Errorf("the job under way of row %d is out of order, or at no time", j.Row)
		}
		before = max(j.Submit, -math.MaxFloat64)
	}
	return nil
}

// check returns an error where a window that was read has not the columns, or cannot be
// learned from.
func (w *window) check(columns int) error {
	rows := w.rows()
	whole := int64(w.Seen) <= mostCount && rows == min(w.Seen, windowJobs) && len(w.Weights) == rows && len(w.Submits) == rows &&
		len(w.Answers) == rows && len(w.Left) == rows && len(w.Columns) == columns
	for _, column := range w.Columns {
		whole = whole && len(column) == rows
	}
	if !whole {
		return errors.New("its parts have different lengths")
	}
	for i, y := range w.Answers {
		if !(math.IsNaN(y) || in(0, y, math.MaxFloat64)) || !(w.Weights[i] > 0 && w.Weights[i] <= 1) || !in(-math.MaxFloat64, w.Submits[i], math.MaxFloat64) || !(math.IsNaN(w.Left[i]) || in(0, w.Left[i], math.MaxFloat64)) {
			return fmt.Errorf("the job of row %d has no weight, or a wait that cannot be", w.Rows[i])
		}
	}
	return nil
}

// check returns an error where a marginal that was read is none.
func (m marginal) check() error {
	if len(m) != marginalSteps+1 {
		return errors.New("a distribution of waits of another length")
	}
	for i, x := range m {
		if !in(0, x, math.MaxFloat64) || i > 0 && x < m[i-1] {
			return errors.New("a distribution of waits that does not rise")
		}
	}
	return nil
}

// in says whether a number is in a range; NaN is in none.
func in(low, x, high float64) bool { return low <= x && x <= high }
