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
	"strconv"
	"strings"
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
	// compactWidth leaves letters of 10 points legible on 320 pixels.
	compactWidth = 4.5 * vg.Inch

	titleSize  = vg.Length(12)
	sourceSize = vg.Length(10)
	axisSize   = vg.Length(11)
	axisLine   = 1.25 * axisSize
	keySize    = vg.Length(10)
	tickSize   = vg.Length(10)
	keyHeight  = vg.Length(15) // of a row of the legend
	keySpace   = vg.Length(6)  // between a sample and its name
	keyGap     = vg.Length(18) // between entries
	edge       = vg.Length(10) // around it all
	// dpi makes a PNG of a wide figure 1008 pixels wide.
	dpi = 144
)

// Formats are those of files, the default first.
var Formats = []string{"svg", "png", "pdf"}

// Compact is a format beside those of files: an svg element of a page that shows the
// title and the source itself, narrow enough to be read on a phone, without a
// background.
const Compact = "compact"

// Draw writes the picture in one of Formats or as Compact. Its error is the
// reason why there is nothing to show.
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
	if format == Compact {
		d.height = min(compactWidth, max(0.65*compactWidth, d.height/d.width*compactWidth))
		d.width = compactWidth
	}
	keys, rows := d.placeKeys(d.width - 2.4*edge)
	c, err := newCanvas(format, d.width, d.height+keyHeight*vg.Length(rows-1))
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	area := draw.Crop(draw.New(c), edge, -1.4*edge, edge, -edge)
	if format != Compact {
		full := draw.New(c)
		full.SetColor(color.White)
		full.Fill(full.Rectangle.Path())
		for _, line := range []struct {
			text string
			size vg.Length
		}{{s.Title, titleSize}, {s.Source, sourceSize}} {
			h := 1.4 * line.size
			area.FillText(textStyle(line.size), vg.Point{X: area.Min.X, Y: area.Max.Y - h/2}, fitting(line.text, line.size, area.Size().X))
			area.Max.Y -= h
		}
	}
	area.Max.Y -= 4
	for _, k := range keys {
		k.draw(area)
	}
	area.Max.Y -= keyHeight*vg.Length(rows) + 6
	d.drawPlot(area)
	return finish(w, format, c)
}

// drawing is a plot, and the legend that stands above it: the library's own lies
// on the data. It draws the axes' titles too: the library makes room for a title
// at the middle of the axis' numbers, which is not the middle of a log axis.
type drawing struct {
	*plot.Plot
	spec          *Spec
	keys          []key
	width, height vg.Length // with one row of the legend
}

// key is an entry of the legend.
type key struct {
	name   string
	width  vg.Length // of the thumbnails
	thumbs []plot.Thumbnailer
	x, y   vg.Length // of its left middle, below the left top of the legend
}

