package swf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// noZero has a bit for each field in which 0 is odd: sizes, the estimate,
// and the run time, where it stands for less than half a second.
const noZero uint32 = 1<<workload.ColRunTime | 1<<workload.ColAllocatedProcessors | 1<<workload.ColRequestedProcessors | 1<<workload.ColRequestedTime

// isFloat reports of each field whether it is a float64, and unknown has the bits of what is
// unknown in it; field f, counted from 0, is column f of the job table.
var isFloat, unknown = func() (isFloat [parse.Fields]bool, unknown [parse.Fields]uint64) {
	for f := range isFloat {
		isFloat[f], unknown[f] = workload.ColumnAt(f).Float(), workload.UnknownBits(f)
	}
	return isFloat, unknown
}()

// chunk is what became of a chunk of text.
type chunk struct {
	jobs  *workload.Batch
	lines int64
	gaps  []workload.LineGap
	odd   oddities

	// All values lie in one piece of memory, column after column, as the bits of a float64 or
	// an int64.
	values  []uint64
	stride  int // rows that a column has room for
	row     int // jobs finished
	unknown [parse.Fields]int
}

func newChunk(rows int) *chunk {
	return &chunk{stride: rows, values: make([]uint64, rows*parse.Fields)}
}

// finish makes a batch of the values.
func (c *chunk) finish() {
	c.jobs = &workload.Batch{Rows: c.row}
	for f := range parse.Fields {
		if c.unknown[f] < c.row {
			c.jobs.SetBits(f, c.values[f*c.stride:][:c.row:c.row])
		}
	}
	c.values = nil
}

// gap notes a line without a job before the row.
func (c *chunk) gap(row int) {
	if n := len(c.gaps); n > 0 && c.gaps[n-1].Row == row {
		c.gaps[n-1].Lines++
	} else {
		c.gaps = append(c.gaps, workload.LineGap{Row: row, Lines: 1})
	}
}

// lineOf is the line, from 1, of a row within the chunk.
func (c *chunk) lineOf(row int) int64 {
	line := row + 1
	for _, g := range c.gaps {
		if g.Row > row {
			break
		}
		line += g.Lines
	}
	return int64(line)
}

// The rules under which the reader of the standard workload format counts what
// is odd. The first two groups have a rule a field.
const (
	ruleNegative = 0
	ruleZero     = parse.Fields
	ruleExtra    = 2 * parse.Fields
	ruleLate     = ruleExtra + 1
	rules        = ruleExtra + 2
)

// oddities counts oddities in one chunk. It is Warnings without the search
// for the rule, for logs where half of the lines are odd.
type oddities struct {
	counts [rules]int64
	order  []int // rules in the order met
	first  [rules]struct {
		line int64
		saw  string
	}
}

// count counts one and says whether it is the first of its rule, whose line
// and text the caller then gives to note.
func (w *oddities) count(rule int) bool {
	w.counts[rule]++
	return w.counts[rule] == 1
}

// note keeps the line and the text of the first of a rule.
func (w *oddities) note(rule int, line int64, saw string) {
	w.order = append(w.order, rule)
	w.first[rule].line, w.first[rule].saw = line, saw
}

// add counts a negative or zero value of a field.
func (w *oddities) add(field int, n, line int64, text []byte) {
	rule := ruleNegative + field
	if n == 0 {
		rule = ruleZero + field
	}
	if w.count(rule) {
		w.note(rule, line, string(bytes.TrimSpace(text)))
	}
}

// moveTo adds the counts to those of the whole log; before is the number of
// lines before this chunk.
func (w *oddities) moveTo(all *workload.Warnings, before int64) {
	for _, rule := range w.order {
		name, text := ruleText(rule)
		all.Count(workload.Warning{Rule: name, Text: text, Count: w.counts[rule], Line: before + w.first[rule].line, Saw: w.first[rule].saw})
	}
}

func ruleText(rule int) (name, text string) {
	switch {
	case rule == ruleExtra:
		return "extra-fields", "lines with more than 18 fields: the others are left out"
	case rule == ruleLate:
		return "late-comment", "comment lines after the first job: left out"
	case rule >= ruleZero:
		words := parse.FieldWords(rule - ruleZero)
		return "zero-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a %s of 0: kept", words)
	}
	words := parse.FieldWords(rule)
	return "negative-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a negative %s (-1 is unknown, others are not): kept", words)
}
