package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

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
	odd := workload.Warning{Rule: "unknown-status", Text: "unknown words for a status: the status is left unknown"}
	for i := range m.ints {
		text := textOf(values, i)
		code, ok := met[text]
		if !ok && f.values == nil && parse.Infinite([]byte(text)) {
			return b.rows.Fault(i, b.name(f, 0), b.saw(values, i), workload.WantFinite)
		}
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
		if code, want := parse.Whole([]byte(text)); want == "" {
			return code, true
		}
		if parse.NoValue([]byte(text)) {
			return workload.Unknown, true
		}
		return workload.Unknown, false
	}
	code, ok := e.values[text]
	if !ok {
		code = workload.Unknown
	}
	return code, ok
}
