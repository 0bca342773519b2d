package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

const (
	width  = 7 * vg.Inch
	height = 4 * vg.Inch
	square = 5.5 * vg.Inch

	titleSize  = vg.Length(12)
	sourceSize = vg.Length(10)
	axisSize   = vg.Length(11)
	keySize    = vg.Length(10)
	tickSize   = vg.Length(10)
	keyHeight  = vg.Length(15) // of a row of the legend
	keySpace   = vg.Length(6)  // between a sample and its name
	keyGap     = vg.Length(18) // between entries
	edge       = vg.Length(10) // around the figure
	// tickRoom is the approximate space taken by ticks and their labels.
	tickRoom = vg.Length(50)
	// dpi makes a PNG of a wide figure 1008 pixels wide.
	dpi = 144
)

// Formats are the file formats of pictures, the default first.
var Formats = []string{"svg", "png", "pdf"}

// Draw writes the picture in one of Formats. If there is nothing to draw, the error is the
// reason.
func (s *Spec) Draw(w io.Writer, format string) error {
	if s.Why != "" {
		return errors.New(s.Why)
	}
	if err := s.check(); err != nil {
		return err
	}
	d, err := newDrawing(s)
	if err != nil {
		return err
	}
	long, high := width, height
	if s.Square {
		long, high = square, square
	}
	rows := d.placeKeys(long - 2*edge)
	c, err := newCanvas(format, long, high+keyHeight*vg.Length(rows-1))
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	all := draw.New(c)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	area := draw.Crop(all, edge, -1.4*edge, edge, -edge)
	for _, line := range []struct {
		text string
		size vg.Length
	}{{s.Title, titleSize}, {s.Source, sourceSize}} {
		if line.text != "" {
			h := 1.4 * line.size
			area.FillText(textStyle(line.size), vg.Point{X: area.Min.X, Y: area.Max.Y - h/2}, fitting(line.text, line.size, area.Size().X))
			area.Max.Y -= h
		}
	}
	area.Max.Y -= 4
	for _, k := range d.keys {
		k.draw(area)
	}
	area.Max.Y -= keyHeight*vg.Length(rows) + 10
	d.drawPlot(area)
	return finish(w, format, c)
}

// newCanvas returns an empty canvas for one of Formats.
func newCanvas(format string, width, height vg.Length) (vg.CanvasWriterTo, error) {
	if format == "png" {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}, nil
	}
	return draw.NewFormattedCanvas(width, height, format)
}

// pdfDate matches the two dates of a PDF file, which its writer takes from the
// clock.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}\)`)

// finish writes a figure in one of Formats, removing dates so that the same data give
// the same bytes.
func finish(w io.Writer, format string, c vg.CanvasWriterTo) error {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	picture := b.Bytes()
	switch format {
	case "svg":
		// Without these fallbacks, a viewer that lacks the font would use one with serifs and
		// other widths.
		picture = bytes.ReplaceAll(picture, []byte(`style="font-family:Liberation Sans;`), []byte(`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`))
	case "pdf":
		// The dates follow all streams, whose bytes must not be changed. The replacement
		// has the same length, since the end of the file holds offsets.
		i := max(bytes.LastIndex(picture, []byte("endstream")), 0)
		picture = append(picture[:i:i], pdfDate.ReplaceAll(picture[i:], []byte("/$1 (D:19700101000000)"))...)
	}
	_, err := w.Write(picture)
	return err
}

// drawing is a plot with a legend above it; gonum/plot's own legend would cover data.
type drawing struct {
	*plot.Plot
	spec      *Spec
	keys      []key
	bars, bar int // number of series of bars, and index of the one being drawn
}

