package mapping

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// batch is a batch of rows that are being converted to jobs.
type batch struct {
	*plan
	rows   *workload.TableRows
	before int64 // number of jobs before them
	made   [targets]*made
}

// made holds the values of one field in one batch, in the job table's unit: floats or ints,
// depending on the target. NaN and Unknown mean unknown.
type made struct {
	floats   []float64
	ints     []int64
	warnings workload.Warnings
}

// number returns value i as a float64, NaN if it is unknown.
func (m *made) number(i int) float64 {
	switch {
	case m.floats != nil:
		return m.floats[i]
	case m.ints[i] != workload.Unknown:
		return float64(m.ints[i])
	}
	return math.NaN()
}

// all computes the fields: first those that depend on no others, several at a time.
func (b *batch) all(workers int, names *parse.Names) error {
	results, errs := make([]*made, len(b.order)), make([]error, len(b.order))
	par.Each(workers, len(b.order), func(i int) {
		if f := b.order[i]; !f.isComputed() {
			results[i], errs[i] = b.evaluate(f, names)
		}
	})
	for i, f := range b.order {
		if f.isComputed() {
			results[i], errs[i] = b.evaluate(f, names)
		}
		if errs[i] != nil {
			return errs[i]
		}
		b.made[f.target] = results[i]
	}
	return nil
}

// evaluate computes the values of a field. Those of the fields that it depends on must have been
// computed.
func (b *batch) evaluate(f *field, names *parse.Names) (*made, error) {
	if m := b.asStored(f); m != nil {
		return m, nil
	}
	m := &made{}
	readers := make([]reader, len(f.ways))
	for k := range readers {
		readers[k] = b.reader(f, &f.ways[k], m)
		readers[k].names = names
	}
	if f.isFloat() {
		m.floats = make([]float64, b.rows.Rows)
	} else {
		m.ints = make([]int64, b.rows.Rows)
	}
	for i := range b.rows.Rows {
		for k := range readers {
			r, known, want := &readers[k], false, ""
			if m.floats != nil {
				m.floats[i], want = r.number(i)
				known = m.floats[i] == m.floats[i]
			} else {
				m.ints[i], want = r.integer(i)
				known = m.ints[i] != workload.Unknown
			}
			if want != "" {
				return nil, b.rows.Fault(i, r.name(), r.saw(i), want)
			}
			if known {
				break
			}
		}
	}
	return m, nil
}

// asStored returns the values of a column that has the same form in the file and in the job table,
// or nil. This holds for most columns of files that this program wrote. The values are shared and
// must not be modified.
func (b *batch) asStored(f *field) *made {
	w := &f.ways[0]
	isPlain := w.form == asNumber && (!f.isMoment() || b.mapping.written) || w.form == asStatus && w.statuses == nil
	if !isPlain || len(f.ways) > 1 || w.at.column < 0 || w.with != nil || w.scale != 1 || w.none != nil || w.match != nil || w.sum != nil || w.distinct != nil {
		return nil
	}
	switch v := &b.rows.Columns[w.at.column]; {
	case f.isFloat() && v.Number != nil:
		return &made{floats: v.Number}
	case !f.isFloat() && v.Whole != nil:
		return &made{ints: v.Whole}
	}
	return nil
}

// reader reads the values that one way gives in one batch.
type reader struct {
	*way
	target target
	b      *batch
	m      *made // for warnings
	names  *parse.Names
	codes  map[string]int64 // of the statuses read so far
	clock  parse.Clock
	kind   workload.TableKind // of the column
	// isNumeric means that texts of digits are whole numbers.
	isNumeric bool
	start     float64 // the log's second 0, in the way's unit
}

func (b *batch) reader(f *field, w *way, m *made) reader {
	r := reader{way: w, target: f.target, b: b, m: m, codes: map[string]int64{}, clock: parse.Clock{Zone: b.zone}, start: w.scale.in(float64(b.start))}
	r.isNumeric = w.form == asNumber
	if w.at.column >= 0 {
		r.kind = b.columns[w.at.column].Kind
	}
	return r
}

// name returns the name of the reader's column for messages.
func (r *reader) name() string {
	if at := r.at.column; at >= 0 && r.b.columns[at].Name != r.target.String() {
		return fmt.Sprintf("%s (%s)", r.b.columns[at].Name, r.target)
	}
	return r.target.String()
}

