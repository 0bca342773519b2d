package workload

import (
	"fmt"
	"math"
	"time"
)

// Period is a part of a log's time: the jobs with From <= submission < To, in
// seconds of the log.
type Period struct {
	Number   int64   // ascending in time
	From, To float64 // s, from the log's start
	Label    string  // "1996-01 to 1996-04", "1996-12-24" or "days 0-29"
}

// Division divides a log's time into periods. Months and Days make one.
type Division struct {
	months, days int64 // one of the two
	clock        Clock
}

// undatedMonth is the length of a month of a log without dates, days.
const undatedMonth = 30

// Months divides time into calendar months, in the site's time zone, or into
// runs of several, which begin with January: 4 gives Downey's January to
// April, May to August and September to December. months must divide 12. A month of a log
// without dates is 30 days from its start.
func Months(clock Clock, months int) (Division, error) {
	switch {
	case months < 1 || 12%months != 0:
		return Division{}, fmt.Errorf("periods of %d months, want 1, 2, 3, 4, 6 or 12", months)
	case !clock.Known:
		return Days(clock, undatedMonth*months), nil
	}
	return Division{months: int64(months), clock: clock}, nil
}

// Days divides time into days of the calendar, in the site's time zone, or into runs of several;
// runs of 7 begin on Mondays. Those of a log without dates count from its start.
func Days(clock Clock, days int) Division { return Division{days: int64(days), clock: clock} }

// monday is the day of January 1970 from which days are counted: a Monday, and the start of a log
// without dates (Header.Clock).
const monday = 5

// Number returns the number of the period that a submission is in; false where
// it is in none: unknown, or too far for a calendar.
func (d Division) Number(submit float64) (int64, bool) {
	if !(math.Abs(submit) < dated) {
		return 0, false
	}
	year, month, day := d.clock.At(math.Floor(submit)).Date()
	n, length := int64(year)*12+int64(month)-1, d.months
	if d.days > 0 {
		n, length = time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()/86400-(monday-1), d.days
	}
	if n < 0 {
		n -= length - 1 // a division that rounds down
	}
	return n / length, true
}

// Period returns the period of that number.
func (d Division) Period(number int64) Period {
	from, to := d.begin(number), d.begin(number+1)
	label := from.Format(time.DateOnly)
	switch first := d.days * number; {
	case d.months > 1:
		label = from.Format("2006-01") + " to " + to.AddDate(0, -1, 0).Format("2006-01")
	case d.months == 1:
		label = from.Format("2006-01")
	case !d.clock.Known && d.days == 1:
		label = fmt.Sprintf("day %d", first)
	case !d.clock.Known:
		label = fmt.Sprintf("days %d-%d", first, first+d.days-1)
	}
	at := func(t time.Time) float64 { return float64(t.Unix() - d.clock.Start.Unix()) }
	return Period{number, at(from), at(to), label}
}

// begin returns when the period of that number begins.
func (d Division) begin(number int64) time.Time {
	year, month, day := 0, time.Month(1+number*d.months), 1
	if d.days > 0 {
		year, month, day = 1970, time.January, int(monday+number*d.days)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, d.clock.Start.Location())
}

// Calendar sorts moments by the clock of the log's site into periods or, of each day, by the hour
// or the weekday.
type Calendar struct {
	Word  string // one of CalendarWords
	Clock Clock
}

// CalendarWords are the ways of a Calendar.
var CalendarWords = []string{"month", "week", "day", "weekday", "hour"}

// division returns the periods of a calendar; false for hours and weekdays.
func (c Calendar) division() (Division, bool) {
	switch c.Word {
	case "month":
		months, _ := Months(c.Clock, 1)
		return months, true
	case "week":
		return Days(c.Clock, 7), true
	case "day":
		return Days(c.Clock, 1), true
	}
	return Division{}, false
}

// Number returns the number of a moment's period, hour from 0, or weekday, 0 for Monday; Unknown
// for moments that are NaN or too far for a calendar.
func (c Calendar) Number(seconds float64) int64 {
	if !(math.Abs(seconds) < dated) {
		return Unknown
	}
	if periods, ok := c.division(); ok {
		n, _ := periods.Number(seconds)
		return n
	}
	at := c.Clock.At(seconds)
	if c.Word == "hour" {
		return int64(at.Hour())
	}
	return int64(at.Weekday()+6) % 7
}

// Period returns the period of a number; false for hours and weekdays.
func (c Calendar) Period(number int64) (Period, bool) {
	periods, ok := c.division()
	if !ok {
		return Period{}, false
	}
	return periods.Period(number), true
}

// Label names a number: "1996-12", "1996-12-24", "Monday" or "07:00".
func (c Calendar) Label(number int64) string {
	p, isPeriod := c.Period(number)
	switch {
	case isPeriod:
		return p.Label
	case c.Word == "hour":
		return fmt.Sprintf("%02d:00", number)
	}
	return time.Weekday((number + 1) % 7).String()
}
