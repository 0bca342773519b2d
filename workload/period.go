package workload

import (
	"fmt"
	"math"
	"time"
)

// Period is a part of a log's time. It contains the jobs with From <= submission < To.
type Period struct {
	Number   int64   // in ascending order of time
	From, To float64 // s, from the log's start
	Label    string  // "1996-01 to 1996-04", "1996-12-24" or "days 0-29"
}

// Division divides a log's time into periods. Months and Days return one.
type Division struct {
	months, days int64 // exactly one of them is above 0
	clock        Clock
}

// undatedMonth is the length of a month, in days, in a log without dates.
const undatedMonth = 30

// Months divides time into calendar months in the site's time zone, or into runs of that many
// months, counted from January: 4 gives Downey's January to April, May to August and September
// to December. months must divide 12. In a log without dates, a month is 30 days, counted from
// the log's start.
func Months(clock Clock, months int) (Division, error) {
	switch {
	case months < 1 || 12%months != 0:
		return Division{}, fmt.Errorf("periods of %d months, want 1, 2, 3, 4, 6 or 12", months)
	case !clock.Known:
		return Days(clock, undatedMonth*months), nil
	}
	return Division{months: int64(months), clock: clock}, nil
}

// Days divides time into calendar days in the site's time zone, or into runs of that many days;
// runs of 7 begin on Mondays. In a log without dates, days count from the log's start.
func Days(clock Clock, days int) Division { return Division{days: int64(days), clock: clock} }

// monday is the day of January 1970 from which days are counted. It was a Monday, and is the
// start of a log without dates (Header.Clock).
const monday = 5

// Number returns the number of the period that contains a submission. It returns false for a
// time that is unknown or too far from second 0 for a calendar.
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
		n -= length - 1 // integer division rounds toward 0; round down instead
	}
	return n / length, true
}

// Period returns the period with that number.
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

// begin returns the time at which the period with that number begins.
func (d Division) begin(number int64) time.Time {
	year, month, day := 0, time.Month(1+number*d.months), 1
	if d.days > 0 {
		year, month, day = 1970, time.January, int(monday+number*d.days)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, d.clock.Start.Location())
}

// Calendar classifies times, on the clock of the log's site, by period or by the hour of the day
// or the day of the week.
type Calendar struct {
	Word  string // one of CalendarWords
	Clock Clock
}

// CalendarWords lists the values of Calendar.Word.
var CalendarWords = []string{"month", "week", "day", "weekday", "hour"}

// division returns the calendar's division into periods; false for hours and weekdays.
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

// Number returns the number of the period that contains a time; for hours, the hour from 0; for
// weekdays, the day from 0 for Monday. It returns Unknown for a time that is NaN or too far from
// second 0 for a calendar.
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

// Period returns the period with that number; false for hours and weekdays.
func (c Calendar) Period(number int64) (Period, bool) {
	periods, ok := c.division()
	if !ok {
		return Period{}, false
	}
	return periods.Period(number), true
}

// Label returns the name for a number: "1996-12", "1996-12-24", "Monday" or "07:00".
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