// saw returns the value in row i for messages.
func (r *reader) saw(i int) string {
	if r.at.column < 0 {
		return "a value"
	}
	return workload.Shorten([]byte(textOf(&r.b.rows.Columns[r.at.column], i)))
}

// cell is a value of the file: a text, a whole number or another number.
type cell struct {
	text   string
	whole  int64
	number float64
	kind   cellKind
}

type cellKind uint8

const (
	isUnknown cellKind = iota
	isText
	isWhole
	isNumber
)

// value returns the value in row i.
func (r *reader) value(i int) cell {
	if r.at.column < 0 {
		return r.numeric(r.operand(r.at, i))
	}
	values := &r.b.rows.Columns[r.at.column]
	patterns := r.match != nil || r.sum != nil || r.distinct != nil
	switch {
	case values.Whole != nil && !patterns:
		return r.wholeCell(values.Whole[i])
	case values.Number != nil && !patterns:
		return r.numeric(values.Number[i])
	}
	text := textOf(values, i)
	if r.isNumeric && !patterns {
		if n, ok := parse.PlainWhole([]byte(text)); ok { // the usual case
			return r.wholeCell(n)
		}
	}
	if text == "" || r.form != asName && parse.NoValue([]byte(text)) || r.Unknown != nil && r.standsForUnknown(text) {
		return cell{}
	}
	if r.match != nil {
		parts := r.match.FindStringSubmatch(text)
		if parts == nil {
			return cell{}
		}
		if text = parts[min(1, len(parts)-1)]; text == "" {
			return cell{}
		}
	}
	switch {
	case r.sum != nil:
		return r.numeric(sumOf(r.sum, text))
	case r.distinct != nil:
		found := map[string]bool{}
		for _, parts := range r.distinct.FindAllStringSubmatch(text, -1) {
			found[parts[min(1, len(parts)-1)]] = true
		}
		return r.numeric(float64(len(found)))
	case r.Comma:
		text = strings.Replace(text, ",", ".", 1)
	}
	return cell{text: text, kind: isText}
}

// wholeCell returns the cell of a whole number, which may stand for unknown.
func (r *reader) wholeCell(n int64) cell {
	if n == workload.Unknown || slices.Contains(r.none, float64(n)) {
		return cell{}
	}
	return cell{whole: n, kind: isWhole}
}

// numeric returns the cell of a number, which may stand for unknown.
func (r *reader) numeric(x float64) cell {
	if x != x || slices.Contains(r.none, x) {
		return cell{}
	}
	return cell{number: x, kind: isNumber}
}

func (r *reader) standsForUnknown(text string) bool {
	if slices.Contains(r.Unknown, text) {
		return true
	}
	x, want := parse.Number([]byte(text))
	return want == "" && slices.Contains(r.none, x)
}

// operand returns the value of an operand in row i; NaN if it is unknown.
func (r *reader) operand(o operand, i int) float64 {
	switch {
	case o.field != nil:
		return r.b.made[o.field.target].number(i)
	case o.column < 0:
		return o.number
	}
	text := textOf(&r.b.rows.Columns[o.column], i)
	if x, want := parse.Number([]byte(text)); want == "" && !slices.Contains(r.none, x) {
		return x
	}
	return math.NaN()
}

// named returns the number of the name in row i.
func (r *reader) named(i int) (n int64, want string) {
	text := r.value(i).asText()
	if text == "" {
		return workload.Unknown, ""
	}
	col := int(r.target)
	if n, ok := r.names.Find(col, text); ok {
		return n, ""
	}
	if len(text) > parse.MaxText {
		return 0, fmt.Sprintf("a name of at most %d bytes", parse.MaxText)
	}
	if want := parse.CheckText([]byte(text)); want != "" {
		return 0, want
	}
	n, known := r.names.NumberOf(col, []byte(text))
	if !known {
		r.names.LeftOut(col, r.b.rows.At(i))
	}
	return n, ""
}

// asText returns a cell as text; "" if it is unknown.
func (c cell) asText() string {
	switch c.kind {
	case isWhole:
		return strconv.FormatInt(c.whole, 10)
	case isNumber:
		return parse.FormatNumber(c.number)
	}
	return c.text
}

// textOf returns value i as text; "" if it is unknown.
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
