package figure

import (
	"io"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Group is a class of jobs with the law fitted to it, if there is one.
type Group struct {
	Name   string
	Sample Sample
	Law    *Law // nil for none
}

// ByClass draws the distribution functions of a quantity in several classes of
// jobs over a log axis, and in dashes the law of each: figures 3, 6 and 7 of
// Downey (1997), "Predicting queue times on space-sharing parallel computers",
// and figures 4 and 7 of Lublin and Feitelson (2003). More than seven classes
// are hard to tell apart. by names what makes the classes, for the title.
//
// It is an error if a class has no jobs, if none has a value of one or more, or
// if a law has no number anywhere.
func ByClass(w io.Writer, format, source, by string, q Quantity, groups []Group) error {
	words, err := q.words()
	if err != nil {
		return err
	}
	data, laws, err := classSeries(groups)
	if err != nil {
		return err
	}
	p := words.sheet(source, data)
	p.title += ", by " + by
	for i, s := range data {
		if err := p.addCurve(s, classStyle(i)); err != nil {
			return err
		}
	}
	law := "fitted"
	for i, s := range laws {
		if s.points == nil {
			continue
		}
		s.name, law = law, "" // one entry of the legend for all
		if err := p.addCurve(s, fittedStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// classSeries is what ByClass draws, over one range; a class without a law has
// no points of one.
func classSeries(groups []Group) (data, laws []series, err error) {
	var names []string
	var samples []Sample
	for _, g := range groups {
		names, samples = append(names, g.Name), append(samples, g.Sample)
	}
	if data, err = distributionsSeries(names, samples); err != nil {
		return nil, nil, err
	}
	for _, g := range groups {
		var law series
		if g.Law != nil {
			for _, p := range data[0].points {
				law.points = append(law.points, plotter.XY{X: p.X, Y: g.Law.CDF(p.X)})
			}
		}
		laws = append(laws, law)
	}
	return data, laws, nil
}

// classStyle is how the i-th class's jobs are drawn.
func classStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: 1.8}
}

// fittedStyle is how the i-th class's law is drawn.
func fittedStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: 1, Dashes: []vg.Length{4, 3}}
}
