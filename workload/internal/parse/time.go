package parse

import (
	"bytes"
	"time"
)

// WantStamp is what Stamp wants.
const WantStamp = "a time such as 2024-05-31 14:30:00 or 2024-05-31T14:30:00Z"

// Stamp reads a date and a time of day: seconds since 1970, as if the
// clock of a local time were UTC, and a fraction of a second.
//
//	2006-01-02[(T| )15:04[:05[.999]][ ][Z|+01:00|+0100]]
func Stamp(v []byte) (seconds int64, fraction float64, local bool, want string) {
	bad := func() (int64, float64, bool, string) { return 0, 0, false, WantStamp }
	at := func(i int) int64 { // two digits
		if i+2 > len(v) || v[i]-'0' > 9 || v[i+1]-'0' > 9 {
			return 1 << 20 // above every limit below
		}
		return int64(v[i]-'0')*10 + int64(v[i+1]-'0')
	}
	if len(v) < 10 || v[4] != '-' || v[7] != '-' {
		return bad()
	}
	year, month, day := at(0)*100+at(2), at(5), at(8)
	if year > 9999 || month < 1 || month > 12 || day < 1 || day > MonthDays(year, month) {
		return bad()
	}
	if year < 1900 {
		return 0, 0, false, "a date from 1900 to 9999"
	}
	seconds = DaysTo(year, month, day) * 86400
	if v = v[10:]; len(v) == 0 {
		return seconds, 0, true, ""
	}
	if len(v) < 6 || v[0] != 'T' && v[0] != 't' && v[0] != ' ' || v[3] != ':' {
		return bad()
	}
	hour, minute, second := at(1), at(4), int64(0)
	if v = v[6:]; len(v) > 0 && v[0] == ':' {
		second = at(1)
		v = v[min(len(v), 3):]
		if len(v) > 1 && (v[0] == '.' || v[0] == ',') {
			n := 1
			for n < len(v) && v[n]-'0' <= 9 {
				n++
			}
			if n == 1 {
				return bad()
			}
			digits := v[1:min(n, 16)] // beyond, a float64 would not tell
			for _, c := range digits {
				fraction = fraction*10 + float64(c-'0')
			}
			fraction /= ExactPowers[len(digits)]
			v = v[n:]
		}
	}
	if hour > 23 || minute > 59 || second > 60 {
		return bad()
	}
	seconds += hour*3600 + minute*60 + second
	v = bytes.TrimPrefix(v, []byte{' '})
	switch {
	case len(v) == 0:
		return seconds, fraction, true, ""
	case string(v) == "UTC" || string(v) == "z":
		return seconds, fraction, false, ""
	}
	offset, ok := Offset(v)
	if !ok {
		return bad()
	}
	return seconds - offset, fraction, false, ""
}

// Elapsed reads a length of time: seconds, or M:SS, H:MM:SS, D-H:MM or
// D-H:MM:SS, with a fraction, as schedulers print it, or "D days H:MM:SS", as pandas
// and databases do.
func Elapsed(v []byte) (x float64, want string) {
	const bad = "seconds, or a time such as 1-02:03:04"
	if bytes.IndexByte(v, ':') < 0 {
		if x, want = Number(v); want == "a number" {
			want = bad
		}
		return x, want
	}
	clock, days, least := v, int64(0), 1
	switch n, rest := Digits(v); {
	case len(rest) == 0 || len(rest) == len(v):
	case rest[0] == '-':
		days, clock = n, rest[1:]
	case bytes.HasPrefix(rest, []byte(" day")):
		days, least = n, 2
		clock = bytes.TrimPrefix(bytes.TrimPrefix(rest[4:], []byte{'s'}), []byte{' '})
	}
	hasDays := len(clock) < len(v)
	var parts [3]int64
	colons := 0
	for ; ; colons++ {
		n, rest := Digits(clock)
		if digits := len(clock) - len(rest); digits == 0 || digits > 9 || colons > 0 && n > 59 {
			return 0, bad
		}
		parts[colons], clock = n, rest
		if colons == 2 || len(rest) == 0 || rest[0] != ':' {
			break
		}
		clock = rest[1:]
	}
	fraction, ok := 0.0, len(clock) == 0
	if !ok && clock[0] == '.' {
		fraction, ok = Decimal(clock)
	}
	if !ok || colons < least || days > 1e9 {
		return 0, bad
	}
	if colons == 1 && !hasDays {
		parts = [3]int64{0, parts[0], parts[1]}
	}
	return float64(days*86400+parts[0]*3600+parts[1]*60+parts[2]) + fraction, ""
}

// Offset reads Z, +HHMM or +HH:MM in seconds.
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
