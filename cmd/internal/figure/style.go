package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours are those of Okabe and Ito, which most people can tell apart.
var (
	ink     = color.RGBA{0x33, 0x33, 0x33, 0xff}
	faint   = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	palette = []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 4}, {10, 3}, {1, 3}}
)

const (
	width  = 7 * vg.Inch
	height = 4 * vg.Inch
)

// series is one curve: a name for the legend and its points.
type series struct {
	name   string
	points plotter.XYs
}

// newPlot returns an empty plot in the house style.
func newPlot(title, source, x, y string) *plot.Plot {
	p := plot.New()
	sans := func(size vg.Length) font.Font {
		return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	}
	p.Title.Text = title + "\n" + source
	p.Title.TextStyle.Font = sans(12)
	p.Title.TextStyle.Color = ink
	p.Title.Padding = 8
	for axis, label := range map[*plot.Axis]string{&p.X: x, &p.Y: y} {
		axis.Label.Text = label
		axis.Label.TextStyle.Font = sans(11)
		axis.Label.TextStyle.Color = ink
		axis.Label.Padding = 4
		axis.Tick.Label.Font = sans(10)
		axis.Tick.Label.Color = ink
		axis.Tick.Color = faint
		axis.Color = faint
		axis.Padding = 6
	}
	p.Legend.TextStyle.Font = sans(10)
	p.Legend.TextStyle.Color = ink
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs = 8, -4
	p.Legend.ThumbnailWidth = 24
	p.Legend.Padding = 2
	return p
}

// addCurves draws the series in order, the first one, the data, wide and grey.
func addCurves(p *plot.Plot, all []series) error {
	for i, s := range all {
		line, err := plotter.NewLine(s.points)
		if err != nil {
			return fmt.Errorf("figure: %s: %w", s.name, err)
		}
		if i == 0 {
			line.Width = 3
			line.Color = color.RGBA{0x99, 0x99, 0x99, 0xff}
		} else {
			line.Width = 1.5
			line.Color = palette[(i-1)%len(palette)]
			line.Dashes = dashes[(i-1)%len(dashes)]
		}
		p.Add(line)
		p.Legend.Add(s.name, line)
	}
	return nil
}

// write draws the plot in a format of gonum/plot: "svg", "png" or "pdf".
func write(w io.Writer, p *plot.Plot, format string) error {
	c, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	// Room around the data, which the library's own Save does not leave.
	p.Draw(draw.Crop(draw.New(c), 10, -14, 8, -8))
	_, err = c.WriteTo(w)
	return err
}

// durations are ticks for a log axis of seconds, in the units people think in.
type durations struct{}

var marks = []struct {
	seconds float64
	label   string
}{
	{1, "1 s"}, {10, "10 s"}, {60, "1 min"}, {600, "10 min"}, {3600, "1 h"},
	{36000, "10 h"}, {86400, "1 d"}, {864000, "10 d"}, {8640000, "100 d"}, {86400000, "1000 d"},
}

// Ticks implements plot.Ticker.
func (durations) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for _, m := range marks {
		if m.seconds >= low && m.seconds <= high {
			ticks = append(ticks, plot.Tick{Value: m.seconds, Label: m.label})
		}
	}
	return ticks
}

var _ plot.Ticker = durations{}

// logSpaced returns n points from low to high, equally spaced on a log axis.
func logSpaced(low, high float64, n int) []float64 {
	xs := make([]float64, n)
	step := math.Log(high/low) / float64(n-1)
	for i := range xs {
		xs[i] = low * math.Exp(step*float64(i))
	}
	xs[n-1] = high
	return xs
}
