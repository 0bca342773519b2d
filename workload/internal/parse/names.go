package parse

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Fields is the number of fields of the standard workload format, the first columns of the job
// table.
const Fields = 18

const (
	// MaxText is the maximum length of a text, in bytes: it is a name, not a document.
	MaxText = 64 << 10
	// ManyYears distinguishes submissions counted from 1970 from those counted from the log's
	// start, in formats that have both: no log begins ten years before its first job.
	ManyYears = 10 * 365 * 86400 // s
	// MaxUnix is the end of the year 9999.
	MaxUnix = 253402300799 // s
)

const (
	// maxNameBytes bounds the names that a log keeps, measured as the lines that they will
	// become in the header: all must fit in one header.
	maxNameBytes = MaxHeader / 4 * 3
	// NameLineBytes is the size of a name's line in addition to its text.
	NameLineBytes = 40
)

// Names holds the names of a log, in bounded memory.
type Names struct {
	workload.Names
	// Apart gives each column its own part of the room, so that columns may be filled at the
	// same time with the same result every time.
	Apart bool
	bytes [workload.NumColumns]int
	left  [workload.NumColumns]workload.Warning
}

// NumberOf returns the number of a text. If there is no room for a new text, it returns Unknown
// and known is false.
func (n *Names) NumberOf(col int, text []byte) (id int64, known bool) {
	if len(text) == 0 {
		return workload.Unknown, true
	}
	if id, ok := n.Find(col, string(text)); ok {
		return id, true
	}
	most := maxNameBytes
	used := n.bytes[col]
	if n.Apart {
		most /= len(workload.NamedColumns())
	} else {
		for _, c := range workload.NamedColumns() {
			if c != col {
				used += n.bytes[c]
			}
		}
	}
	if used+len(text)+NameLineBytes > most {
		return workload.Unknown, false
	}
	n.bytes[col] += len(text) + NameLineBytes
	return n.Number(col, string(text)), true
}

// LeftOut counts a value that has no number for lack of room.
func (n *Names) LeftOut(col int, line int64) {
	if n.left[col].Count++; n.left[col].Count == 1 {
		n.left[col].Line = line
	}
}

// Warn adds a warning for each column with values that have no number.
func (n *Names) Warn(w *workload.Warnings) {
	for col, left := range n.left {
		if left.Count > 0 {
			left.Rule = "many-names-" + workload.ColumnAt(col).Name
			left.Text = "values of " + workload.ColumnAt(col).Name + " left unknown: there are more different names than a header can hold"
			w.Count(left)
		}
	}
}

// CheckText returns what is expected in place of a name's text that is invalid, or "".
func CheckText(text []byte) (want string) {
	if !utf8.Valid(text) {
		return "UTF-8 text"
	}
	return ""
}

// Extension returns the extension of a file's name, in lower case, ignoring that of a
// compression.
func Extension(name string) string {
	name = strings.ToLower(name)
	for _, pack := range []string{".gz", ".zst", ".bz2", ".xz"} {
		name = strings.TrimSuffix(name, pack)
	}
	return filepath.Ext(name)
}

// FieldWords returns the name of a column for messages, without its unit: "run time" for
// run_time_s.
func FieldWords(col int) string {
	name := workload.ColumnAt(col).Name
	for _, unit := range []string{"_s", "_kb"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// CountLow adds warnings for the values of a column that are below 0 and, if zeros is set, for
// those that are 0. The values are kept. line returns the line, or row, of each row.
func CountLow[T int64 | float64](w *workload.Warnings, col int, values []T, zeros bool, line func(row int) int64) {
	words := FieldWords(col)
	rule := strings.ReplaceAll(words, " ", "-")
	negative := workload.Warning{Rule: "negative-" + rule, Text: fmt.Sprintf("jobs with a negative %s: kept", words)}
	zero := workload.Warning{Rule: "zero-" + rule, Text: fmt.Sprintf("jobs with a %s of 0: kept", words)}
	unknown := T(workload.Unknown)
	for row, x := range values {
		if !(x <= 0) || x == unknown || x == 0 && !zeros {
			continue
		}
		odd := &negative
		if x == 0 {
			odd = &zero
		}
		if odd.Count++; odd.Count == 1 {
			odd.Line, odd.Saw = line(row), FormatNumber(float64(x))
		}
	}
	for _, odd := range []workload.Warning{negative, zero} {
		if odd.Count > 0 {
			w.Count(odd)
		}
	}
}

// SubmitOrder counts the jobs of a log that were submitted before the previous job, as far as
// both times are known.
type SubmitOrder struct {
	last  float64
	begun bool
}

// Count adds a warning for the next batch; line returns the line, or row, of each of its rows.
func (o *SubmitOrder) Count(b *workload.Batch, w *workload.Warnings, line func(row int) int64) {
	if !o.begun {
		o.begun, o.last = true, math.Inf(-1)
	}
	odd := workload.Warning{Rule: "submit-order", Text: "jobs submitted before the previous one: kept in their place"}
	for i, submit := range b.Floats[workload.ColSubmitTime] {
		if submit < o.last {
			if odd.Count++; odd.Count == 1 {
				odd.Line, odd.Saw = line(i), FormatNumber(submit)+" s after "+FormatNumber(o.last)+" s"
			}
		}
		if !math.IsNaN(submit) {
			o.last = submit
		}
	}
	if odd.Count > 0 {
		w.Count(odd)
	}
}
