package mapping

import (
	"fmt"
	"math"
	"slices"
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
	case f.operator == "" && (f.form == formNumber || f.form == formArray) && !f.target.float() && f.scale.ratio() == 1:
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

// negative counts what should not be below 0.
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
			if f.form == formTimestamp {
				x[i] = microseconds(x[i])
			}
		case "times":
			x[i] *= y[i]
		case "over":
			if x[i] /= y[i]; y[i] == 0 {
				x[i] = math.NaN() // a share of nothing
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

// operand reads one side of an expression. Its numbers have the table's units, but
// in an expression of plain numbers, whose result gets them.
func (b *batch) operand(f *field, n int, m *made) ([]float64, error) {
	o := f.operands[n]
	x := make([]float64, b.rows.Rows)
	if o.columns == nil {
		for i := range x {
			x[i] = o.number
		}
		if t, ok := findTarget(o.entry); ok {
			for i := range x {
				x[i] = b.made[t].number(i)
			}
		}
		return x, nil
	}
	r := b.reader(f)
	values := &b.rows.Columns[f.at[n]]
	for i := range x {
		var want string
		switch {
		case values.Text != nil:
			x[i], want = r.text(values.Text[i])
		case values.Whole != nil && values.Whole[i] == workload.Unknown:
			x[i] = math.NaN()
		case values.Whole != nil:
			x[i] = r.number(float64(values.Whole[i]))
		default:
			x[i] = r.number(values.Number[i])
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
	case values.Text != nil:
		return values.Text[i]
	case values.Whole != nil && values.Whole[i] != workload.Unknown:
		return strconv.FormatInt(values.Whole[i], 10)
	case values.Number != nil && values.Number[i] == values.Number[i]:
		return parse.FormatNumber(values.Number[i])
	}
	return ""
}

// wholes reads a column of whole numbers, of which each digit counts.
func (b *batch) wholes(f *field, m *made) error {
	m.ints = make([]int64, b.rows.Rows)
	values := &b.rows.Columns[f.at[0]]
	var odd []float64 // those that are no whole numbers, NaN elsewhere
	for i := range m.ints {
		n, x, want := workload.Unknown, math.NaN(), ""
		switch {
		case values.Text != nil:
			n, x, want = f.whole(values.Text[i])
		case values.Whole != nil:
			n = values.Whole[i]
			if n != workload.Unknown && f.isUnknown(float64(n)) {
				n = workload.Unknown
			}
		default:
			x = values.Number[i]
			if f.isUnknown(x) {
				x = math.NaN()
			}
			if x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
				n, x = int64(x), math.NaN()
			}
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
	negative := make([]float64, 0, b.rows.Rows)
	if f.target.column().Use == workload.Amount {
		for _, n := range m.ints {
			if n == workload.Unknown {
				n = 0
			}
			negative = append(negative, float64(n))
		}
	}
	b.negative(f, m, negative)
	return nil
}

// whole reads a whole number. One that is none comes back as x.
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

// round makes whole numbers, and counts what is not.
func (b *batch) round(f *field, m *made, values []float64) error {
	m.ints = make([]int64, len(values))
	name := f.target.String()
	w := workload.Warning{Rule: "fraction-" + name, Text: fmt.Sprintf("values of %s that are no whole numbers: left unknown", name)}
	if f.round != "" {
		w = workload.Warning{Rule: "rounded-" + name, Text: fmt.Sprintf("values of %s that are no whole numbers: rounded (%s)", name, f.round)}
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

// names numbers the texts of a column.
func (b *batch) names(f *field, m *made, names *parse.Names) error {
	m.ints = make([]int64, b.rows.Rows)
	col := int(f.target)
	values := &b.rows.Columns[f.at[0]]
	for i := range m.ints {
		text := textOf(values, i)
		if f.form == formTRES {
			text = parse.TRESName(text, f.keys)
		}
		if text == "" || slices.Contains(f.unknown, text) {
			m.ints[i] = workload.Unknown
			continue
		}
		if id, ok := names.Find(col, text); ok {
			m.ints[i] = id
			continue
		}
		want := parse.CheckText([]byte(text))
		if len(text) > parse.MaxText {
			want = fmt.Sprintf("a name of at most %d bytes", parse.MaxText)
		}
		if want != "" {
			return b.rows.Fault(i, b.name(f, 0), b.saw(values, i), want)
		}
		id, known := names.NumberOf(col, []byte(text))
		if m.ints[i] = id; !known {
			names.LeftOut(col, b.rows.At(i))
		}
	}
	return nil
}

// statuses reads the words for statuses.
func (b *batch) statuses(f *field, m *made) error {
	m.ints = make([]int64, b.rows.Rows)
	values := &b.rows.Columns[f.at[0]]
	met := map[string]int64{}
	odd := workload.Warning{Rule: "unknown-status", Text: "words for a status that are not known: left unknown"}
	for i := range m.ints {
		text := textOf(values, i)
		code, ok := met[text]
		if !ok {
			if code, ok = f.status(text); ok {
				met[strings.Clone(text)] = code
			} else if odd.Count++; odd.Count == 1 {
				odd.Line, odd.Saw = b.rows.At(i), b.saw(values, i)
			}
		}
		m.ints[i] = code
	}
	if odd.Count > 0 {
		m.warnings.Count(odd)
	}
	return nil
}

// status is the code of a word; false where it has none.
func (e *entry) status(text string) (int64, bool) {
	if text == "" || slices.Contains(e.unknown, text) {
		return workload.Unknown, true
	}
	if e.values == nil {
		if code, ok := parse.StatusWord([]byte(text)); ok {
			return code, true
		}
		return workload.Unknown, false
	}
	code, ok := e.values[text]
	if !ok {
		code = workload.Unknown
	}
	return code, ok
}
