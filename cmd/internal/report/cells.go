package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// textCell is a cell that is no number.
func textCell(text string) page.Cell { return page.Cell{Text: text} }

// cell is a number as people read it, with all of it behind; an empty one where
// it has no meaning.
func cell[N ~float64](x N, text string) page.Cell {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return textCell("–")
	}
	exact, _ := json.Marshal(float64(x))
	return page.Cell{Text: text, Value: string(exact)}
}

// countCell is a whole number.
func countCell[N ~int | ~int64](n N) page.Cell {
	return page.Cell{Text: present.Grouped(int64(n)), Value: strconv.FormatInt(int64(n), 10)}
}

func sigCell[N ~float64](x N) page.Cell { return cell(x, sig(float64(x))) }
func fixedCell[N ~float64](x N, digits int) page.Cell {
	return cell(x, present.Fixed(x, digits))
}
func percentCell[N ~float64](x N) page.Cell { return cell(x, present.Fixed(x, 1)+" %") }

// sig is a number to four digits, its thousands apart.
func sig(x float64) string {
	if ax := math.Abs(x); ax >= 1000 && ax < 1e9 {
		return present.Grouped(int64(math.Round(x)))
	}
	return present.Sig(x)
}

// tenths is a number with a decimal, where that is not 0.
func tenths(x float64) string { return strings.TrimSuffix(present.Fixed(x, 1), ".0") }

// shareCell is a share of 1, in per cent.
func shareCell[N ~float64](x N) page.Cell { return cell(x, present.Fixed(100*float64(x), 1)+" %") }

// timeCell is a time in seconds.
func timeCell[N ~float64](seconds N) page.Cell { return cell(seconds, timeText(float64(seconds))) }

// minutesCell is a time in minutes.
func minutesCell[N ~float64](minutes N) page.Cell {
	return cell(minutes, timeText(60*float64(minutes)))
}

// timeText writes seconds in the largest unit of which there are two or more.
func timeText(seconds float64) string {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return "–"
	}
	return inUnit(seconds, present.TimeUnitOf(seconds))
}

// fact is a name and its value.
func fact(name string, value page.Cell) page.Fact { return page.Fact{Name: name, Value: value} }

func paragraph(format string, args ...any) page.Block {
	return page.Block{Words: []string{fmt.Sprintf(format, args...)}}
}

func remark(kind, text string) page.Block {
	return page.Block{Remark: &page.Remark{Kind: kind, Text: text}}
}

// missing says why there is nothing to show.
func missing(text string) []page.Block { return []page.Block{remark("missing", text)} }

// countedText is a number of things, in groups of three digits.
func countedText(n int64, noun string) string {
	return present.Grouped(n) + " " + words.Noun(n, noun)
}

// tableOf makes a block of a table.
func tableOf(t page.Table) page.Block { return page.Block{Table: &t} }

// picture is a figure, or why it is not drawn.
func (l *Report) picture(f page.Figure, s *figure.Spec) page.Block {
	var svg bytes.Buffer
	if err := s.Draw(&svg, figure.Compact); err != nil {
		return remark("missing", f.Caption+" is not drawn: "+strings.TrimPrefix(err.Error(), "figure: ")+".")
	}
	f.SVG = svg.Bytes()
	return page.Block{Figure: &f}
}

// chart is a figure that can be zoomed, or why it is not drawn.
func (l *Report) chart(f page.Figure, s *figure.Spec) page.Block {
	block := l.picture(f, s)
	if block.Figure == nil {
		return block
	}
	chart, err := json.Marshal(s)
	if err != nil {
		return remark("missing", f.Caption+" is not drawn: "+err.Error()+".")
	}
	block.Figure.Chart = chart
	return block
}

// kept is a figure of a result, or why it is not drawn; nothing where the result
// has no such picture, or nobody misses it.
func (l *Report) kept(name string, f page.Figure) []page.Block {
	s := figure.Find(l.pictures, name)
	if s == nil || s.Extra {
		return nil
	}
	f.ID = name
	return []page.Block{l.picture(f, s)}
}

// timeTexts writes times that are read together in one unit, where they have one; else each
// has its own.
func timeTexts(seconds ...float64) []string {
	texts := make([]string, len(seconds))
	unit, common := commonUnit(seconds...)
	for i, x := range seconds {
		if texts[i] = timeText(x); common && texts[i] != "–" {
			texts[i] = inUnit(x, unit)
		}
	}
	return texts
}

// commonUnit is the largest unit of which each of some times but zeros is 1 or more; false
// where one of them would be 1000 of that or more.
func commonUnit(seconds ...float64) (unit present.TimeUnit, common bool) {
	least, most := math.Inf(1), 0.0
	for _, x := range seconds {
		if ax := math.Abs(x); ax > 0 && !math.IsInf(ax, 0) { // neither NaN
			least, most = min(least, ax), max(most, ax)
		}
	}
	for _, unit = range present.TimeUnits {
		if least >= unit.Seconds && most >= 2*unit.Seconds || unit.Seconds <= 1 {
			break
		}
	}
	return unit, most < 1000*unit.Seconds
}

// inUnit writes a time in a unit, with a decimal where it is short.
func inUnit(seconds float64, unit present.TimeUnit) string {
	x, digits := seconds/unit.Seconds, 0
	if math.Abs(x) < 100 && x != math.Trunc(x) {
		digits = 1
	}
	return present.Fixed(x, digits) + " " + unit.Symbol
}

// oneUnit writes the times of some columns, which are of one quantity, in one unit; where
// there is none for all, those of each column.
func oneUnit(t *page.Table, columns ...int) {
	var all []*page.Cell
	for _, k := range columns {
		var cells []*page.Cell
		for _, row := range t.Rows {
			cells = append(cells, &row[k])
		}
		inOneUnit(cells...)
		all = append(all, cells...)
	}
	if _, common := commonUnit(secondsOf(all)...); common {
		inOneUnit(all...)
	}
}

// inOneUnit writes times in one unit, where they have one.
func inOneUnit(cells ...*page.Cell) {
	for i, text := range timeTexts(secondsOf(cells)...) {
		cells[i].Text = text
	}
}

// secondsOf are the values of cells of times.
func secondsOf(cells []*page.Cell) (all []float64) {
	for _, c := range cells {
		x, err := strconv.ParseFloat(c.Value, 64)
		if err != nil {
			x = math.NaN()
		}
		all = append(all, x)
	}
	return all
}
