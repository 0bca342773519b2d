package figure

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// GridQuantity is what of a grid's jobs a distribution function is of.
type GridQuantity string

// The quantities of figure 6 of Sonmez and others (2009).
const (
	GridWait     GridQuantity = "wait"     // s
	GridResponse GridQuantity = "response" // s
	GridSlowdown GridQuantity = "slowdown" // bounded
)

// GridShares draws distribution functions of a quantity under several policies
// over a log axis from 1: figure 6 of Sonmez and others (2009). What lies below
// 1 is where a curve begins. The share axis begins below the lowest curve, so
// that curves of which most lies above can be told apart. It is an error if
// there is nothing to draw.
func GridShares(w io.Writer, format, source string, q GridQuantity, all []Shares) error {
	var s *sheet
	var ticks plot.Ticker = durations{}
	switch q {
	case GridWait:
		s = newSheet("How long jobs wait in the grid", source, "wait", "share of jobs that wait no longer")
	case GridResponse:
		s = newSheet("How long jobs take from submission to end", source, "response time", "share of jobs that take no longer")
	case GridSlowdown:
		s = newSheet("How much longer jobs take than they run", source, "bounded slowdown", "share of jobs that are slowed no more")
		ticks = tens{}
	default:
		return fmt.Errorf("figure: quantity is %q, want one of %s, %s, %s", string(q), GridWait, GridResponse, GridSlowdown)
	}
	if len(all) == 0 {
		return fmt.Errorf("figure: no policies to draw")
	}
	s.X.Scale, s.X.Tick.Marker, s.Y.Tick.Marker = plot.LogScale{}, ticks, percents{}
	s.X.Min, s.X.Max, s.Y.Max = 1, 10, 1
	low := 1.0
	for _, c := range all {
		if len(c.Value) != len(c.AtMost) {
			return fmt.Errorf("figure: %s has %d values and %d shares", c.Name, len(c.Value), len(c.AtMost))
		}
		for i, v := range c.Value {
			if v >= 1 && v <= largest {
				s.X.Max, low = max(s.X.Max, v), min(low, c.AtMost[i])
			}
		}
	}
	// A tenth of the range below, at a whole tenth.
	s.Y.Min = max(0, math.Floor(10*(low-0.02))/10)
	s.draw("", grid())
	for i, c := range all {
		curve := series{name: c.Name}
		for j, v := range c.Value {
			if v >= 1 {
				curve.points = append(curve.points, plotter.XY{X: v, Y: c.AtMost[j]})
			}
		}
		if n := len(curve.points); n > 0 && curve.points[n-1].Y == 1 {
			curve.points = append(curve.points, plotter.XY{X: s.X.Max, Y: 1})
		}
		if err := s.addCurve(curve, modelStyle(i)); err != nil {
			return err
		}
	}
	return s.write(w, format)
}

// ClusterJobs are the shares of the jobs that a policy sends to each cluster.
type ClusterJobs struct {
	Name   string
	Shares []float64 // in [0, 1]; one a cluster
}

// GridClusters draws how the jobs are spread over the clusters, as bars side by
// side: figure 7 of Sonmez and others (2009). The clusters' names should say
// their sizes. It is an error if there is nothing to draw, or if a policy has
// other than one share a cluster.
func GridClusters(w io.Writer, format, source string, clusters []string, all []ClusterJobs) error {
	s := newSheet("Where policies send the jobs", source, "cluster", "share of jobs")
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = 0, float64(len(clusters)), 0, 0
	if len(clusters) == 0 || len(all) == 0 {
		return fmt.Errorf("figure: no clusters or no policies to draw")
	}
	var sets []bars
	for i, p := range all {
		if len(p.Shares) != len(clusters) {
			return fmt.Errorf("figure: %s has %d shares, want %d", p.Name, len(p.Shares), len(clusters))
		}
		b := bars{fill: barColor(i), gap: 1}
		width := 0.8 / float64(len(all))
		for c, share := range p.Shares {
			if !(share >= 0 && share <= 1) {
				return fmt.Errorf("figure: %s has share %g of cluster %d, want 0 to 1", p.Name, share, c+1)
			}
			from := float64(c) + 0.1 + width*float64(i)
			b.all = append(b.all, bar{from: from, to: from + width, top: share})
		}
		s.Y.Max = max(s.Y.Max, 1.04*b.highest())
		sets = append(sets, b)
	}
	if !(s.Y.Max > 0) {
		return fmt.Errorf("figure: no cluster has jobs")
	}
	s.draw("", horizontals())
	for i, b := range sets {
		s.draw(all[i].Name, b)
	}
	s.X.Tick.Marker, s.X.Tick.Length, s.Y.Tick.Marker = categories(clusters), 0, percents{}
	return s.write(w, format)
}

// tens are ticks at the powers of ten of a log axis.
type tens struct{}

// Ticks implements plot.Ticker.
func (tens) Ticks(low, high float64) []plot.Tick {
	first, last := math.Ceil(math.Log10(low)-1e-9), math.Floor(math.Log10(high)+1e-9)
	if !(last > first) {
		return twoTicks(low, high, "")
	}
	step := max(1, math.Ceil((last-first)/mostTicks))
	var ticks []plot.Tick
	for k := first; k <= last; k += step {
		ticks = append(ticks, plot.Tick{Value: math.Pow(10, k), Label: fmt.Sprintf("%g", math.Pow(10, k))})
	}
	return ticks
}

var _ plot.Ticker = tens{}
