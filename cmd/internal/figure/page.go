package figure

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

const (
	titleSize  = vg.Length(12)
	sourceSize = vg.Length(10)
	axisSize   = vg.Length(11)
	keySize    = vg.Length(10)
	tickSize   = vg.Length(10)
	keyHeight  = vg.Length(15) // of a row of the legend
	keySpace   = vg.Length(6)  // between a thumbnail and its name
	keyGap     = vg.Length(18) // between entries
	edge       = vg.Length(10) // around it all
	// dpi makes a PNG of a wide figure 1008 pixels wide.
	dpi = 144
)

// Compact is a format beside those of gonum/plot: SVG for a page that says the
// title and the source itself, narrow enough to be read on a phone.
const Compact = "compact"

// compactWidth leaves letters of 10 points legible on 320 pixels.
const compactWidth = 4.5 * vg.Inch

// compact makes the figure narrow, about as high as it was.
func (s *sheet) compact() {
	s.height = min(compactWidth, max(0.65*compactWidth, s.height/s.width*compactWidth))
	s.width = compactWidth
}

// write draws the figure in a format of gonum/plot, "svg" or "png", or as
// Compact.
func (s *sheet) write(w io.Writer, format string) error {
	heading := []heading{{s.title, titleSize}, {s.source, sourceSize}}
	if format == Compact {
		s.compact()
		heading, format = nil, "svg"
	}
	keys, rows := s.placeKeys(s.width - 2.4*edge)
	height := s.height + keyHeight*vg.Length(rows-1)
	c, err := newCanvas(format, s.width, height)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	area := s.area(c, heading)
	area.Max.Y -= 4
	for _, k := range keys {
		k.draw(area)
	}
	area.Max.Y -= keyHeight*vg.Length(rows) + 6
	s.drawPlot(area)
	return finish(w, format, c)
}

// newCanvas returns an empty figure of a format of gonum/plot.
func newCanvas(format string, width, height vg.Length) (vg.CanvasWriterTo, error) {
	if format == "png" {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}, nil
	}
	return draw.NewFormattedCanvas(width, height, format)
}

// area draws the background and the lines above the legend, and returns what is left.
func (s *sheet) area(c vg.CanvasWriterTo, headings []heading) draw.Canvas {
	full := draw.New(c)
	full.SetColor(s.BackgroundColor)
	full.Fill(full.Rectangle.Path())
	area := draw.Crop(full, edge, -1.4*edge, edge, -edge)
	for _, line := range headings {
		h := 1.4 * line.size
		area.FillText(textStyle(line.size), vg.Point{X: area.Min.X, Y: area.Max.Y - h/2}, fitting(line.text, line.size, area.Size().X))
		area.Max.Y -= h
	}
	return area
}

// finish writes a figure in a format of gonum/plot.
func finish(w io.Writer, format string, c vg.CanvasWriterTo) error {
	if format == "png" {
		_, err := c.WriteTo(w)
		return err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	picture := b.Bytes()
	switch format {
	case "svg":
		// A viewer without the font would take one with serifs and other widths.
		picture = bytes.ReplaceAll(picture, []byte(`style="font-family:Liberation Sans;`), []byte(`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`))
	case "pdf":
		picture = withoutClock(picture)
	}
	_, err := w.Write(picture)
	return err
}

// heading is a line above the legend.
type heading struct {
	text string
	size vg.Length
}

// drawPlot draws the plot and the axes' titles.
func (s *sheet) drawPlot(c draw.Canvas) {
	const line = 1.25 * axisSize
	xs, ys := strings.Split(s.xTitle, "\n"), strings.Split(s.yTitle, "\n")
	inner := draw.Crop(c, line*vg.Length(len(ys))+8, 0, line*vg.Length(len(xs))+2, 0)
	inner.Max.Y -= 4 // half a tick's label
	if c, ok := s.X.Tick.Marker.(categories); ok {
		s.X.Tick.Marker = c.within(s.DataCanvas(inner).Size().X/vg.Length(len(c)) - tickGap)
	}
	room := s.DataCanvas(inner).Size()
	s.X.Tick.Marker = spaced{s.X.Tick.Marker, s.X, room.X, false}
	s.Y.Tick.Marker = spaced{s.Y.Tick.Marker, s.Y, room.Y, true}
	s.Draw(inner)
	s.axisTitles(c, s.DataCanvas(inner))
}

// axisTitles draws the titles below and left of the data.
func (s *sheet) axisTitles(c, data draw.Canvas) {
	const line = 1.25 * axisSize
	xs, ys := strings.Split(s.xTitle, "\n"), strings.Split(s.yTitle, "\n")
	along := textStyle(axisSize)
	along.XAlign = text.XCenter
	for i, t := range xs {
		at := vg.Point{X: data.Center().X, Y: c.Min.Y + line*(vg.Length(len(xs)-1-i)+0.5)}
		c.FillText(along, at, fitting(t, axisSize, c.Size().X))
	}
	along.Rotation = math.Pi / 2
	for i, t := range ys {
		t = fitting(t, axisSize, c.Size().Y)
		// In the middle of the axis, but not beyond the figure.
		half := textWidth(t, axisSize) / 2
		at := vg.Point{X: c.Min.X + line*(vg.Length(i)+0.5), Y: max(c.Min.Y+half, min(c.Max.Y-half, data.Center().Y))}
		c.FillText(along, at, t)
	}
}

// placed is an entry of the legend at its place below the left top.
type placed struct {
	key
	x, y vg.Length // of its left middle
}

// placeKeys lays out the legend in rows.
func (s *sheet) placeKeys(width vg.Length) (all []placed, rows int) {
	x := vg.Length(0)
	for _, k := range s.keys {
		k.name = fitting(k.name, keySize, width-k.width-keySpace)
		w := k.width + keySpace + textWidth(k.name, keySize)
		if rows == 0 || x+w > width {
			x = 0
			rows++
		}
		all = append(all, placed{k, x, keyHeight * (vg.Length(rows) - 0.5)})
		x += w + keyGap
	}
	return all, rows
}

// draw draws the entry in c.
func (k placed) draw(c draw.Canvas) {
	x, y := c.Min.X+k.x, c.Max.Y-k.y
	box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: x, Y: y - k.half()}, Max: vg.Point{X: x + k.width, Y: y + k.half()},
	}}
	for _, t := range k.thumbs {
		t.Thumbnail(&box)
	}
	c.FillText(textStyle(keySize), vg.Point{X: x + k.width + keySpace, Y: y}, k.name)
}

// half is half the height of an entry's thumbnail.
func (k placed) half() vg.Length { return 0.4 * keySize }

// textStyle is of a text whose left middle is placed.
func textStyle(size vg.Length) text.Style {
	return text.Style{Color: ink, Font: sans(size), YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
}

func textWidth(line string, size vg.Length) vg.Length {
	return textStyle(size).Rectangle(line).Size().X
}

// fitting is a line of text that is no wider than width, cut with an ellipsis
// where it would be. Names come from files.
func fitting(line string, size, width vg.Length) string {
	line = printable.Text(line)
	if textWidth(line, size) <= width {
		return line
	}
	runes := []rune(line)
	from, to := 0, len(runes) // how many runes fit
	for from < to {
		half := (from + to + 1) / 2
		if textWidth(string(runes[:half])+"…", size) <= width {
			from = half
		} else {
			to = half - 1
		}
	}
	return string(runes[:from]) + "…"
}
