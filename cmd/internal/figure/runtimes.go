package figure

import (
	"fmt"
	"io"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Law is a fitted law to draw: a name for the legend and its distribution
// function over seconds.
type Law struct {
	Name string
	CDF  func(seconds float64) float64
}

// curvePoints is how many points a curve is drawn with.
const curvePoints = 600

// RunTimes draws the empirical distribution function of run times over a log
// axis, with the laws fitted to them. values are distinct run times in
// seconds, ascending, counts how often each occurs; those below one second are
// not drawn, but counted.
func RunTimes(w io.Writer, format, source string, values, counts []float64, laws []Law) error {
	all := runTimeSeries(values, counts, laws)
	if len(all) == 0 {
		return fmt.Errorf("figure: no run time of a second or more to draw")
	}
	p := newPlot("How long jobs run", source, "run time", "share of jobs that run no longer")
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = durations{}
	p.Y.Min, p.Y.Max = 0, 1
	p.Add(grid())
	if err := addCurves(p, all); err != nil {
		return err
	}
	p.X.Min, p.X.Max = all[0].points[0].X, all[0].points[len(all[0].points)-1].X
	return write(w, p, format)
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = faint, faint
	return g
}

// runTimeSeries is what RunTimes draws: the data first, then the laws.
func runTimeSeries(values, counts []float64, laws []Law) []series {
	below := make([]float64, len(values)+1) // jobs before each value
	for i, c := range counts {
		below[i+1] = below[i] + c
	}
	n := below[len(values)]
	first := sort.SearchFloat64s(values, 1)
	if n == 0 || first == len(values) {
		return nil
	}
	low, high := values[first], values[len(values)-1]
	if high <= low {
		high = 2 * low
	}
	xs := logSpaced(low, high, curvePoints)
	data := series{name: "the log"}
	for _, x := range xs {
		i := sort.Search(len(values), func(i int) bool { return values[i] > x })
		data.points = append(data.points, plotter.XY{X: x, Y: below[i] / n})
	}
	all := []series{data}
	for _, law := range laws {
		s := series{name: law.Name}
		for _, x := range xs {
			s.points = append(s.points, plotter.XY{X: x, Y: law.CDF(x)})
		}
		all = append(all, s)
	}
	return all
}
