package figure

import (
	"fmt"
	"io"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// curvePoints is how many points a curve is drawn with.
const curvePoints = 600

// Distribution draws the empirical distribution function of a quantity over a
// log axis, with the laws fitted to it. Values below one are not drawn, but
// counted. More than seven laws are hard to tell apart.
//
// It is an error if the sample is none, has no value of one or more, or if a
// law has no number anywhere.
func Distribution(w io.Writer, format, source string, q Quantity, s Sample, laws []Law) error {
	return distribution(w, format, source, q, "the log", s, laws)
}

func distribution(w io.Writer, format, source string, q Quantity, name string, s Sample, laws []Law) error {
	words, err := q.words()
	if err != nil {
		return err
	}
	all, err := distributionSeries(s, laws)
	if err != nil {
		return err
	}
	all[0].name = name
	p := words.sheet(source, all)
	if err := p.addCurves(all); err != nil {
		return err
	}
	return p.write(w, format)
}

// sheet is one for distribution functions over a log axis, as wide as the
// first of them.
func (w wording) sheet(source string, all []series) *sheet {
	p := newSheet(w.title, source, w.axis, w.upTo)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, w.ticks
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1, percents{}
	p.X.Min, p.X.Max = all[0].points[0].X, all[0].points[curvePoints-1].X
	p.draw("", grid())
	return p
}

// distributionSeries is what Distribution draws: the data first, then the laws.
func distributionSeries(s Sample, laws []Law) ([]series, error) {
	n, err := s.jobs()
	if err != nil {
		return nil, err
	}
	below := make([]float64, len(s.Values)+1) // jobs before each value
	for i, c := range s.Counts {
		below[i+1] = below[i] + c
	}
	from, to, ok := s.drawn()
	if !ok {
		return nil, fmt.Errorf("figure: none of %d values is 1 or more: nothing to draw", len(s.Values))
	}
	xs := logSpaced(from, to, curvePoints)
	data := series{name: "the log"}
	for _, x := range xs {
		i := sort.Search(len(s.Values), func(i int) bool { return s.Values[i] > x })
		data.points = append(data.points, plotter.XY{X: x, Y: below[i] / n})
	}
	all := []series{data}
	for _, law := range laws {
		all = append(all, curveOf(law.Name, law.CDF, xs))
	}
	return all, nil
}

// drawn returns the range of a log axis for the sample: from its smallest
// value of one or more to its largest; false where there is none.
func (s Sample) drawn() (from, to float64, ok bool) {
	for i, v := range s.Values {
		if v >= 1 && s.Counts[i] > 0 {
			if from == 0 {
				from = v
			}
			to = v
		}
	}
	if to == from {
		to = 2 * from
	}
	return from, to, from > 0
}

// curveOf is a function at some points.
func curveOf(name string, at func(x float64) float64, xs []float64) series {
	s := series{name: name}
	for _, x := range xs {
		s.points = append(s.points, plotter.XY{X: x, Y: at(x)})
	}
	return s
}
