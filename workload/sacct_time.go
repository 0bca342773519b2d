package workload

import "time"

// sacctTimeKind is how much a time in a record says.
type sacctTimeKind uint8

const (
	timeUnknown sacctTimeKind = iota
	timeLocal                 // seconds since 1970 as if the site's clock were UTC
	timeUnix                  // seconds since 1970
	timeZero                  // the clock of 1970: Slurm's 0, which means none
)

type sacctTime struct {
	seconds int64
	kind    sacctTimeKind
}

// parseSacctTime reads YYYY-MM-DDTHH:MM:SS, with "Z" or an offset behind it
// where SLURM_TIME_FORMAT asked for one, or seconds since 1970.
func parseSacctTime(v []byte) (t sacctTime, want string) {
	const wanted = "a time such as 2021-12-10T14:23:28 (unset SLURM_TIME_FORMAT)"
	if len(v) < 19 || v[4] != '-' {
		switch {
		case len(v) == 0, isUnknownWord(v):
			return t, ""
		case isDigits(v) && len(v) <= 11:
			t.seconds, _ = sacctDigits(v)
			t.kind = timeUnix
			if t.seconds == 0 {
				t.kind = timeZero
			}
			return t, ""
		}
		return t, wanted
	}
	two := func(i int) int64 {
		a, b := v[i]-'0', v[i+1]-'0'
		if a > 9 || b > 9 {
			return 1 << 20 // above every limit below
		}
		return int64(a)*10 + int64(b)
	}
	year, month, day := two(0)*100+two(2), two(5), two(8)
	hour, minute, second := two(11), two(14), two(17)
	if v[7] != '-' || v[10] != 'T' && v[10] != ' ' || v[13] != ':' || v[16] != ':' || year > 9999 ||
		month-1 > 11 || month < 1 || day < 1 || day > monthDays(year, month) || hour > 23 || minute > 59 || second > 60 {
		return t, wanted
	}
	if year < 1969 {
		return t, "a time from 1970 on"
	}
	t = sacctTime{daysTo(year, month, day)*86400 + hour*3600 + minute*60 + second, timeLocal}
	if year < 1971 {
		t.kind = timeZero
		return t, ""
	}
	if len(v) > 19 {
		offset, ok := parseSacctOffset(v[19:])
		if !ok {
			return t, wanted
		}
		t.seconds -= offset
		t.kind = timeUnix
	}
	return t, ""
}

// parseSacctOffset reads Z, +HHMM or +HH:MM in seconds.
func parseSacctOffset(v []byte) (seconds int64, ok bool) {
	if string(v) == "Z" {
		return 0, true
	}
	if len(v) == 6 && v[3] == ':' {
		v = append(append([]byte(nil), v[:3]...), v[4:]...)
	}
	if len(v) != 5 || v[0] != '+' && v[0] != '-' || !isDigits(v[1:]) {
		return 0, false
	}
	n, _ := sacctDigits(v[1:])
	if seconds = n/100*3600 + n%100*60; v[0] == '-' {
		seconds = -seconds
	}
	return seconds, n <= 1459
}

func monthDays(year, month int64) int64 {
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

// daysTo counts the days from 1970 to a date of the Gregorian calendar. Years
// are taken to begin in March, so that the leap day is the last of them.
func daysTo(year, month, day int64) int64 {
	if month < 3 {
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}

// localClock turns a site's local times into seconds since 1970. It remembers
// the stretch without a change of the clock that it met last.
type localClock struct {
	zone     *time.Location
	from, to int64 // local times that have this offset and no other
	offset   int64
}

// instants returns the seconds since 1970 of a local time: both of them in the
// hour that the clock went over twice, where first < last. A time that the
// clock leapt over is taken as if it had not leapt yet, and missed is true.
func (c *localClock) instants(local int64) (first, last int64, missed bool) {
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
func (c *localClock) at(unix int64) (offset, from, to int64) {
	t := time.Unix(unix, 0).In(c.zone)
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
