package mapping

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// batch is some rows on their way to the job table.
type batch struct {
	*plan
	rows   *workload.TableRows
	before int64 // jobs before them
	made   [targets]*made
}

// made are the values of one field in one batch, in the table's units: floats or ints, as the
// target is. NaN and Unknown are unknown.
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

// all computes the fields: at first those that need no other, several at a time.
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

// evaluate computes the values of a field. Those that it needs are made.
func (b *batch) evaluate(f *field, names *parse.Names) (*made, error) {
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
			if f.isFloat() {
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
	b.countNegative(f.target, m)
	return m, nil
}

// countNegative counts values below 0 where there should be none.
func (b *batch) countNegative(t target, m *made) {
	c := t.column()
	if c == nil || m.ints != nil && c.Use != workload.Amount {
		return
	}
	words := parse.FieldWords(int(t))
	for i := range b.rows.Rows {
		if m.floats != nil && m.floats[i] < 0 || m.ints != nil && m.ints[i] < 0 && m.ints[i] != workload.Unknown {
			m.warnings.Add("negative-"+strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a negative %s: kept", words), b.rows.At(i), parse.FormatNumber(m.number(i)))
		}
	}
}

// reader reads the values that one way gives in one batch.
type reader struct {
	*way
	target target
	b      *batch
	m      *made // for warnings
	names  *parse.Names
	codes  map[string]int64 // of statuses met
	clock  parse.Clock
	typed  bool // numbers are seconds since 1970
	// isNumeric reports that texts of digits are whole numbers.
	isNumeric bool
	start     float64 // of the log, in the way's unit
}

func (b *batch) reader(f *field, w *way, m *made) reader {
	r := reader{way: w, target: f.target, b: b, m: m, codes: map[string]int64{}, clock: parse.Clock{Zone: b.zone}, start: float64(b.start) * w.scale.per / w.scale.times}
	r.isNumeric = w.form == formNumber || w.form == formUnix || w.form == formRelative
	r.typed = w.at.column >= 0 && b.columns[w.at.column].Kind == workload.TableTime
	return r
}

// name is what messages call what is read.
func (r *reader) name() string {
	if at := r.at.column; at >= 0 && r.b.columns[at].Name != r.target.String() {
		return fmt.Sprintf("%s (%s)", r.b.columns[at].Name, r.target)
	}
	return r.target.String()
}

// saw is a value for messages.
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

// value returns what a row has.
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
		if n, ok := parse.PlainWhole([]byte(text)); ok { // most are
			return r.wholeCell(n)
		}
	}
	if text == "" || r.form != formName && parse.NoValue([]byte(text)) || r.Unknown != nil && r.standsForUnknown(text) {
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

// sumOf adds up the products of the groups of all matches: a group that is empty counts 1, and
// one such as 4-7 what is in that range.
func sumOf(pattern *regexp.Regexp, text string) (sum float64) {
	for _, parts := range pattern.FindAllStringSubmatch(text, -1) {
		product := 1.0
		for _, part := range parts[1:] {
			if part == "" {
				continue
			}
			first, last, isRange := strings.Cut(part, "-")
			x, want := parse.Number([]byte(first))
			if isRange && want == "" {
				from := x
				x, want = parse.Number([]byte(last))
				x = x - from + 1
			}
			if want != "" {
				return math.NaN()
			}
			product *= x
		}
		sum += product
	}
	return sum
}

func (r *reader) standsForUnknown(text string) bool {
	if slices.Contains(r.Unknown, text) {
		return true
	}
	x, want := parse.Number([]byte(text))
	return want == "" && slices.Contains(r.none, x)
}

// operand is a number of another field, a column or the mapping; NaN if it is unknown.
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

// number computes a number, in the table's units; NaN if it is unknown.
func (r *reader) number(i int) (x float64, want string) {
	c := r.value(i)
	switch {
	case c.kind == isUnknown:
		return math.NaN(), ""
	case c.kind == isText:
		x, want = r.ofText(c.text, i)
	case c.kind == isWhole:
		if x = r.ofNumber(float64(c.whole)); c.whole == math.MaxInt64 || c.whole != int64(float64(c.whole)) {
			r.warn("no-exact-number", "whole numbers beyond 2^53 that would be rounded: unknown", i)
			x = math.NaN()
		}
	case r.at.field != nil:
		x = c.number
	default:
		x = r.ofNumber(c.number)
	}
	if want != "" {
		return 0, want
	}
	for _, step := range r.with {
		y := r.operand(step.operand, i)
		if step.inUnit && step.field == nil {
			y = r.scale.of(y)
		}
		switch step.operator {
		case "plus":
			x += y
		case "minus":
			if x -= y; step.field != nil && step.field.isMoment() {
				x = microseconds(x)
			}
		case "times":
			x *= y
		case "over":
			if x == x && !(y != 0 && y == y) {
				name := r.target.String()
				r.m.warnings.Add("no-divisor-"+name, fmt.Sprintf("values of %s left unknown: they are divided by 0 or by an unknown number", name), r.b.rows.At(i), parse.FormatNumber(x))
				y = math.NaN()
			}
			x /= y
		}
	}
	if math.IsInf(x, 0) {
		return 0, workload.WantFinite
	}
	return x, ""
}

func (r *reader) warn(rule, text string, i int) {
	r.m.warnings.Add(rule, text, r.b.rows.At(i), r.saw(i))
}

// ofNumber converts a number to the table's unit.
func (r *reader) ofNumber(x float64) float64 {
	switch {
	case r.typed && r.target.isMoment():
		return microseconds(x - float64(r.b.start))
	case r.form == formUnix:
		return r.scale.of(x - r.start) // exact for whole numbers of units up to 2^53
	}
	return r.scale.of(x)
}

// microseconds rounds a difference of times, which are of microseconds at the finest.
func microseconds(x float64) float64 {
	if !(math.Abs(x) < 1e9) {
		return x
	}
	return math.Round(x*1e6) / 1e6
}

// dayOrMonth finds dates as spreadsheets write them, such as 01.02.2024 and 2/13/2024.
var dayOrMonth = regexp.MustCompile(`^[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}\b`)

// ofText reads a number, a length of time, an amount of memory or a moment.
func (r *reader) ofText(text string, i int) (x float64, want string) {
	isTime := r.target.unit() == "s" && !r.target.isMoment()
	switch {
	case r.form == formTimestamp:
		return r.stamp(text, i)
	case isTime && strings.IndexByte(text, ':') >= 0:
		return parse.Elapsed([]byte(text))
	}
	amount, kb := text, 0.0
	if r.target.unit() == "KB" {
		amount, kb = memory(text)
	}
	x, want = parse.Number([]byte(amount))
	switch {
	case want == "" && math.IsInf(x, 0), want != "" && parse.Infinite([]byte(text)):
		return 0, workload.WantFinite
	case want == "" && kb != 0:
		return x * kb, ""
	case want == "":
		return r.ofNumber(x), ""
	case r.lenient:
		r.textAmongNumbers(i)
		return math.NaN(), ""
	case isTime:
		return 0, "seconds, or a time such as 1-02:03:04"
	case r.target.unit() == "KB":
		return 0, "an amount of memory such as 16G"
	case !r.either:
		return 0, want
	}
	if _, _, _, bad := parse.Stamp([]byte(text)); bad == "" {
		return 0, "seconds, as in the first times of the file"
	}
	if dayOrMonth.MatchString(text) {
		return 0, "a time such as 2024-05-31 14:30:00, since the order of day and month is not clear: write the column as yyyy-mm-dd hh:mm:ss"
	}
	return 0, "seconds, or a time such as 2024-05-31 14:30:00"
}

// memory takes the unit off an amount such as 16G, 16gb or 100kw, which counts words of 8 bytes.
func memory(text string) (number string, kb float64) {
	unit, words := text, 1.0
	if short := text[:max(len(text)-1, 0)]; len(short) > 0 && strings.ContainsAny(text[len(short):], "bBwW") && strings.ContainsAny(short[len(short)-1:], "kKmMgGtTpP") {
		if unit = short; strings.ContainsAny(text[len(short):], "wW") {
			words = 8
		}
	}
	amount, kb := parse.MemorySuffix([]byte(unit))
	return string(amount), kb * words
}

// textAmongNumbers counts a value that is no number.
func (r *reader) textAmongNumbers(i int) {
	words := parse.FieldWords(int(r.target))
	r.warn("text-"+strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("texts in the column of %s, which holds numbers: left unknown", words), i)
}

// stamp reads a date and time, in seconds from the log's start.
func (r *reader) stamp(text string, i int) (float64, string) {
	seconds, fraction, local, want := parse.Stamp([]byte(text))
	if want != "" {
		return 0, want
	}
	if local {
		first, last, missed := r.clock.Instants(seconds)
		switch seconds = first; {
		case missed:
			r.warn("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", i)
		case first != last:
			r.warn("repeated-hour", "times in the repeated hour of a clock change: read as the first of the two", i)
		}
	}
	return float64(seconds-r.b.start) + fraction, ""
}

// integer computes a whole number: a count, the number of a job or of a name, or a status.
func (r *reader) integer(i int) (n int64, want string) {
	switch r.form {
	case formRow:
		return r.b.before + int64(i) + 1, ""
	case formName:
		return r.named(i)
	case formStatus:
		return r.status(i)
	}
	c := r.value(i)
	switch exact := len(r.with) == 0 && r.scale == (scale{1, 1}); {
	case c.kind == isUnknown:
		return workload.Unknown, ""
	case exact && c.kind == isWhole:
		return c.whole, ""
	case exact && c.kind == isText:
		n, want = parse.Whole([]byte(c.text))
		switch {
		case want == "":
			return n, ""
		case parse.Infinite([]byte(c.text)):
			return 0, workload.WantFinite
		case want == "a whole number" && r.lenient:
			r.textAmongNumbers(i)
			return workload.Unknown, ""
		case want != "a whole number, not a fraction":
			return 0, want
		}
	}
	x, want := r.number(i)
	if want != "" {
		return 0, want
	}
	return r.rounded(x, i)
}

// rounded makes a whole number and counts those that were not whole.
func (r *reader) rounded(x float64, i int) (int64, string) {
	whole, name := x, r.target.String()
	switch r.Round {
	case "up":
		whole = math.Ceil(x)
	case "down":
		whole = math.Floor(x)
	case "nearest":
		whole = math.Round(x)
	}
	if x == x && x != math.Trunc(x) {
		rule, text := "fraction-"+name, fmt.Sprintf("values of %s that are not whole numbers: left unknown", name)
		if r.Round != "" {
			rule, text = "rounded-"+name, fmt.Sprintf("values of %s that are not whole numbers: rounded (%s)", name, r.Round)
		}
		r.m.warnings.Add(rule, text, r.b.rows.At(i), parse.FormatNumber(x))
	}
	switch {
	case whole != math.Trunc(whole) || whole != whole:
		return workload.Unknown, ""
	case math.Abs(whole) >= 1<<63:
		return 0, "a whole number of at most 9.2e18"
	}
	return int64(whole), ""
}

// named returns the number of a name.
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

// status returns the code of a word.
func (r *reader) status(i int) (code int64, want string) {
	text := r.value(i).asText()
	if text == "" {
		return workload.Unknown, ""
	}
	code, ok := r.codes[text]
	if ok {
		return code, ""
	}
	if r.statuses == nil && parse.Infinite([]byte(text)) {
		return 0, workload.WantFinite
	}
	if code, ok = r.statusOf(text); !ok {
		r.warn("unknown-status", "unknown words for a status: the status is left unknown", i)
		return workload.Unknown, ""
	}
	r.codes[strings.Clone(text)] = code
	return code, ""
}

// statusOf returns the meaning of a word in the mapping; where it lists none, that of a word of a
// scheduler, or of a number of SWF.
func (r *reader) statusOf(text string) (int64, bool) {
	if r.statuses != nil {
		if code, ok := r.statuses[text]; ok {
			return code, true
		}
		code, ok := r.statuses["*"]
		return code, ok
	}
	if code, ok := statusWord([]byte(text)); ok {
		return code, true
	}
	code, want := parse.Whole([]byte(text))
	return code, want == ""
}

// statusWord is the status code of a state as schedulers name it: of all the
// ways to end early, only a cancellation has a code of its own.
func statusWord(v []byte) (int64, bool) {
	if i := bytes.IndexAny(v, " +"); i >= 0 {
		v = v[:i] // "CANCELLED by 1000"
	}
	switch strings.ToUpper(string(v)) {
	case "COMPLETED", "COMPLETE", "COMPLETING", "CD", "DONE", "FINISHED", "SUCCESS", "SUCCEEDED", "OK":
		return workload.StatusCompleted, true
	case "CANCELLED", "CANCELED", "CA", "KILLED", "DELETED", "ABORTED":
		return workload.StatusCancelled, true
	case "FAILED", "FAILURE", "FAIL", "F", "ERROR", "TIMEOUT", "TO", "OUT_OF_MEMORY", "OOM", "NODE_FAIL", "NF", "BOOT_FAIL", "BF", "DEADLINE", "DL", "PREEMPTED", "PR", "REVOKED", "EXIT", "EXITED":
		return workload.StatusFailed, true
	}
	return 0, false
}

// asText is a cell as a text; "" where it is unknown.
func (c cell) asText() string {
	switch c.kind {
	case isWhole:
		return strconv.FormatInt(c.whole, 10)
	case isNumber:
		return parse.FormatNumber(c.number)
	}
	return c.text
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
