package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// comparedPlots are the names of the pictures of two workloads, by attribute.
var comparedPlots = []struct {
	attribute string
	quantity  figure.Quantity
	name      string
}{
	{score.RunTimeOf, figure.RunTime, "run-times"},
	{score.SizeOf, figure.Size, "sizes"},
	{score.WorkOf, figure.Work, "work"},
	{score.InterarrivalOf, figure.Interarrival, "interarrivals"},
}

const (
	dayPlot = "daily-cycles"
	mapPlot = "map"
)

// pictures are the files that --plots may write.
func (o compareLogsOptions) pictures() []string {
	if o.plots == "" {
		return nil
	}
	if len(o.inputs) > 2 {
		return []string{o.picture(mapPlot)}
	}
	all := []string{o.picture(dayPlot)}
	for _, p := range comparedPlots {
		all = append(all, o.picture(p.name))
	}
	return all
}

func (o compareLogsOptions) picture(name string) string {
	return filepath.Join(o.plots, name+".svg")
}

// plotCompared draws the distributions of each attribute, and the daily cycles,
// of two workloads.
func (a *app) plotCompared(o compareLogsOptions, all []compared, c score.Comparison) error {
	var names []string
	for _, x := range all {
		names = append(names, x.name)
	}
	for i, p := range comparedPlots {
		x := c.Attributes[i]
		var samples []figure.Sample
		drawn := x.Why == ""
		for _, y := range all {
			values, counts := y.profile.Sample(p.attribute)
			samples = append(samples, figure.Sample{Values: values, Counts: counts})
			drawn = drawn && values[len(values)-1] >= 1
		}
		if !drawn {
			a.notDrawn(o.picture(p.name), fmt.Errorf("%s needs values of 1 or more in both", p.attribute))
			continue
		}
		source := fmt.Sprintf("%d and %d jobs, whose shares are at most %s apart (D)", x.A.Jobs, x.B.Jobs, present.Fixed(x.D, 4))
		err := a.drawTo(o.picture(p.name), func(w io.Writer) error {
			return figure.Distributions(w, a.pictureFormat(), source, p.quantity, names, samples)
		})
		if err != nil {
			return err
		}
	}
	if c.Day == nil {
		a.notDrawn(o.picture(dayPlot), errors.New("submissions are not known of both"))
		return nil
	}
	source := fmt.Sprintf("chi-square %s, both scaled to %s jobs; up to about %d by chance", present.Sig(c.Day.ChiSquare), present.Sig(c.Day.Jobs), len(c.Day.A))
	return a.drawTo(o.picture(dayPlot), func(w io.Writer) error {
		return figure.DailyCycles(w, a.pictureFormat(), source, names, [][]float64{sharesOf(c.Day.A), sharesOf(c.Day.B)})
	})
}

// plotMap draws the map of many.
func (a *app) plotMap(o compareLogsOptions, c *score.Compared) error {
	var points []figure.MapPoint
	for i, w := range c.Map.Workloads {
		points = append(points, figure.MapPoint{Name: shortName(w.Name), X: float64(w.X), Y: float64(w.Y), Model: c.Workloads[i].Seed != nil})
	}
	var arrows []figure.MapArrow
	for _, v := range c.Map.Variables {
		arrows = append(arrows, figure.MapArrow{Name: shortVariable(v.Name), X: float64(v.X), Y: float64(v.Y), Correlation: float64(v.Correlation)})
	}
	source := fmt.Sprintf("%d workloads by %d variables, coefficient of alienation %s", len(points), len(arrows), present.Fixed(c.Map.Alienation, 3))
	if o.transform == lnVariables {
		source += ", logarithms of the variables"
	}
	return a.drawTo(o.picture(mapPlot), func(w io.Writer) error { return figure.CoPlot(w, a.pictureFormat(), source, points, arrows) })
}

func sharesOf(all []stats.Share) []float64 {
	out := make([]float64, len(all))
	for i, s := range all {
		out[i] = float64(s)
	}
	return out
}
