package parse

import "time"

// ParseOffset reads Z, +HHMM or +HH:MM in seconds.
func Offset(v []byte) (seconds int64, ok bool) {
	if string(v) == "Z" {
		return 0, true
	}
	if len(v) == 6 && v[3] == ':' {
		v = append(append([]byte(nil), v[:3]...), v[4:]...)
	}
	if len(v) != 5 || v[0] != '+' && v[0] != '-' || !IsDigits(v[1:]) {
		return 0, false
	}
	n, _ := Digits(v[1:])
	if seconds = n/100*3600 + n%100*60; v[0] == '-' {
		seconds = -seconds
	}
	return seconds, n <= 1459
}

// MonthDays returns the days of a month.
func MonthDays(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// DaysTo counts the days from 1970 to a date of the Gregorian calendar. Years
// are taken to begin in March, so that the leap day is the last of them.
func DaysTo(year, month, day int64) int64 {
	if month < 3 {
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}

// Clock turns a site's local times into seconds since 1970. It remembers
// the stretch without a change of the clock that it met last.
type Clock struct {
	Zone     *time.Location
	from, to int64 // local times that have this offset and no other
	offset   int64
}

// Instants returns the seconds since 1970 of a local time: both of them in the
// hour that the clock went over twice, where first < last. A time that the
// clock leapt over is taken as if it had not leapt yet, and missed is true.
func (c *Clock) Instants(local int64) (first, last int64, missed bool) {
	if c.from <= local && local < c.to {
		return local - c.offset, local - c.offset, false
	}
	// Clocks do not change twice in two days.
	const day = 86400
	before, _, _ := c.at(local - day)
	after, _, _ := c.at(local + day)
	first, last = local-before, local-after
	if before == after {
		_, from, to := c.at(first)
		c.offset, c.from, c.to = before, from+before+2*day, to+before-2*day
		return first, last, false
	}
	firstOffset, _, _ := c.at(first)
	lastOffset, _, _ := c.at(last)
	switch {
	case firstOffset == before && lastOffset == after:
		return min(first, last), max(first, last), false
	case firstOffset == before:
		return first, first, false
	case lastOffset == after:
		return last, last, false
	}
	return first, first, true
}

// at is the offset of an instant, and the bounds of the stretch that has it.
func (c *Clock) at(unix int64) (offset, from, to int64) {
	t := time.Unix(unix, 0).In(c.Zone)
	_, seconds := t.Zone()
	from, to = -1<<40, 1<<40
	start, end := t.ZoneBounds()
	if !start.IsZero() {
		from = start.Unix()
	}
	if !end.IsZero() {
		to = end.Unix()
	}
	return int64(seconds), from, to
}
