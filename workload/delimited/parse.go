package delimited

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvPlan says how the fields of a CSV file become columns. It is not altered
// while chunks are read.
type csvPlan struct {
	file      string
	names     []string // of the file's columns
	separator byte
	fields    []csvField
	times     csvTimes
}

// reads says whether a column of the table stands in the file.
func (p *csvPlan) reads(target int) bool {
	return slices.ContainsFunc(p.fields, func(f csvField) bool { return f.target == target })
}

// csvBatch is what became of one chunk of text.
type csvBatch struct {
	rows   int
	lines  int64
	gaps   []workload.LineGap
	floats [csvTargets][]float64
	ints   [csvTargets][]int64 // csvText: numbers of local, from 1
	local  [workload.NumColumns]*parse.Texts
	odds   []csvOdd
}

// csvOdd counts the odd values of one field under one rule; line counts from
// the chunk's start.
type csvOdd struct {
	field *csvField
	rule  csvRule
	count int64
	line  int64
	saw   string
}

type csvRule int

const (
	csvNegative csvRule = iota + 1
	csvSkipped
	csvRepeated
	csvFraction
	csvNoNumber
	csvNoStatus
)

func (o *csvOdd) warning() workload.Warning {
	words := csvWords(o.field.target)
	dashed := strings.ReplaceAll(words, " ", "-")
	w := workload.Warning{Count: o.count, Line: o.line, Saw: o.saw}
	switch o.rule {
	case csvNegative:
		w.Rule, w.Text = "negative-"+dashed, fmt.Sprintf("jobs with a negative %s: kept", words)
	case csvSkipped:
		w.Rule, w.Text = "skipped-time", "local times that the clock leapt over: the time zone is wrong"
	case csvRepeated:
		w.Rule, w.Text = "repeated-hour", "times in the hour that the clock went over twice: the first of both"
	case csvFraction:
		w.Rule, w.Text = "fraction-"+dashed, fmt.Sprintf("values of %s that are not whole numbers: left unknown", words)
	case csvNoNumber:
		w.Rule, w.Text = "text-"+dashed, fmt.Sprintf("texts in the column of %s, which holds numbers: left unknown", words)
	default:
		w.Rule, w.Text = "unknown-status", "unknown words for a status: the status is left unknown"
	}
	return w
}

func csvWords(target int) string {
	if target < workload.NumColumns {
		return parse.FieldWords(target)
	}
	return strings.ReplaceAll(shortName(csvTargetName(target)), "_", " ")
}

func (b *csvBatch) odd(f *csvField, rule csvRule, line int64, saw []byte) {
	for i := range b.odds {
		if o := &b.odds[i]; o.field == f && o.rule == rule {
			o.count++
			return
		}
	}
	b.odds = append(b.odds, csvOdd{f, rule, 1, line, workload.Shorten(saw)})
}

// parse decodes a chunk of whole records. The line of an error counts from the
// chunk's start.
func (p *csvPlan) parse(text []byte) (*csvBatch, error) {
	b := &csvBatch{}
	most := parse.MostJobs(text, len(p.names))
	for i := range p.fields {
		f := &p.fields[i]
		switch f.kind {
		case csvSeconds, csvNumber, csvPoint:
			b.floats[f.target] = make([]float64, 0, most)
		case csvText:
			b.local[f.target] = &parse.Texts{}
			fallthrough
		default:
			b.ints[f.target] = make([]int64, 0, most)
		}
	}
	r := newCSVRecords(text, p.separator)
	clock := &parse.Clock{Zone: p.times.zone}
	next := int64(1) // the line on which the next record begins if there is no gap
	for {
		ok, fault := r.next()
		if fault != nil {
			return nil, &workload.InputError{File: p.file, Line: fault.line, Saw: fault.saw, Want: fault.want}
		}
		if !ok {
			break
		}
		if len(r.fields) != len(p.names) {
			return nil, &workload.InputError{File: p.file, Line: r.at, Saw: fmt.Sprintf("%d fields", len(r.fields)), Want: fmt.Sprintf("%d, as in the first line", len(p.names))}
		}
		if r.at != next {
			b.gaps = append(b.gaps, workload.LineGap{Row: b.rows, Lines: int(r.at - next)})
		}
		next = r.at + 1
		for i := range p.fields {
			f := &p.fields[i]
			v := r.fields[f.at]
			if n := len(v); n > 0 && (v[0] <= ' ' || v[n-1] <= ' ' || v[0] >= utf8.RuneSelf || v[n-1] >= utf8.RuneSelf) {
				v = bytes.TrimSpace(v)
			}
			if want := p.value(b, f, clock, v, r.at); want != "" {
				return nil, &workload.InputError{File: p.file, Line: r.at, Field: csvFieldName(f), Saw: workload.Shorten(v), Want: want}
			}
		}
		b.rows++
	}
	b.lines = r.line
	return b, nil
}

