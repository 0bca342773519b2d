package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Remaining is how much longer jobs run that have run for some time: all in
// seconds, one value an age, ages ascending. What is not known, or not drawn,
// is NaN; a nil Median or Mean is not drawn at all.
type Remaining struct {
	Name              string
	Age, Median, Mean []float64
}

// RemainingLifetime draws the median and the mean remaining lifetime of jobs
// against their age, both axes logarithmic: figure 2 of Downey (1997, queue
// times), with the mean beside it. The first of all is the log's, the others
// are models'.
//
// The ages are those of the log; a model is cut where it is more than ten
// times outside of the log's remaining lifetimes.
func RemainingLifetime(w io.Writer, format, source string, all []Remaining) error {
	p := newSheet("How much longer a job runs", source, "age: how long the job has run", "remaining lifetime")
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = durations{}, durations{}
	p.height = 1.15 * height
	for _, r := range all {
		if r.Median != nil && len(r.Median) != len(r.Age) || r.Mean != nil && len(r.Mean) != len(r.Age) {
			return fmt.Errorf("figure: %s: %d ages with %d medians and %d means", r.Name, len(r.Age), len(r.Median), len(r.Mean))
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("figure: no remaining lifetimes to draw")
	}
	if err := p.remainingRange(all[0], all[1:]); err != nil {
		return err
	}
	p.draw("", grid())
	for i, r := range all {
		style := dataStyle()
		if i > 0 {
			style = modelStyle(i - 1)
		}
		for k, c := range r.curves() {
			if c.points == nil {
				continue
			}
			style.Dashes = [][]vg.Length{nil, {5, 3}}[k]
			if err := p.addCurve(c, style); err != nil {
				return err
			}
		}
	}
	return p.write(w, format)
}

// curves are what is drawn of r: the median and the mean.
func (r Remaining) curves() [2]series {
	all := [2]series{{name: r.Name + ", median"}, {name: r.Name + ", mean"}}
	for k, values := range [][]float64{r.Median, r.Mean} {
		for i, v := range values {
			all[k].points = append(all[k].points, plotter.XY{X: r.Age[i], Y: v})
		}
	}
	return all
}

// remainingRange sets the axes' ranges by the log, and by its models up to a
// factor ten around it.
func (s *sheet) remainingRange(log Remaining, models []Remaining) error {
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = math.Inf(1), 0, math.Inf(1), 0
	extend := func(r Remaining, ages bool, least, most float64) {
		for _, c := range r.curves() {
			for _, p := range c.points {
				if !onAxis(s.X, p.X) || !onAxis(s.Y, p.Y) || p.Y < least || p.Y > most {
					continue
				}
				if ages {
					s.X.Min, s.X.Max = min(s.X.Min, p.X), max(s.X.Max, p.X)
				}
				if p.X >= s.X.Min && p.X <= s.X.Max {
					s.Y.Min, s.Y.Max = min(s.Y.Min, p.Y), max(s.Y.Max, p.Y)
				}
			}
		}
	}
	extend(log, true, 0, math.Inf(1))
	if s.X.Max == 0 {
		return fmt.Errorf("figure: %s: no age has a positive remaining lifetime: nothing to draw", log.Name)
	}
	least, most := s.Y.Min/10, s.Y.Max*10
	for _, m := range models {
		extend(m, false, least, most)
	}
	if s.X.Max == s.X.Min {
		s.X.Max *= 2
	}
	s.Y.Min, s.Y.Max = s.Y.Min/1.2, s.Y.Max*1.2
	return nil
}
