package mapping

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// reader reads the numbers of one field.
type reader struct {
	*field
	plan  *plan
	clock parse.Clock
	late  bool    // the unit is applied to the expression's result
	typed bool    // numbers are seconds since 1970
	start float64 // of the log, in the field's unit
	odd   string  // rule of what is odd in the value read last, of clockOdds
}

// clockOdds are what is odd in local times, by their rules.
var clockOdds = map[string]string{
	"skipped-time":  "local times that were skipped by a clock change: the time zone is wrong",
	"repeated-hour": "times in the repeated hour of a clock change: read as the first of the two",
}

func (b *batch) reader(f *field, operand int) *reader {
	return &reader{field: f, plan: b.plan, clock: parse.Clock{Zone: b.zone},
		late:  f.operator != "" && f.form == formNumber,
		typed: b.kind(f, operand) == workload.TableTime,
		start: float64(b.start) * f.scale.per / f.scale.times,
	}
}

// plain reports that a text of digits is that number.
func (r *reader) plain() bool {
	return r.prefix == "" && !slices.Contains([]form{formTimestamp, formTRES, formArray}, r.form)
}

// number converts a number to the table's unit; NaN if it stands for unknown.
func (r *reader) number(x float64) float64 {
	switch {
	case r.isUnknown(x):
		return math.NaN()
	case r.late:
		return x
	case r.typed && r.target.moment():
		return microseconds(x - float64(r.plan.start))
	case r.typed:
		return x
	case r.form == formUnix:
		return r.scale.of(x - r.start) // exact for whole numbers of units up to 2^53
	}
	return r.scale.of(x)
}

// microseconds rounds a difference of times, which are of microseconds at the
// finest.
func microseconds(x float64) float64 {
	if !(math.Abs(x) < 1e9) {
		return x
	}
	return math.Round(x*1e6) / 1e6
}

// text reads a number, a length of time or a moment.
func (r *reader) text(text string) (x float64, want string) {
	if text, want = r.known(text); text == "" || want != "" {
		return math.NaN(), want
	}
	switch r.form {
	case formTimestamp:
		return r.stamp(text)
	case formDuration:
		if strings.IndexByte(text, ':') >= 0 {
			return parse.Elapsed([]byte(text))
		}
	case formMemory:
		return r.memory(text)
	case formTRES:
		value, ok := parse.TRESValue(text, r.keys)
		if !ok {
			return r.absent, ""
		}
		if r.target.unit() == "KB" {
			return r.memory(value)
		}
		text = value
	}
	x, want = parse.Number([]byte(text))
	switch {
	case want != "" && parse.Infinite([]byte(text)):
		return 0, workload.WantFinite
	case want != "" && r.form == formDuration:
		return 0, "seconds, or a time such as 1-02:03:04"
	case want != "" && r.either:
		if _, _, _, bad := parse.Stamp([]byte(text)); bad == "" {
			return 0, "seconds, as in the first times of the file"
		}
		if dayOrMonth.MatchString(text) {
			return 0, "a time such as 2024-05-31 14:30:00, since the order of day and month is not clear: write the column as yyyy-mm-dd hh:mm:ss"
		}
		return 0, "seconds, or a time such as 2024-05-31 14:30:00"
	case want != "":
		return 0, want
	}
	return r.number(x), ""
}

// dayOrMonth finds dates as spreadsheets write them, such as 01.02.2024 and 2/13/2024.
var dayOrMonth = regexp.MustCompile(`^[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}\b`)

// stamp reads a date and time, in seconds from the log's start.
func (r *reader) stamp(text string) (float64, string) {
	seconds, fraction, local, want := parse.Stamp([]byte(text))
	if want != "" {
		return 0, want
	}
	if local {
		seconds = r.instant(seconds)
	}
	if !r.target.moment() {
		return float64(seconds) + fraction, ""
	}
	return float64(seconds-r.plan.start) + fraction, ""
}

// instant is a local time in seconds since 1970.
func (r *reader) instant(local int64) int64 {
	first, last, missed := r.clock.Instants(local)
	switch {
	case missed:
		r.odd = "skipped-time"
	case first != last:
		r.odd = "repeated-hour"
	}
	return first
}

// memory reads an amount with a suffix, or a number of units.
func (r *reader) memory(text string) (float64, string) {
	number, kb := parse.MemorySuffix([]byte(text))
	x, want := parse.Number(number)
	switch {
	case want != "":
		return 0, "an amount of memory such as 16G"
	case kb != 0:
		return x * kb, ""
	}
	return r.number(x), ""
}

// arrayPart is the job's number of 16922[16921], or that of its array, which a job
// outside arrays has not: "".
func (e *entry) arrayPart(text string) string {
	job, array, _ := strings.Cut(text, "[")
	if e.target == workload.ColArray {
		return strings.TrimSuffix(array, "]")
	}
	return job
}

// known takes a prefix and what stands for unknown off a text: "" is unknown.
func (e *entry) known(text string) (rest, want string) {
	switch {
	case text == "" || parse.NoValue([]byte(text)):
		return "", ""
	case e.unknown != nil && e.standsForUnknown(text):
		return "", ""
	case e.comma:
		return strings.Replace(text, ",", ".", 1), ""
	case e.prefix != "":
		rest, ok := strings.CutPrefix(text, e.prefix)
		if !ok {
			return "", strconv.Quote(e.prefix) + " and a number"
		}
		return rest, ""
	}
	return text, ""
}

func (e *entry) standsForUnknown(text string) bool {
	if slices.Contains(e.unknown, text) {
		return true
	}
	x, want := parse.Number([]byte(text))
	return want == "" && e.isUnknown(x)
}

// isUnknown reports whether a number is NaN or stands for unknown.
func (e *entry) isUnknown(x float64) bool {
	return x != x || slices.Contains(e.none, x)
}