// newDrawing draws the series of a picture. It is an error if there are none.
func newDrawing(s *Spec) (*drawing, error) {
	d := &drawing{Plot: plot.New(), spec: s, width: width, height: height}
	d.BackgroundColor = nil
	if s.Square {
		d.width, d.height = square, square
	}
	for _, a := range []struct {
		*plot.Axis
		kind AxisKind
	}{{&d.X, s.X.Kind}, {&d.Y, s.Y.Kind}} {
		a.Tick.Label.Font = sans(tickSize)
		a.Tick.Label.Color = ink
		a.Tick.Color = faint
		a.Color = faint
		a.Padding = 6
		a.Scale = scale{a.kind.isLog()}
	}
	if !d.setRanges() {
		return nil, errors.New("figure: nothing to draw")
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	if slices.ContainsFunc(s.Series, func(c Series) bool { return c.Kind == Bars }) {
		grid.Vertical.Color = nil
	}
	if s.X.Kind == Categories {
		d.X.Tick.Length = 0
	}
	var behind, lines, points []plot.Plotter
	for i := range s.Series {
		c := &s.Series[i]
		below, line := d.areas(c), d.lines(c)
		point, off := d.points(c)
		behind, lines = append(behind, below...), append(lines, line...)
		points = append(point, points...) // the first are the closest, and on top
		if c.Kind == Bars {
			line = nil // its intervals
		}
		d.addKeys(c, slices.Concat(line, point, below), off)
	}
	if off := d.offScale(); off != nil {
		points = append(points, off)
		d.keys = append(d.keys, key{name: "off the scale", width: 10, thumbs: []plot.Thumbnailer{off}})
	}
	x, y := d.X, d.Y
	d.Add(grid)
	d.Add(slices.Concat(behind, lines, points)...)
	d.X, d.Y = x, y // Add widens them
	return d, nil
}

// addKeys adds the entries of a series to the legend.
func (d *drawing) addKeys(c *Series, all []plot.Plotter, off int) {
	switch {
	case c.Kind == Cells:
		d.keys = append(d.keys, key{name: "1 job", width: 10, thumbs: []plot.Thumbnailer{area{fill: shade(1, 2)}}})
		if most := slices.Max(c.Count); most > 1 {
			d.keys = append(d.keys, key{name: fmt.Sprintf("%d jobs", most), width: 10, thumbs: []plot.Thumbnailer{area{fill: shade(most, most)}}})
		}
	case c.Name == "" || c.Name == d.spec.Y.Title:
	case len(all) == 0:
		d.keys = append(d.keys, key{name: c.Name + " (nothing to draw)"})
	default:
		k := key{name: c.Name, width: 10}
		if _, isLine := all[0].(*plotter.Line); isLine {
			k.width = 24
		}
		if t, ok := all[0].(plot.Thumbnailer); ok {
			k.thumbs = []plot.Thumbnailer{t}
		}
		if off > 0 {
			k.name += fmt.Sprintf(" (%d off the chart)", off)
		}
		d.keys = append(d.keys, k)
	}
}

// newCanvas returns an empty figure of a format of gonum/plot.
func newCanvas(format string, width, height vg.Length) (vg.CanvasWriterTo, error) {
	switch format {
	case "png":
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}, nil
	case Compact:
		format = "svg"
	}
	return draw.NewFormattedCanvas(width, height, format)
}

// pdfDate matches the two dates of a PDF file, which its writer takes from the
// clock.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}\)`)

// finish writes a figure in a format of gonum/plot, so that the same data give
// the same bytes.
func finish(w io.Writer, format string, c vg.CanvasWriterTo) error {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	picture := b.Bytes()
	switch format {
	case "svg":
		// A viewer without the font would take one with serifs and other widths.
		picture = bytes.ReplaceAll(picture, []byte(`style="font-family:Liberation Sans;`), []byte(`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`))
	case Compact:
		picture = element(picture)
	case "pdf":
		// The dates stand after all streams, whose bytes are not looked at. Their
		// length stays: the file's end has offsets into it.
		i := max(bytes.LastIndex(picture, []byte("endstream")), 0)
		picture = append(picture[:i:i], pdfDate.ReplaceAll(picture[i:], []byte("/$1 (D:19700101000000)"))...)
	}
	_, err := w.Write(picture)
	return err
}

var (
	tag      = regexp.MustCompile(`<[^>]*>`)
	style    = regexp.MustCompile(`\s*style="[^"]*"`)
	property = regexp.MustCompile(`([-\w]+):([^;"]*?)(?:px)?[;"]`)
	decimals = regexp.MustCompile(`-?\d+\.\d+`)
)

// element makes an SVG file an element of a page, whose content security policy
// allows no style attributes: presentation attributes stand for them. Numbers have one
// decimal, which is finer than a pixel. The text between tags stays: it is escaped.
func element(file []byte) []byte {
	return tag.ReplaceAllFunc(file[bytes.Index(file, []byte("<svg")):], func(t []byte) []byte {
		t = style.ReplaceAllFunc(t, func(s []byte) (attributes []byte) {
			for _, p := range property.FindAllSubmatch(s, -1) {
				if name := string(p[1]); !strings.HasPrefix(name, "font-") || name == "font-size" {
					attributes = fmt.Appendf(attributes, " %s=%q", name, p[2])
				}
			}
			return attributes
		})
		return decimals.ReplaceAllFunc(t, func(number []byte) []byte {
			x, _ := strconv.ParseFloat(string(number), 64)
			return strconv.AppendFloat(nil, math.Round(10*x)/10+0, 'f', -1, 64) // 0, not -0
		})
	})
}

