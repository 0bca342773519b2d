package generate

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// Uniform numbers become run times of the law that package model has, also
// where much of it is cut.
func TestQuantiles(t *testing.T) {
	cut := site(t, model.Lublin1999Batch).Classes[0]
	lublin(func(l *model.Lublin) { l.RunTimes.MaxLn = 9.5 })(&cut)
	work := site(t, model.Lublin2003Work).Classes[0]
	work.RunTimes = model.WorkRunTimes{Speedup: model.DowneySpeedup{AverageParallelism: 20, Sigma: 1.5}, MaxLn: 9.5}
	two := completedFeitelson(t).Classes[0]
	seconds := two.RunTimes.(model.SecondsRunTimes)
	seconds.Max = 500
	two.RunTimes = seconds
	one := two
	one.RunTimes = model.SecondsRunTimes{First: dist.Weibull{Shape: 0.5, Scale: 300}, Max: 1000}
	for name, c := range map[string]model.Class{"ln": cut, "work": work, "two laws": two, "one distribution": one} {
		q := newQuantiles(c, Options{})
		for _, size := range []int64{1, 16, 100} {
			law := c.RunTimeAt(size)
			const n = 20_000
			var runs [n]float64
			for i := range runs {
				runs[i] = q.at(size, (float64(i)+0.5)/n)
			}
			for _, p := range []float64{0.05, 0.3, 0.5, 0.8, 0.97, 1} {
				at, below := law.Quantile(p), 0
				for _, r := range runs {
					if r <= at {
						below++
					}
				}
				if got := float64(below) / n; math.Abs(got-p) > 1.5/n {
					t.Errorf("%s, size %d: a share of %g is not above %g, want %g", name, size, got, at, p)
				}
			}
		}
	}
}

// A day of weight w adds ln(1/w) over the scale to the shapes of its half
// hours, as the first method has it for a half hour's weight.
func TestShapesOfAWeek(t *testing.T) {
	s := kthArrivals(t)
	s.Classes[0].Arrivals.Week = &[model.Weekdays]float64{0.5, 1.25, 1, 1.25, 1, 1.5, 0.5}
	shapes := build(t, s, Options{Jobs: 1, Method: model.ExpectedInterarrival}).classes[0].arrivals.shapes
	weights, _ := s.Classes[0].Arrivals.Weights()
	for i, g := range shapes {
		w := weights[i%model.Slots] * s.Classes[0].Arrivals.Week[i/model.Slots]
		if want := 6.087*1.0453 + math.Log(1/w)/0.818; math.Abs(g.Shape-want) > 1e-12 || g.Scale != 0.818 {
			t.Errorf("half hour %d of the week: shape %g, want %g", i, g.Shape, want)
		}
	}
	if len(shapes) != 7*model.Slots {
		t.Errorf("%d shapes", len(shapes))
	}
}