// newDrawing returns a plot of the series of a picture. It returns an error if no series has a
// point.
func newDrawing(s *Spec) (*drawing, error) {
	d := &drawing{Plot: plot.New(), spec: s}
	if !d.setRanges() {
		return nil, errors.New("figure: nothing to draw")
	}
	for _, c := range s.Series {
		if c.Kind == Bars {
			d.bars++
		}
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	if d.bars > 0 {
		grid.Vertical.Color = nil
	}
	var behind, lines []plot.Plotter
	for i := range s.Series {
		c := &s.Series[i]
		below, above := d.plotters(c)
		behind = append(behind, below...)
		lines = append(lines, above...)
		if c.Kind == Bars {
			d.bar++
			above = nil // the intervals, which the legend does not show
		}
		d.addKey(c, slices.Concat(above, below))
	}
	x, y := d.X, d.Y
	d.Add(grid)
	d.Add(slices.Concat(behind, lines)...)
	d.X, d.Y = x, y // Add has widened the axes
	return d, nil
}

// setRanges sets the ends of both axes, to those of the Spec or the range of the series.
// It returns false if no series has a point.
func (d *drawing) setRanges() bool {
	s := d.spec
	var x, y span
	for _, c := range s.Series {
		x.add(s.X.Kind, c.X)
		for _, values := range [][]float64{c.Y, c.Low, c.High} {
			y.add(s.Y.Kind, values)
		}
	}
	switch s.X.Kind {
	case Categories:
		x = span{0, float64(len(s.X.Names)), len(s.X.Names) > 0}
	case Hours:
		x = span{dayBegins, dayBegins + 24, true}
	}
	if !x.some || !y.some {
		return false
	}
	if s.Y.Kind.isLog() {
		y.low, y.high = max(smallest, y.low/1.2), y.high*1.2
	} else {
		y.low, y.high = min(0, y.low), 1.04*max(0, y.high)
	}
	s.X.setUp(&d.X, x)
	s.Y.setUp(&d.Y, y)
	return true
}

// setUp sets the ends and the style of an axis; values is the range of its series.
func (a *Axis) setUp(drawn *plot.Axis, values span) {
	drawn.Min, drawn.Max = a.ends(values)
	if a.Kind.isLog() {
		drawn.Min, drawn.Max = math.Log(drawn.Min), math.Log(drawn.Max)
	}
	drawn.Tick.Label.Font, drawn.Label.TextStyle.Font = sans(tickSize), sans(axisSize)
	drawn.Tick.Label.Color, drawn.Label.TextStyle.Color = ink, ink
	drawn.Tick.Color, drawn.Color = faint, faint
	drawn.Padding, drawn.Label.Padding = 6, 4
}

// drawPlot draws the plot with its axes.
func (d *drawing) drawPlot(c draw.Canvas) {
	s, room := d.spec, c.Size()
	d.X.Label.Text = wrapped(s.X.Title, axisSize, room.X-tickRoom)
	d.Y.Label.Text = wrapped(s.Y.Title, axisSize, room.Y-tickRoom)
	if s.X.Kind == Clock && d.X.Max-d.X.Min <= mostTicks*3600 { // the ticks have no date
		d.X.Label.Text = "time of day, " + time.Unix(int64(d.X.Min), 0).UTC().Format("2 January 2006")
	}
	for range 2 { // the labels depend on the room they leave
		d.X.Tick.Marker, d.Y.Tick.Marker = s.X.labelled(&d.X, room.X, false), s.Y.labelled(&d.Y, room.Y, true)
		room = d.DataCanvas(c).Size()
	}
	d.Draw(c)
}

// key is an entry of the legend.
type key struct {
	name  string
	width vg.Length // of the sample
	thumb plot.Thumbnailer
	x, y  vg.Length // middle of its left side, right of and below the legend's top left corner
}

// addKey adds the entry of a series to the legend.
func (d *drawing) addKey(c *Series, all []plot.Plotter) {
	if c.Name == "" || c.Name == d.spec.Y.Title {
		return
	}
	k := key{name: c.Name}
	if len(all) == 0 {
		k.name += " (nothing to draw)"
	} else {
		k.thumb, k.width = all[len(all)-1].(plot.Thumbnailer), 10
		if line, isLine := all[0].(*plotter.Line); isLine {
			k.thumb, k.width = line, 24
		}
	}
	d.keys = append(d.keys, k)
}

// placeKeys lays out the legend and returns its number of rows.
func (d *drawing) placeKeys(width vg.Length) (rows int) {
	x := vg.Length(0)
	for i := range d.keys {
		k := &d.keys[i]
		k.name = fitting(k.name, keySize, width-k.width-keySpace)
		w := k.width + keySpace + textWidth(k.name, keySize)
		if rows == 0 || x+w > width {
			x = 0
			rows++
		}
		k.x, k.y = x, keyHeight*(vg.Length(rows)-0.5)
		x += w + keyGap
	}
	return rows
}

// draw draws the entry of the legend on c.
func (k key) draw(c draw.Canvas) {
	const half = 0.4 * keySize
	x, y := c.Min.X+k.x, c.Max.Y-k.y
	if k.thumb != nil {
		k.thumb.Thumbnail(&draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - half}, Max: vg.Point{X: x + k.width, Y: y + half}}})
	}
	c.FillText(textStyle(keySize), vg.Point{X: x + k.width + keySpace, Y: y}, k.name)
}

// sans returns the font of all figures.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// textStyle returns the style of text that is placed by the middle of its left side.
func textStyle(size vg.Length) text.Style {
	return text.Style{Color: ink, Font: sans(size), YAlign: text.YCenter, Handler: plot.DefaultTextHandler}
}

func textWidth(line string, size vg.Length) vg.Length {
	return textStyle(size).Rectangle(line).Size().X
}

// fitting returns a line of text, truncated with an ellipsis if it is wider than width. It makes
// the text printable, since names come from files.
func fitting(line string, size, width vg.Length) string {
	line = printable.Text(line)
	if textWidth(line, size) <= width {
		return line
	}
	runes := []rune(line)
	fits := sort.Search(len(runes), func(n int) bool { return textWidth(string(runes[:n+1])+"…", size) > width })
	return string(runes[:fits]) + "…"
}
