package mapping

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sumOf returns the sum, over all matches, of the products of their groups. An empty group counts
// as 1, and a range such as 4-7 as the number of integers in it. The sum is NaN if a group is not a
// number.
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

// number computes the number in row i, in the job table's unit; NaN if it is unknown. want is "" or
// describes a valid value.
func (r *reader) number(i int) (x float64, want string) {
	c := r.value(i)
	switch {
	case c.kind == isUnknown:
		return math.NaN(), ""
	case c.kind == isText:
		x, want = r.ofText(c.text, i)
	case c.kind == isWhole:
		if x = r.ofNumber(float64(c.whole), i); c.whole == math.MaxInt64 || c.whole != int64(float64(c.whole)) {
			r.warn("no-exact-number", "whole numbers beyond 2^53 that would be rounded: unknown", i)
			x = math.NaN()
		}
	case r.at.field != nil:
		x = c.number
	default:
		x = r.ofNumber(c.number, i)
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

// ofNumber converts a number to the job table's unit.
func (r *reader) ofNumber(x float64, i int) float64 {
	switch {
	case r.kind.IsTime() && r.target.isMoment():
		if seconds := math.Floor(x); r.kind == workload.TableLocalTime && math.Abs(x) < maxZonedTime {
			x = float64(r.instant(int64(seconds), i)) + (x - seconds)
		}
		return microseconds(x - float64(r.b.start))
	case r.target.isMoment():
		return r.scale.of(x - r.start) // exact for whole numbers of units up to 2^53
	}
	return r.scale.of(x)
}

// maxZonedTime is the largest distance from 1970, in seconds, of a time that a time zone applies
// to: about 30,000 years.
const maxZonedTime = 1e12

// microseconds rounds a difference of times to a whole number of microseconds, the finest
// resolution of times. Differences of 1e9 s or more are not rounded.
func microseconds(x float64) float64 {
	if !(math.Abs(x) < 1e9) {
		return x
	}
	return math.Round(x*1e6) / 1e6
}

// dayOrMonth matches dates as spreadsheets write them, such as 01.02.2024 and 2/13/2024.
var dayOrMonth = regexp.MustCompile(`^[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}\b`)

// ofText reads a number, a duration, an amount of memory or a moment, in the job table's unit.
func (r *reader) ofText(text string, i int) (x float64, want string) {
	isTime := r.target.unit() == "s" && !r.target.isMoment()
	switch {
	case r.form == asDate:
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
		return r.ofNumber(x, i), ""
	case r.lenient:
		r.textAmongNumbers(i)
		return math.NaN(), ""
	case isTime:
		return 0, "seconds, or a time such as 1-02:03:04"
	case r.target.unit() == "KB":
		return 0, "an amount of memory such as 16G"
	case !r.target.isMoment():
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

// memory splits an amount such as 16G, 16gb or 100kw into its number and its unit in KB, which is 0
// without a unit. w stands for words of 8 bytes.
func memory(text string) (number string, kb float64) {
	size := 1.0
	if last := len(text) - 1; last > 0 && parse.MemoryUnit(text[last-1]) > 0 {
		switch text[last] | 0x20 {
		case 'w':
			size = 8
			fallthrough
		case 'b':
			text = text[:last]
		}
	}
	amount, kb := parse.MemorySuffix([]byte(text))
	return string(amount), kb * size
}

// textAmongNumbers warns of a text in a column of numbers.
func (r *reader) textAmongNumbers(i int) {
	words := parse.FieldWords(int(r.target))
	r.warn("text-"+strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("values of %s that are not numbers: left unknown", words), i)
}

// stamp reads a date and time, in seconds from the log's start.
func (r *reader) stamp(text string, i int) (float64, string) {
	seconds, fraction, local, want := parse.Stamp([]byte(text))
	if want != "" {
		return 0, want
	}
	if local {
		seconds = r.instant(seconds, i)
	}
	return float64(seconds-r.b.start) + fraction, ""
}

// instant returns the seconds since 1970 at which the zone's clock shows a local time; if it shows
// the time twice, the first of the two.
func (r *reader) instant(local int64, i int) int64 {
	first, last, missed := r.clock.Instants(local)
	switch {
	case missed:
		r.warn("skipped-time", "local times that were skipped by a clock change: the time zone is wrong", i)
	case first != last:
		r.warn("repeated-hour", "times in the repeated hour of a clock change: read as the first of the two", i)
	}
	return first
}

// integer computes the whole number in row i: a count, the number of a job or of a name, or a
// status.
func (r *reader) integer(i int) (n int64, want string) {
	switch r.form {
	case asRow:
		return r.b.before + int64(i) + 1, ""
	case asName:
		return r.named(i)
	case asStatus:
		return r.status(i)
	}
	c := r.value(i)
	switch exact := len(r.with) == 0 && r.scale == 1; {
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

// rounded rounds x as Entry.Round states, and warns of values that are not whole numbers. Without
// Round they are unknown.
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
