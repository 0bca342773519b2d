package figure

import (
	"fmt"
	"io"
	"math"
	"sort"

	"gonum.org/v1/plot/plotter"

	"github.com/loadstone-hpc/loadstone/model"
)

// Distributions draws the empirical distribution functions of one quantity in
// several workloads over a log axis. Values below one are not drawn, but
// counted.
//
// It is an error if a workload has none, or if none has a value of one or more.
func Distributions(w io.Writer, format, source string, q Quantity, names []string, samples []Sample) error {
	words, err := q.words()
	if err != nil {
		return err
	}
	all, err := distributionsSeries(names, samples)
	if err != nil {
		return err
	}
	p := words.sheet(source, all)
	for i, s := range all {
		if err := p.addCurve(s, modelStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// distributionsSeries is what Distributions draws, over one range.
func distributionsSeries(names []string, samples []Sample) ([]series, error) {
	if len(names) != len(samples) {
		return nil, fmt.Errorf("figure: %d names of %d samples", len(names), len(samples))
	}
	from, to := math.Inf(1), 0.0
	for _, s := range samples {
		if low, high, ok := s.drawn(); ok {
			from, to = min(from, low), max(to, high)
		}
	}
	if !(to > 0) {
		return nil, fmt.Errorf("figure: no value is 1 or more: nothing to draw")
	}
	xs := logSpaced(from, to, curvePoints)
	var all []series
	for k, s := range samples {
		n, err := s.jobs()
		if err != nil {
			return nil, err
		}
		if !(n > 0) {
			return nil, fmt.Errorf("figure: %s has no jobs to draw", names[k])
		}
		upTo := make([]float64, len(s.Values)+1)
		for i, c := range s.Counts {
			upTo[i+1] = upTo[i] + c
		}
		c := series{name: names[k]}
		for _, x := range xs {
			i := sort.Search(len(s.Values), func(i int) bool { return s.Values[i] > x })
			c.points = append(c.points, plotter.XY{X: x, Y: upTo[i] / n})
		}
		all = append(all, c)
	}
	return all, nil
}

// DailyCycles draws the share of the jobs in each half hour of the day, from
// 5:00 over midnight to 5:00 as DailyCycle does, of several workloads. shares
// are by half hour from midnight on.
func DailyCycles(w io.Writer, format, source string, names []string, shares [][]float64) error {
	if len(names) != len(shares) || len(names) == 0 {
		return fmt.Errorf("figure: %d names of %d daily cycles", len(names), len(shares))
	}
	p := newSheet("How submissions change over the day", source, "time of day", "share of jobs per half hour")
	p.X.Tick.Marker, p.Y.Tick.Marker = hours{}, percents{}
	p.X.Min, p.X.Max = dayBegins, dayBegins+24
	p.Y.Min, p.Y.Max = 0, 0
	var all []series
	for k, day := range shares {
		if len(day) != model.Slots {
			return fmt.Errorf("figure: %s has %d half hours, want %d", names[k], len(day), model.Slots)
		}
		for i, share := range day {
			if !(share >= 0 && share <= 1) {
				return fmt.Errorf("figure: %s has share %g in half hour %d, want 0 to 1", names[k], share, i+1)
			}
			p.Y.Max = max(p.Y.Max, 1.04*share)
		}
		all = append(all, series{names[k], daySteps(day)})
	}
	p.draw("", horizontals())
	for i, s := range all {
		if err := p.addCurve(s, modelStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// daySteps are shares by half hour from midnight on as steps from 5:00 on.
func daySteps(shares []float64) plotter.XYs {
	points := make(plotter.XYs, 2*model.Slots)
	for i, share := range shares {
		n := model.SlotNumber(i)
		from := float64(n-1) / 2
		at := 2 * (n - model.FirstSlot)
		points[at], points[at+1] = plotter.XY{X: from, Y: share}, plotter.XY{X: from + 0.5, Y: share}
	}
	return points
}