// drawPlot draws the plot and the axes' titles.
func (d *drawing) drawPlot(c draw.Canvas) {
	xs, ys := strings.Split(d.xTitle(), "\n"), strings.Split(d.spec.Y.Title, "\n")
	inner := draw.Crop(c, axisLine*vg.Length(len(ys))+8, 0, axisLine*vg.Length(len(xs))+2, 0)
	inner.Max.Y -= 4 // half a tick's label
	d.X.Tick.Marker, d.Y.Tick.Marker = ticker{Axis: &d.spec.X, drawn: d.X, long: inner.Size().X}, ticker{Axis: &d.spec.Y, drawn: d.Y, long: inner.Size().Y, upright: true}
	room := d.DataCanvas(inner).Size()
	d.X.Tick.Marker, d.Y.Tick.Marker = ticker{Axis: &d.spec.X, drawn: d.X, long: room.X}, ticker{Axis: &d.spec.Y, drawn: d.Y, long: room.Y, upright: true}
	d.Draw(inner)

	data := d.DataCanvas(inner)
	along := textStyle(axisSize)
	along.XAlign = text.XCenter
	for i, t := range xs {
		t = fitting(t, axisSize, c.Size().X)
		// In the middle of the axis, but not beyond the figure.
		half := textWidth(t, axisSize) / 2
		at := vg.Point{X: max(c.Min.X+half, min(c.Max.X-half, data.Center().X)), Y: c.Min.Y + axisLine*(vg.Length(len(xs)-1-i)+0.5)}
		c.FillText(along, at, t)
	}
	along.Rotation = math.Pi / 2
	for i, t := range ys {
		t = fitting(t, axisSize, c.Size().Y)
		half := textWidth(t, axisSize) / 2
		at := vg.Point{X: c.Min.X + axisLine*(vg.Length(i)+0.5), Y: max(c.Min.Y+half, min(c.Max.Y-half, data.Center().Y))}
		c.FillText(along, at, t)
	}
}

// xTitle has the date if the ticks of a clock have none.
func (d *drawing) xTitle() string {
	if d.spec.X.Kind == Clock && d.X.Max-d.X.Min <= mostTicks*3600 {
		return "time of day, " + time.Unix(int64(d.X.Min), 0).UTC().Format("2 January 2006")
	}
	return d.spec.X.Title
}

// placeKeys lays out the legend in rows.
func (d *drawing) placeKeys(width vg.Length) (all []key, rows int) {
	x := vg.Length(0)
	for _, k := range d.keys {
		k.name = fitting(k.name, keySize, width-k.width-keySpace)
		w := k.width + keySpace + textWidth(k.name, keySize)
		if rows == 0 || x+w > width {
			x = 0
			rows++
		}
		k.x, k.y = x, keyHeight*(vg.Length(rows)-0.5)
		all = append(all, k)
		x += w + keyGap
	}
	return all, rows
}

// draw draws the entry of the legend in c.
func (k key) draw(c draw.Canvas) {
	const half = 0.4 * keySize
	x, y := c.Min.X+k.x, c.Max.Y-k.y
	box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - half}, Max: vg.Point{X: x + k.width, Y: y + half}}}
	for _, t := range k.thumbs {
		t.Thumbnail(&box)
	}
	c.FillText(textStyle(keySize), vg.Point{X: x + k.width + keySpace, Y: y}, k.name)
}

// sans is the font of all figures.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

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
	fits := sort.Search(len(runes), func(n int) bool { return textWidth(string(runes[:n+1])+"…", size) > width })
	return string(runes[:fits]) + "…"
}
