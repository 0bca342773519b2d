package mapping

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// wholes reads a column of whole numbers without rounding any of their digits.
func (b *batch) wholes(f *field, m *made) error {
	m.ints = make([]int64, b.rows.Rows)
	values := &b.rows.Columns[f.at[0]]
	var odd []float64 // those that are not whole numbers, NaN elsewhere
	if values.Whole != nil {
		for i, n := range values.Whole {
			if n != workload.Unknown && f.isUnknown(float64(n)) {
				n = workload.Unknown
			}
			m.ints[i] = n
		}
		b.negativeWholes(f, m)
		return nil
	}
	for i := range m.ints {
		n, x, want := workload.Unknown, math.NaN(), ""
		switch {
		case values.HasText():
			n, x, want = f.whole(values.TextAt(i))
		case f.isUnknown(values.Number[i]):
		default:
			if x = values.Number[i]; x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
				n, x = int64(x), math.NaN()
			}
		}
		if want == "a whole number" && f.mixed {
			b.textAmongNumbers(f, m, values, i)
			n, want = workload.Unknown, ""
		}
		if want != "" {
			return b.rows.Fault(i, b.name(f, 0), b.saw(values, i), want)
		}
		if m.ints[i] = n; x == x {
			if odd == nil {
				odd = slices.Repeat([]float64{math.NaN()}, b.rows.Rows)
			}
			odd[i] = x
		}
	}
	if odd != nil {
		whole := m.ints
		if err := b.round(f, m, odd); err != nil {
			return err
		}
		for i, x := range odd {
			if x != x {
				m.ints[i] = whole[i]
			}
		}
	}
	b.negativeWholes(f, m)
	return nil
}

// textAmongNumbers counts a value that is no number.
func (b *batch) textAmongNumbers(f *field, m *made, values *workload.TableValues, row int) {
	words := parse.FieldWords(int(f.target))
	m.warnings.Add("text-"+strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("texts in the column of %s, which holds numbers: left unknown", words), b.rows.At(row), b.saw(values, row))
}

// negativeWholes counts amounts below 0.
func (b *batch) negativeWholes(f *field, m *made) {
	below := func(n int64) bool { return n < 0 && n != workload.Unknown }
	if f.target.column().Use != workload.Amount || !slices.ContainsFunc(m.ints, below) {
		return
	}
	values := make([]float64, len(m.ints))
	for i, n := range m.ints {
		if below(n) {
			values[i] = float64(n)
		}
	}
	b.negative(f, m, values)
}

// whole reads a whole number. A number that is not whole is returned as x.
func (e *entry) whole(text string) (n int64, x float64, want string) {
	if n, ok := parse.PlainWhole([]byte(text)); ok && e.unknown == nil && e.prefix == "" && e.form != formArray {
		return n, math.NaN(), ""
	}
	text, want = e.known(text)
	if text == "" || want != "" {
		return workload.Unknown, math.NaN(), want
	}
	if e.form == formArray {
		text = e.arrayPart(text)
		if text == "" {
			return workload.Unknown, math.NaN(), ""
		}
	}
	n, want = parse.Whole([]byte(text))
	if want == "a whole number, not a fraction" {
		x, want = parse.Number([]byte(text))
		return workload.Unknown, x, want
	}
	if want != "" && parse.Infinite([]byte(text)) {
		want = workload.WantFinite
	}
	return n, math.NaN(), want
}

// round rounds values to whole numbers and counts those that were not whole.
func (b *batch) round(f *field, m *made, values []float64) error {
	m.ints = make([]int64, len(values))
	name := f.target.String()
	w := workload.Warning{Rule: "fraction-" + name, Text: fmt.Sprintf("values of %s that are not whole numbers: left unknown", name)}
	if f.round != "" {
		w = workload.Warning{Rule: "rounded-" + name, Text: fmt.Sprintf("values of %s that are not whole numbers: rounded (%s)", name, f.round)}
	}
	for i, x := range values {
		whole := x
		switch f.round {
		case "up":
			whole = math.Ceil(x)
		case "down":
			whole = math.Floor(x)
		case "nearest":
			whole = math.Round(x)
		}
		if x != math.Trunc(x) && x == x {
			if w.Count++; w.Count == 1 {
				w.Line, w.Saw = b.rows.At(i), parse.FormatNumber(x)
			}
		}
		switch {
		case whole != whole || whole != math.Trunc(whole):
			m.ints[i] = workload.Unknown
		case math.Abs(whole) >= 1<<63:
			return b.rows.Fault(i, name, parse.FormatNumber(x), "a whole number of at most 9.2e18")
		default:
			m.ints[i] = int64(whole)
		}
	}
	if w.Count > 0 {
		m.warnings.Count(w)
	}
	return nil
}
