package mapping

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// made are the values of one field in one batch, in the table's units: Floats or
// Ints, as the target is. NaN and Unknown are unknown.
type made struct {
	floats   []float64
	ints     []int64
	warnings workload.Warnings
}

// number is a value as a float64, NaN where it is unknown.
func (m *made) number(i int) float64 {
	switch {
	case m.floats != nil:
		return m.floats[i]
	case m.ints[i] != workload.Unknown:
		return float64(m.ints[i])
	}
	return math.NaN()
}

// batch is some rows on their way to the job table.
type batch struct {
	*plan
	rows   *workload.TableRows
	before int64 // jobs before them
	made   map[target]*made
}

// evaluate computes the values of a field. Those that it needs are made.
func (b *batch) evaluate(f *field, names *parse.Names) (*made, error) {
	m := &made{}
	switch {
	case f.form == formName || f.form == formTRES && f.target.column().NameKey != "":
		return m, b.names(f, m, names)
	case f.form == formStatus:
		return m, b.statuses(f, m)
	case f.form == formRow:
		m.ints = make([]int64, b.rows.Rows)
		for i := range m.ints {
			m.ints[i] = b.before + int64(i) + 1
		}
		return m, nil
	case f.operator == "" && f.at[0] >= 0 && (f.form == formNumber || f.form == formArray) && !f.target.float() && f.scale.ratio() == 1:
		return m, b.wholes(f, m)
	}
	x, err := b.numbers(f, m)
	if err != nil {
		return nil, err
	}
	b.negative(f, m, x)
	if f.target.float() {
		m.floats = x
		return m, nil
	}
	return m, b.round(f, m, x)
}

// negative counts values below 0 where there should be none.
func (b *batch) negative(f *field, m *made, values []float64) {
	if f.target >= workload.NumColumns {
		return
	}
	words := parse.FieldWords(int(f.target))
	w := workload.Warning{Rule: "negative-" + strings.ReplaceAll(words, " ", "-"), Text: fmt.Sprintf("jobs with a negative %s: kept", words)}
	for i, x := range values {
		if x < 0 {
			if w.Count++; w.Count == 1 {
				w.Line, w.Saw = b.rows.At(i), parse.FormatNumber(x)
			}
		}
	}
	if w.Count > 0 {
		m.warnings.Count(w)
	}
}

// numbers computes a field that is a number, in the table's units.
func (b *batch) numbers(f *field, m *made) ([]float64, error) {
	x, err := b.operand(f, 0, m)
	if err != nil || f.operator == "" {
		return x, err
	}
	y, err := b.operand(f, 1, m)
	if err != nil {
		return nil, err
	}
	for i := range x {
		switch f.operator {
		case "plus":
			x[i] += y[i]
		case "minus":
			x[i] -= y[i]
			if f.form == formTimestamp || f.between {
				x[i] = microseconds(x[i])
			}
		case "times":
			x[i] *= y[i]
		case "over":
			if x[i] == x[i] && (y[i] == 0 || y[i] != y[i]) {
				name := f.target.String()
				m.warnings.Add("no-divisor-"+name, fmt.Sprintf("values of %s left unknown: they are divided by 0 or by an unknown number", name), b.rows.At(i), parse.FormatNumber(x[i]))
			}
			if x[i] /= y[i]; y[i] == 0 {
				x[i] = math.NaN()
			}
		}
		if f.form == formNumber {
			x[i] = f.scale.of(x[i])
		}
		if math.IsInf(x[i], 0) {
			return nil, b.rows.Fault(i, f.target.String(), "a value beyond 1.8e308", workload.WantFinite)
		}
	}
	return x, nil
}

// operand reads one side of an expression, in the table's units. In an expression of plain
// numbers the unit is applied to the result instead.
func (b *batch) operand(f *field, n int, m *made) ([]float64, error) {
	o := f.operands[n]
	x := make([]float64, b.rows.Rows)
	if o.columns == nil {
		value := o.number
		if f.operator == "" {
			value = f.scale.of(value)
		}
		for i := range x {
			x[i] = value
		}
		if t, ok := findTarget(o.entry); ok {
			for i := range x {
				x[i] = b.made[t].number(i)
			}
		}
		return x, nil
	}
	r := b.reader(f, n)
	values := &b.rows.Columns[f.at[n]]
	if values.Whole != nil {
		for i, n := range values.Whole {
			if x[i] = math.NaN(); n != workload.Unknown {
				x[i] = r.number(float64(n))
			}
			if math.Abs(x[i]) >= 1<<53 && (n == math.MaxInt64 || int64(float64(n)) != n) {
				m.warnings.Add("no-exact-number", "whole numbers beyond 2^53 that would be rounded: unknown", b.rows.At(i), b.saw(values, i))
				x[i] = math.NaN()
			}
		}
		return x, nil
	}
	texts, plain := values.HasText(), r.plain()
	for i := range x {
		var want string
		if texts {
			text := values.TextAt(i)
			if n, ok := parse.PlainWhole([]byte(text)); plain && ok {
				x[i] = r.number(float64(n))
				continue
			}
			x[i], want = r.text(text)
		} else {
			x[i] = r.number(values.Number[i])
		}
		if want != "" && want != workload.WantFinite && f.mixed && f.form == formNumber {
			b.textAmongNumbers(f, m, values, i)
			x[i], want = math.NaN(), ""
		}
		if want == "" && math.IsInf(x[i], 0) {
			want = workload.WantFinite
		}
		if want != "" {
			return nil, b.rows.Fault(i, b.name(f, n), b.saw(values, i), want)
		}
		if r.odd != "" {
			m.warnings.Add(r.odd, clockOdds[r.odd], b.rows.At(i), b.saw(values, i))
			r.odd = ""
		}
	}
	return x, nil
}

// saw is a value for messages.
func (b *batch) saw(values *workload.TableValues, i int) string {
	return workload.Shorten([]byte(textOf(values, i)))
}

// textOf is a value as a text; "" where it is unknown.
func textOf(values *workload.TableValues, i int) string {
	switch {
	case values.HasText():
		return values.TextAt(i)
	case values.Whole != nil && values.Whole[i] != workload.Unknown:
		return strconv.FormatInt(values.Whole[i], 10)
	case values.Number != nil && values.Number[i] == values.Number[i]:
		return parse.FormatNumber(values.Number[i])
	}
	return ""
}
