package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// history draws quantities over time. Values far above the others are marked at the
// end of the axis, and said below the picture.
func (l *Report) history(f page.Figure, title, full string, lines ...figure.Series) []page.Block {
	edges := l.edges()
	s := figure.OverTime(title, l.name, l.describe, edges, full, lines)
	off := l.offScale(edges, &s)
	f.Alt += off
	blocks := []page.Block{l.chart(f, &s)}
	if off != "" {
		blocks = append(blocks, paragraph("%s", strings.TrimSpace(off)))
	}
	return blocks
}

// mostOffScale is how many values off the scale are listed.
const mostOffScale = 3

// offScale says which values between edges are above the end of the axis, the highest first.
func (l *Report) offScale(edges []float64, h *figure.Spec) string {
	top := h.Y.Max
	type spike struct {
		at, y float64
		name  string
	}
	var all []spike
	for _, line := range h.Series {
		for i, y := range line.Y {
			if y > top {
				all = append(all, spike{edges[i], y, line.Name})
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b spike) int {
		if a.y > b.y {
			return -1
		}
		return 1
	})
	var words []string
	for _, s := range all[:min(len(all), mostOffScale)] {
		words = append(words, fmt.Sprintf("%s %s (from %s)", s.name, sig(s.y), l.date(s.at)))
	}
	which := fmt.Sprintf("The axis ends at %s to keep the rest readable; a triangle marks", sig(top))
	switch {
	case len(all) == 1:
		return fmt.Sprintf(" %s the one value above it: %s.", which, words[0])
	case len(all) > mostOffScale:
		return fmt.Sprintf(" %s each of the %d values above it. The highest are %s.", which, len(all), strings.Join(words, ", "))
	}
	return fmt.Sprintf(" %s each of the %d values above it: %s.", which, len(all), strings.Join(words, ", "))
}

// date is when an interval begins: without the time where that is midnight.
func (l *Report) date(seconds float64) string {
	return strings.TrimSuffix(present.Moment(l.describe.Clock, seconds), " 00:00")
}

// known says whether some value is a number.
func known(y []float64) bool {
	return slices.ContainsFunc(y, func(x float64) bool { return !math.IsNaN(x) })
}
