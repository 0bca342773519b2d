package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
)

// Density draws the density of the logarithm of a quantity: its histogram,
// with the laws fitted to it that have a Density. Equal areas are equal shares
// of the jobs. Values below one are not drawn, but counted.
//
// Where a law's density is far above the histogram it is cut at the frame.
func Density(w io.Writer, format, source string, q Quantity, s Sample, laws []Law) error {
	words, err := q.words()
	if err != nil {
		return err
	}
	all, err := histogram(s)
	if err != nil {
		return err
	}
	data := bars{all, light, 0.5}
	p := newSheet(words.title+": density", source, words.axis, "density of "+words.ln)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, words.ticks
	p.X.Min, p.X.Max = all[0].from, all[len(all)-1].to
	xs := logSpaced(p.X.Min, p.X.Max, curvePoints)
	var curves []series
	p.Y.Min, p.Y.Max = 0, data.highest()
	top := p.Y.Max
	for _, law := range laws {
		if law.Density == nil {
			continue
		}
		c := curveOf(law.Name, law.Density, xs)
		for _, point := range c.points {
			if point.Y <= 1.6*top {
				p.Y.Max = max(p.Y.Max, point.Y)
			}
		}
		curves = append(curves, c)
	}
	p.Y.Max *= 1.04
	p.draw("", horizontals())
	p.draw("the log", data)
	for i, c := range curves {
		if err := p.addCurve(c, modelStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// histogram is what Density draws of the data: bars of about equal width on a
// log axis, as high as their share of all jobs per unit of the logarithm.
//
// Where all values are whole numbers, as seconds are, bars end between two of
// them: a bar from 2.1 s to 2.9 s would be empty whatever the jobs do.
func histogram(s Sample) ([]bar, error) {
	n, err := s.jobs()
	if err != nil {
		return nil, err
	}
	from, to, ok := s.drawn()
	if !ok {
		return nil, fmt.Errorf("figure: none of %d values is 1 or more: nothing to draw", len(s.Values))
	}
	whole := true
	for _, v := range s.Values {
		whole = whole && v == math.Trunc(v)
	}
	// The number of bins is Rice's rule, 2 n^(1/3), up to what can be seen.
	bins := int(min(60, max(8, math.Ceil(2*math.Cbrt(n)))))
	edges := logSpaced(from, to, bins+1)
	if whole {
		edges = between(edges)
	}
	all := make([]bar, len(edges)-1)
	k := 0
	for i, v := range s.Values {
		if v < from {
			continue
		}
		for k < len(all)-1 && v >= edges[k+1] {
			k++
		}
		all[k].top += s.Counts[i] / n
	}
	for i := range all {
		all[i].from, all[i].to = edges[i], edges[i+1]
		all[i].top /= math.Log(edges[i+1] / edges[i])
	}
	return all, nil
}

// between moves edges to halfway between two whole numbers, the first and the
// last outwards, and drops those that fall together.
func between(edges []float64) []float64 {
	var moved []float64
	for i, e := range edges {
		half := math.Floor(e*(1+1e-9)) + 0.5 // a whole edge may come out just below
		if i == 0 {
			half--
		}
		if k := len(moved); k == 0 || half > moved[k-1] {
			moved = append(moved, half)
		}
	}
	return moved
}