// csvFieldName is what messages call a field: its name in the file, and that
// of the table where it differs.
func csvFieldName(f *csvField) string {
	if table := csvTargetName(f.target); table != f.name {
		return fmt.Sprintf("%s (%s)", strings.Trim(workload.Shorten([]byte(f.name)), `"`), table)
	}
	return f.name
}

// value adds the value of a field to its column; want is not empty where the
// field makes none.
func (p *csvPlan) value(b *csvBatch, f *csvField, clock *parse.Clock, v []byte, line int64) (want string) {
	switch f.kind {
	case csvSeconds, csvNumber, csvPoint:
		x := math.NaN()
		if n, ok := parse.PlainWhole(v); ok && !(f.kind == csvPoint && p.times.stamps) {
			x = float64(n)
			if f.kind == csvPoint {
				x = float64(n - p.times.start)
			}
		} else if !parse.NoValue(v) {
			switch f.kind {
			case csvSeconds:
				x, want = parse.Elapsed(v)
			case csvPoint:
				var odd csvRule
				if x, odd, want = p.times.parsePoint(clock, v); odd != 0 {
					b.odd(f, odd, line, v)
				}
			default:
				x, want = parse.Number(v)
			}
			if want != "" {
				if f.kind != csvNumber || f.target < workload.FirstOptional || parse.Infinite(v) {
					return want
				}
				x = math.NaN()
				b.odd(f, csvNoNumber, line, v)
			}
			if x < 0 && f.target < workload.NumColumns {
				b.odd(f, csvNegative, line, v)
			}
		}
		b.floats[f.target] = append(b.floats[f.target], x)
		return ""
	}
	n := workload.Unknown
	whole, plain := parse.PlainWhole(v)
	switch {
	case plain && f.kind != csvText && f.kind != csvByRow:
		n = whole
	case f.kind == csvText:
		if len(v) == 0 {
			break
		}
		isNew := false
		if n, isNew = b.local[f.target].Number(v); !isNew {
			break
		}
		if len(v) > parse.MaxText {
			return fmt.Sprintf("a name of at most %d bytes", parse.MaxText)
		}
		if want := parse.CheckText(v); want != "" {
			return want
		}
	case parse.NoValue(v) || f.kind == csvByRow:
	default:
		whole, want := parse.Whole(v)
		if want != "" {
			var ok bool
			if parse.Infinite(v) {
				return workload.WantFinite
			}
			if whole, ok = b.otherWhole(f, v, line, want); !ok {
				return want
			}
		}
		n = whole
	}
	b.ints[f.target] = append(b.ints[f.target], n)
	return ""
}

// otherWhole is what stands for a text where a whole number is wanted; ok is
// false where it is an error.
func (b *csvBatch) otherWhole(f *csvField, v []byte, line int64, want string) (n int64, ok bool) {
	switch {
	case f.kind == csvStatus:
		if n, ok := parse.StatusWord(v); ok {
			return n, true
		}
		b.odd(f, csvNoStatus, line, v)
	case want == "a whole number, not a fraction":
		b.odd(f, csvFraction, line, v)
	case want == "a whole number" && (f.kind == csvID || f.target >= workload.FirstOptional):
		b.odd(f, csvNoNumber, line, v)
	default:
		return 0, false
	}
	return workload.Unknown, true
}
