// Package show shows pictures in the Go notebooks: files drawn by the command
// (Files), and plots of gonum/plot (Plot).
//
// A cell cannot return an error, so a picture that cannot be shown is a panic.
package show

import (
	"bytes"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// New returns an empty plot with a grid and its legend at the top.
func New(title, x, y string) *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	return p
}

// Log makes an axis logarithmic.
func Log(a *plot.Axis) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
}

// Plot draws a plot below the cell.
func Plot(p *plot.Plot) {
	w, err := p.WriterTo(7*vg.Inch, 4*vg.Inch, "svg")
	if err != nil {
		panic(err)
	}
	var svg bytes.Buffer
	if _, err := w.WriteTo(&svg); err != nil {
		panic(err)
	}
	show(svg.String())
}

// Files shows SVG files below the cell, one below the other.
func Files(names ...string) {
	for _, name := range names {
		svg, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		show(string(svg))
	}
}

// show shows a picture as SVG, not as HTML, from which viewers of notebooks remove
// SVG.
func show(svg string) {
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMEImageSVG: svg}})
	gonbui.Sync() // otherwise the cell may end before the kernel has read the picture
	if err := gonbui.Error(); err != nil {
		panic(err)
	}
}
