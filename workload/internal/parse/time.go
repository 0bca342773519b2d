package parse

import (
	"bytes"
	"time"
)

// WantStamp is the want of Stamp for a text that is not a date and time.
const WantStamp = "a time such as 2024-05-31 14:30:00 or 2024-05-31T14:30:00Z"

// Stamp parses a date and a time of day. It returns seconds since 1970, for a local time as if
// its clock were UTC, and a fraction of a second. local reports that there is no zone. want is
// empty if v can be parsed.
//
//	2006-01-02[(T| )15:04[:05[.999]][ ][Z|+01:00|+0100]]
func Stamp(v []byte) (seconds int64, fraction float64, local bool, want string) {
	bad := func() (int64, float64, bool, string) { return 0, 0, false, WantStamp }
	at := func(i int) int { // two digits
		if i+2 > len(v) || v[i]-'0' > 9 || v[i+1]-'0' > 9 {
			return 1 << 20 // above every limit below
		}
		return int(v[i]-'0')*10 + int(v[i+1]-'0')
	}
	if len(v) < 10 || v[4] != '-' || v[7] != '-' {
		return bad()
	}
	year, month, day := at(0)*100+at(2), at(5), at(8)
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if _, m, d := date.Date(); year > 9999 || int(m) != month || d != day {
		return bad()
	}
	if year < 1900 {
		return 0, 0, false, "a date from 1900 to 9999"
	}
	seconds = date.Unix()
	if v = v[10:]; len(v) == 0 {
		return seconds, 0, true, ""
	}
	if len(v) < 6 || v[0] != 'T' && v[0] != 't' && v[0] != ' ' || v[3] != ':' {
		return bad()
	}
	hour, minute, second := at(1), at(4), 0
	if v = v[6:]; len(v) > 0 && v[0] == ':' {
		second = at(1)
		v = v[min(len(v), 3):]
		if len(v) > 1 && (v[0] == '.' || v[0] == ',') {
			n, rest := Digits(v[1:]) // a float64 has no room for more digits
			digits := len(v) - 1 - len(rest)
			if digits == 0 {
				return bad()
			}
			fraction = float64(n) / ExactPowers[digits]
			v = bytes.TrimLeft(rest, "0123456789")
		}
	}
	if hour > 23 || minute > 59 || second > 60 {
		return bad()
	}
	seconds += int64(hour*3600 + minute*60 + second)
	v = bytes.TrimPrefix(v, []byte{' '})
	switch {
	case len(v) == 0:
		return seconds, fraction, true, ""
	case string(v) == "UTC" || string(v) == "z":
		return seconds, fraction, false, ""
	}
	offset, ok := zoneOffset(v)
	if !ok {
		return bad()
	}
	return seconds - offset, fraction, false, ""
}

// Elapsed parses a duration, and returns it in seconds: seconds, or M:SS, H:MM:SS, D-H:MM or
// D-H:MM:SS, with a fraction, as schedulers print it, or "D days H:MM:SS", as pandas and
// databases print it.
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
	seconds, colons := int64(0), 0
	for ; ; colons++ {
		n, rest := Digits(clock)
		if digits := len(clock) - len(rest); digits == 0 || digits > 9 || colons > 0 && n > 59 {
			return 0, bad
		}
		seconds, clock = 60*seconds+n, rest
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
	if colons == 1 && hasDays {
		seconds *= 60
	}
	return float64(days*86400+seconds) + fraction, ""
}

// zoneOffset parses Z, +HHMM or +HH:MM, up to 14:59 either way, in seconds.
func zoneOffset(v []byte) (seconds int64, ok bool) {
	layout := "Z07:00"
	if len(v) == len("+0100") {
		layout = "Z0700"
	}
	t, err := time.Parse(layout, string(v))
	if err != nil || len(v) > 1 && v[len(v)-2] > '5' { // Parse accepts 60 minutes
		return 0, false
	}
	_, offset := t.Zone()
	return int64(offset), max(offset, -offset) < 15*3600
}

// Clock converts a site's local times to seconds since 1970. It remembers the last period
// without a change of the clock that it met.
type Clock struct {
	Zone     *time.Location
	from, to int64 // local times with this offset and no other
	offset   int64
}

// Instants returns the instants, in seconds since 1970, of a local time. In the hour that a
// change of the clock repeats there are two, first < last; otherwise they are equal. A time that
// a change of the clock skips is converted as if the clock had not changed yet, and missed is
// true.
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

// at returns the offset at an instant, and the start and end of the period with that offset.
func (c *Clock) at(unix int64) (offset, from, to int64) {
	t := time.Unix(unix, 0).In(c.Zone)
	_, seconds := t.Zone()
	start, end := t.ZoneBounds() // without bounds: the year 1, before any log, and the zero time
	if to = 1 << 40; !end.IsZero() {
		to = end.Unix()
	}
	return int64(seconds), start.Unix(), to
}
