package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// dayBegins is the hour at which the daily cycle begins: Lublin and Feitelson
// (2003), section 3.3.2.
const dayBegins = (model.FirstSlot - 1) / 2

// Day is when jobs are submitted: how many in each half hour from midnight on.
type Day struct {
	Jobs [model.Slots]float64 // those that the cycle is fitted to
	// Apart are those left out of the fit, a peak that a script makes; they
	// are drawn on top of the others. PeakName names them in the legend.
	Apart    [model.Slots]float64
	PeakName string
}

// Cycle is a fitted daily cycle: a law of the number of the half hour, as
// model.SlotNumber counts it.
type Cycle struct {
	Name string
	Law  dist.Law
}

// DailyCycle draws the share of the jobs in each half hour of the day, from
// 5:00 over midnight to 5:00 as the cycle is fitted, with fitted cycles: figure
// 9 of Lublin and Feitelson (2003). Shares are of the jobs fitted.
func DailyCycle(w io.Writer, format, source string, day Day, cycles []Cycle) error {
	jobs, apart, err := day.bars()
	if err != nil {
		return err
	}
	p := newSheet("How submissions change over the day", source, "time of day", "share of jobs per half hour")
	p.X.Tick.Marker, p.Y.Tick.Marker = hours{}, percents{}
	p.X.Min, p.X.Max = dayBegins, dayBegins+24
	p.Y.Min, p.Y.Max = 0, max(jobs.highest(), apart.highest())
	var curves []series
	for _, c := range cycles {
		s, err := c.series()
		if err != nil {
			return err
		}
		for _, point := range s.points {
			if point.Y <= 1 {
				p.Y.Max = max(p.Y.Max, point.Y)
			}
		}
		curves = append(curves, s)
	}
	p.Y.Max *= 1.04
	p.draw("", horizontals())
	p.draw("the log", jobs)
	if apart.highest() > 0 {
		name := day.PeakName
		if name == "" {
			name = "left out"
		}
		p.draw(name, apart)
	}
	for i, s := range curves {
		if err := p.addCurve(s, modelStyle(i)); err != nil {
			return err
		}
	}
	return p.write(w, format)
}

// bars are what DailyCycle draws of the data, in shares of the jobs fitted.
func (d Day) bars() (jobs, apart bars, err error) {
	n := 0.0
	for i := range d.Jobs {
		for _, v := range []float64{d.Jobs[i], d.Apart[i]} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return jobs, apart, fmt.Errorf("figure: half hour %d of the day has %g jobs, want 0 or more", i+1, v)
			}
		}
		n += d.Jobs[i]
	}
	if !(n > 0) || math.IsInf(n, 1) {
		return jobs, apart, fmt.Errorf("figure: %g jobs over the day: nothing to draw", n)
	}
	jobs.fill, jobs.gap = light, 1.5
	apart.fill, apart.gap = color.RGBA{0x56, 0xb4, 0xe9, 0xff}, 1.5
	for i := range d.Jobs {
		from := float64(model.SlotNumber(i)-1) / 2
		b := bar{from: from, to: from + 0.5, top: d.Jobs[i] / n}
		jobs.all = append(jobs.all, b)
		if d.Apart[i] > 0 {
			b.low, b.top = b.top, b.top+d.Apart[i]/n
			apart.all = append(apart.all, b)
		}
	}
	return jobs, apart, nil
}

// series is the line of a cycle: in the middle of each half hour it is that
// slot's share of the jobs, model.CycleWeights over the number of slots.
func (c Cycle) series() (series, error) {
	const first, last = model.FirstSlot, model.LastSlot
	all := mass(c.Law, first-0.5, last+0.5)
	if !(all > 0) {
		return series{}, fmt.Errorf("figure: %s has no jobs from slot %d to %d", c.Name, first, last)
	}
	s := series{name: c.Name}
	for i := range curvePoints {
		slot := first - 0.5 + float64(last-first+1)*float64(i)/(curvePoints-1)
		// The middle of slot n is 2n-1 quarters of an hour after midnight.
		s.points = append(s.points, plotter.XY{X: (2*slot - 1) / 4, Y: mass(c.Law, slot-0.5, slot+0.5) / all})
	}
	return s, nil
}

// mass is the probability of (lo, hi], taken from the shorter tail.
func mass(l dist.Law, lo, hi float64) float64 {
	if f := l.CDF(hi); f < 0.5 {
		return f - l.CDF(lo)
	}
	return l.Survival(lo) - l.Survival(hi)
}

// WeeklyCycle draws the share of the jobs submitted on each day of the week,
// from Monday on, beside the share if all days were alike. jobs are counts by
// weekday, Sunday first, as time.Weekday counts.
func WeeklyCycle(w io.Writer, format, source string, jobs [7]float64) error {
	n := 0.0
	for d, v := range jobs {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("figure: %s has %g jobs, want 0 or more", time.Weekday(d), v)
		}
		n += v
	}
	if !(n > 0) || math.IsInf(n, 1) {
		return fmt.Errorf("figure: %g jobs over the week: nothing to draw", n)
	}
	data, names := weekBars(jobs, n)
	p := newSheet("How submissions change over the week", source, "day of the week", "share of jobs")
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(names), percents{}
	p.X.Tick.Length = 0
	p.X.Min, p.X.Max = 0, 7
	p.Y.Min, p.Y.Max = 0, 1.04*max(data.highest(), 1.0/7)
	p.draw("", horizontals())
	p.draw("the log", data)
	even := series{"all days alike", plotter.XYs{{X: 0, Y: 1.0 / 7}, {X: 7, Y: 1.0 / 7}}}
	style := modelStyle(0)
	style.Dashes = dashes[1]
	if err := p.addCurve(even, style); err != nil {
		return err
	}
	return p.write(w, format)
}

// weekBars are what WeeklyCycle draws, and the names below.
func weekBars(jobs [7]float64, n float64) (data bars, names []plot.Tick) {
	data = bars{fill: light, gap: 12}
	for i := range jobs {
		day := time.Weekday((i + 1) % 7)
		data.all = append(data.all, bar{from: float64(i), to: float64(i + 1), top: jobs[day] / n})
		names = append(names, plot.Tick{Value: float64(i) + 0.5, Label: day.String()[:3]})
	}
	return data, names
}
