package figure

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panelColumns is how many panels stand in a row.
const panelColumns = 2

// writePanels draws plots of the same axes in rows of two, each under its own title,
// with one title, source and pair of axes' titles for all.
func (s *sheet) writePanels(w io.Writer, format string, panels []*sheet) error {
	columns := min(panelColumns, len(panels))
	rows := (len(panels) + columns - 1) / columns
	headings := []heading{{s.title, titleSize}, {s.source, sourceSize}}
	width := s.width
	if format == Compact {
		headings, format, width = nil, "svg", compactWidth
	}
	const line = 1.25 * axisSize
	side := (width - 2*edge - line - 8) / vg.Length(columns)
	height := vg.Length(rows)*side + line + 2.4*edge
	for _, h := range headings {
		height += 1.4 * h.size
	}
	c, err := newCanvas(format, width, height)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	area := s.area(c, headings)
	inner := draw.Crop(area, line+8, 0, line+2, 0)
	s.axisTitles(area, inner)
	side = inner.Size().X / vg.Length(columns)
	high := inner.Size().Y / vg.Length(rows)
	for i, p := range panels {
		left, top := inner.Min.X+side*vg.Length(i%columns), inner.Max.Y-high*vg.Length(i/columns)
		at := draw.Canvas{Canvas: area.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: left, Y: top - high}, Max: vg.Point{X: left + side - 6, Y: top - 2}}}
		at.FillText(textStyle(keySize), vg.Point{X: at.Min.X + 4, Y: at.Max.Y - 0.7*keySize}, fitting(p.title, keySize, at.Size().X-4))
		at.Max.Y -= 1.6 * keySize
		p.xTitle, p.yTitle = "", ""
		p.X.Tick.Marker = spaced{p.X.Tick.Marker, p.X, p.DataCanvas(at).Size().X, false}
		p.Y.Tick.Marker = spaced{p.Y.Tick.Marker, p.Y, p.DataCanvas(at).Size().Y, true}
		p.Draw(at)
	}
	return finish(w, format, c)
}
