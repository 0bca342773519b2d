package reshape

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Interval is a length of time on the clock or in the calendar. Exactly one field is
// positive.
type Interval struct {
	Seconds float64
	Days    int // in local time, so that one may have 23 or 25 hours
	Months  int
}

// Set makes it that of a text, as ParseInterval reads it. An error is a *workload.OptionError.
func (i *Interval) Set(text string) error {
	read, err := ParseInterval(text)
	if err != nil {
		return workload.OptionFault("every", strconv.Quote(text), "a number with one of the units s, m, h, d, w, month and year, such as 12h or 1month")
	}
	*i = read
	return nil
}

// Type names the value of a flag.
func (i *Interval) Type() string { return "string" }

// String writes the length as Set reads it; "" if there is none.
func (i *Interval) String() string {
	for _, x := range []struct {
		n    float64
		unit string
	}{{float64(i.Months), "month"}, {float64(i.Days), "d"}, {i.Seconds, "s"}} {
		if x.n > 0 {
			return strconv.FormatFloat(x.n, 'g', -1, 64) + x.unit
		}
	}
	return ""
}

// ParseInterval reads a number with a unit: "90s", "30m", "12h", "7d", "2w",
// "1month", "1year". Days, weeks, months and years are the calendar's.
func ParseInterval(s string) (Interval, error) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	fault := fmt.Errorf("%q, want a number with one of the units s, m, h, d, w, month and year, such as 12h or 1month", s)
	if end <= 0 {
		return Interval{}, fault
	}
	unit := s[end:]
	if seconds, ok := map[string]float64{"s": 1, "m": 60, "h": 3600}[unit]; ok {
		n, err := strconv.ParseFloat(s[:end], 64)
		if err != nil || !(n*seconds >= 1) || !inTime(n*seconds) {
			return Interval{}, fault
		}
		return Interval{Seconds: n * seconds}, nil
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil || n < 1 || n > 10000 {
		return Interval{}, fault
	}
	switch unit {
	case "d":
		return Interval{Days: n}, nil
	case "w":
		return Interval{Days: 7 * n}, nil
	case "month":
		return Interval{Months: n}, nil
	case "year":
		return Interval{Months: 12 * n}, nil
	}
	return Interval{}, fault
}

// DivideEvery divides by submission into intervals. Seconds count from the
// log's start; days from the midnight before it, or the midnight of the Monday
// before it where they are whole weeks; months from the first of its month,
// years from its January. Intervals without jobs make no part. A part is named by where it
// begins: by the month or the year where it is exactly one, else by the day.
func DivideEvery(every Interval, clock workload.Clock) (Division, error) {
	if n := boolCount(every.Seconds > 0, every.Days > 0, every.Months > 0); n != 1 {
		return Division{}, fmt.Errorf("an interval of %+v, want one length", every)
	}
	if every.Seconds > 0 {
		return divided(
			bySubmit(func(t float64) int64 { return int64(math.Floor(t / every.Seconds)) }),
			func(key int64) string { return moment(clock, float64(key)*every.Seconds) }), nil
	}
	if !clock.Known && every.Months > 0 {
		return Division{}, fmt.Errorf("the log's header does not say when it starts (UnixStartTime): months and years need that")
	}
	zone := clock.Start.Location()
	start := clock.Start
	var key func(t time.Time) int64
	var begin func(key int64) time.Time
	if every.Months > 0 {
		months := func(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }
		from := months(start)
		if every.Months%12 == 0 {
			from -= from % 12
		}
		key = func(t time.Time) int64 { return floorDiv(months(t)-from, int64(every.Months)) }
		begin = func(key int64) time.Time {
			return time.Date(0, time.Month(from+key*int64(every.Months)+1), 1, 0, 0, 0, 0, zone)
		}
	} else {
		from := dayNumber(start)
		if every.Days%7 == 0 {
			from -= int64(start.Weekday()+6) % 7 // days since Monday
		}
		key = func(t time.Time) int64 { return floorDiv(dayNumber(t)-from, int64(every.Days)) }
		begin = func(key int64) time.Time {
			return time.Date(1970, 1, int(from+key*int64(every.Days))+1, 0, 0, 0, 0, zone)
		}
	}
	name := func(k int64) string { return moment(clock, float64(begin(k).Unix()-start.Unix())) }
	switch every.Months {
	case 1:
		name = func(k int64) string { return begin(k).Format("2006-01") }
	case 12:
		name = func(k int64) string { return begin(k).Format("2006") }
	}
	return divided(bySubmit(func(t float64) int64 { return key(clock.At(t)) }), name), nil
}

// dayNumber counts local days from 1 January 1970 on.
func dayNumber(t time.Time) int64 {
	year, month, day := t.Date()
	return floorDiv(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix(), 86400)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func boolCount(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// inTime reports whether a time can be told by a calendar.
func inTime(t float64) bool { return math.Abs(t) < 1e12 }

// bySubmit is a key by submission; jobs whose submission is unknown, or beyond
// any calendar, have none.
func bySubmit(key func(t float64) int64) func(*workload.Job) int64 {
	return func(j *workload.Job) int64 {
		if !inTime(j.Submit) {
			return workload.Unknown
		}
		return key(j.Submit)
	}
}

// moment writes a time of a log for a file's name: the date, with the time of
// day where it is not midnight; seconds where the log has no date.
func moment(clock workload.Clock, t float64) string {
	if !clock.Known {
		return strconv.FormatFloat(t, 'f', -1, 64) + "s"
	}
	at := clock.At(t)
	if h, m, s := at.Clock(); h+m+s == 0 {
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02T15-04-05")
}
