//go:build long

package allocate

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/study"
)

// quantity returns a measure of a strategy in each outcome, divided by divisor. The measure is of
// the application's side or the system's, or a difference of two.
func quantity(outcomes []*Outcome, strategy, side, name string, divisor float64) (values []float64) {
	for _, o := range outcomes {
		k := slices.IndexFunc(o.Rows, func(r Row) bool { return r.Strategy.Name == strategy })
		var of any = o.Rows[k].application
		if side == "system" {
			of = o.Rows[k].system
		}
		whole, part, _ := strings.Cut(name, "-")
		x, _ := field.Number(of, whole)
		y, _ := field.Number(of, part)
		values = append(values, (x-y)/divisor)
	}
	return values
}

// Compares the published figures in testdata/downey1997.md with those of 100 single runs. A figure
// agrees if it lies among the middle 96 of them, allowing for its rounding.
func TestPublishedFiguresLong(t *testing.T) {
	s, o := comparison{machine: paperMachine(), strategies: Strategies()}, DefaultOptions()
	var outcomes []*Outcome
	for seed := range uint64(100) {
		out := jobtest.Must(s.seed(context.Background(), &o, 1+seed))
		out.drop()
		outcomes = append(outcomes, out)
	}
	text := jobtest.Must(os.ReadFile("testdata/published.csv"))
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.Comment = ';', '#'
	figures := jobtest.Must(r.ReadAll())
	number := func(text string) float64 {
		return jobtest.Must(strconv.ParseFloat(text, 64))
	}
	var lines []string
	for _, f := range figures[1:] {
		published, rounding, digits := number(f[2]), number(f[3]), int(number(f[4]))
		all := quantity(outcomes, f[0], f[5], f[6], number(f[7]))
		v := study.IntervalOf(all)
		slices.Sort(all)
		low, high := all[2], all[97]
		agrees := "yes"
		if published+rounding < low || published-rounding > high {
			agrees = "no"
		}
		below, _ := slices.BinarySearch(all, published)
		lines = append(lines, fmt.Sprintf("| %s | %s | %.4g | %.*f ± %.*f | %.*f to %.*f | %d | %s |", f[0], f[1], published,
			digits, v.Mean, digits, v.High-v.Mean, digits, low, digits, high, below, agrees))
	}
	t.Log("\n" + strings.Join(lines, "\n"))
	table := jobtest.Must(os.ReadFile("testdata/downey1997.md"))
	for _, line := range lines {
		if !strings.Contains(string(table), "\n"+line) {
			t.Errorf("testdata/downey1997.md has no line that begins\n%s", line)
		}
	}
	// The paper prints no figures for the internalised cost; here it beats avg.
	if v := study.IntervalOf(quantity(outcomes, "bias-internal", "system", "turnaround_change_pct", 1)); !(v.High < -4 && v.Low > -7) {
		t.Errorf("bias-internal: turnaround to avg %+v %%, want about -5.5", v)
	}
}
