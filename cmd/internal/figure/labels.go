package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels places names beside points, each where it covers the least of what is
// there already.
type labels struct {
	within vg.Rectangle
	taken  []vg.Rectangle
}

// box marks the surroundings of a point as taken.
func (l *labels) box(at vg.Point, half vg.Length) {
	l.taken = append(l.taken, vg.Rectangle{Min: vg.Point{X: at.X - half, Y: at.Y - half}, Max: vg.Point{X: at.X + half, Y: at.Y + half}})
}

// line marks a line as taken, by boxes along it.
func (l *labels) line(from, to vg.Point) {
	const boxes = 12
	for i := range boxes + 1 {
		f := vg.Length(i) / boxes
		l.box(vg.Point{X: from.X + f*(to.X-from.X), Y: from.Y + f*(to.Y-from.Y)}, 2)
	}
}

// place writes a name close to a point.
func (l *labels) place(c draw.Canvas, name string, at vg.Point, ink color.Color) {
	style := textStyle(labelSize)
	style.Color = ink
	name = fitting(name, labelSize, 0.4*l.within.Size().X)
	// Viewers without the font take one that is up to an eighth wider.
	w, h := 1.13*textWidth(name, labelSize), 1.1*labelSize
	var best vg.Rectangle
	var away vg.Length
	least := vg.Length(-1)
	for _, gap := range []vg.Length{6, 10, 16, 24, 34, 46} {
		for _, d := range []struct{ x, y vg.Length }{{0, 0.5}, {-1, 0.5}, {-0.5, 0}, {-0.5, 1}, {0, 0}, {-1, 0}, {0, 1}, {-1, 1}} {
			// d is where, in the name's box, the point is: right of it first.
			corner := vg.Point{X: at.X + d.x*w, Y: at.Y - d.y*h}
			switch d.x {
			case 0:
				corner.X += gap
			case -1:
				corner.X -= gap
			}
			switch d.y {
			case 0:
				corner.Y += gap - 3
			case 1:
				corner.Y -= gap - 3
			}
			r := vg.Rectangle{Min: corner, Max: vg.Point{X: corner.X + w, Y: corner.Y + h}}
			// Of two places as free the nearer one is taken.
			covered := 2 * gap
			for _, t := range l.taken {
				covered += overlap(r, t)
			}
			covered += 20 * (w*h - overlap(r, l.within))
			if least < 0 || covered < least {
				best, least, away = r, covered, gap
			}
		}
	}
	if away > leaderFrom {
		to := vg.Point{X: max(best.Min.X, min(best.Max.X, at.X)), Y: max(best.Min.Y, min(best.Max.Y, at.Y))}
		c.StrokeLine2(draw.LineStyle{Color: grey, Width: 0.6}, at.X, at.Y, to.X, to.Y)
	}
	l.taken = append(l.taken, best)
	// What lies below would make it hard to read.
	behind := vg.Rectangle{Min: vg.Point{X: best.Min.X - 1, Y: best.Min.Y}, Max: vg.Point{X: best.Min.X + textWidth(name, labelSize) + 1, Y: best.Max.Y}}
	c.SetColor(color.White)
	c.Fill(behind.Path())
	c.FillText(style, vg.Point{X: best.Min.X, Y: (best.Min.Y + best.Max.Y) / 2}, name)
}

// leaderFrom is how far from its point a name needs a line to it.
const leaderFrom = vg.Length(8)

// overlap is the area that two boxes share.
func overlap(a, b vg.Rectangle) vg.Length {
	x := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	y := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return max(0, x) * max(0, y)
}
