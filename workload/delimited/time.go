package delimited

import (
	"bytes"
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvTimes reads a log's moments: all of them are numbers of seconds, or all
// are timestamps.
type csvTimes struct {
	stamps bool
	start  int64 // what moments are counted from, s since 1970; 0 where they count from the log's start
	zone   *time.Location
}

const wantPoint = "seconds, or a time such as 2024-05-31 14:30:00"

const wantStamp = "a time such as 2024-05-31 14:30:00 or 2024-05-31T14:30:00Z"

// parseStamp reads a date and a time of day: seconds since 1970, as if the
// clock of a local time were UTC, and a fraction of a second.
//
//	2006-01-02[(T| )15:04[:05[.999]][ ][Z|+01:00|+0100]]
func parseStamp(v []byte) (seconds int64, fraction float64, local bool, want string) {
	bad := func() (int64, float64, bool, string) { return 0, 0, false, wantStamp }
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
	if year > 9999 || month < 1 || month > 12 || day < 1 || day > parse.MonthDays(year, month) {
		return bad()
	}
	if year < 1900 {
		return 0, 0, false, "a date from 1900 to 9999"
	}
	seconds = parse.DaysTo(year, month, day) * 86400
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
			fraction /= parse.ExactPowers[len(digits)]
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
	offset, ok := parse.Offset(v)
	if !ok {
		return bad()
	}
	return seconds - offset, fraction, false, ""
}

// instant is a timestamp's seconds since 1970. A local time that the clock
// went over twice is the first of the two, and odd, as is one that it leapt
// over.
func (t *csvTimes) instant(clock *parse.Clock, v []byte) (seconds int64, fraction float64, odd csvRule, want string) {
	seconds, fraction, local, want := parseStamp(v)
	if want == "" && local && t.zone != time.UTC {
		first, last, missed := clock.Instants(seconds)
		switch seconds = first; {
		case missed:
			odd = csvSkipped
		case first != last:
			odd = csvRepeated
		}
	}
	return seconds, fraction, odd, want
}

// parsePoint reads a moment in seconds from the log's start.
func (t *csvTimes) parsePoint(clock *parse.Clock, v []byte) (x float64, odd csvRule, want string) {
	if !t.stamps {
		if x, want = parse.Number(v); want != "" {
			if _, _, _, bad := parseStamp(v); bad == "" {
				want = "seconds, as in the first times of the file"
			} else {
				want = wantPoint
			}
		}
		return x - float64(t.start), 0, want
	}
	seconds, fraction, odd, want := t.instant(clock, v)
	return float64(seconds-t.start) + fraction, odd, want
}

// parseElapsed reads a length of time: seconds, or M:SS, H:MM:SS, D-H:MM or
// D-H:MM:SS, with a fraction, as schedulers print it.
func parseElapsed(v []byte) (x float64, want string) {
	colon := bytes.IndexByte(v, ':')
	if colon < 0 {
		x, want = parse.Number(v)
		if want == "a number" {
			want = "seconds, or a time such as 1-02:03:04"
		}
		return x, want
	}
	const bad = "seconds, or a time such as 1-02:03:04"
	rest := v
	days := 0.0
	if dash := bytes.IndexByte(v, '-'); dash >= 0 {
		n, ok := smallWhole(v[:dash])
		if !ok {
			return 0, bad
		}
		days, rest = n, v[dash+1:]
	}
	parts := bytes.Split(rest, []byte{':'})
	if len(parts) > 3 {
		return 0, bad
	}
	if len(rest) < len(v) && len(parts) == 2 { // days, hours and minutes
		parts = append(parts, []byte{'0'})
	}
	for i, part := range parts[:len(parts)-1] {
		n, ok := smallWhole(part)
		if !ok || i > 0 && n > 59 {
			return 0, bad
		}
		x = (x + n) * 60
	}
	last := parts[len(parts)-1]
	if len(last) == 0 || last[0]-'0' > 9 {
		return 0, bad
	}
	s, ok := parse.Decimal(last)
	if !ok || s >= 61 {
		return 0, bad
	}
	return days*86400 + x + s, ""
}

// smallWhole reads a few digits.
func smallWhole(v []byte) (float64, bool) {
	if len(v) == 0 || len(v) > 9 {
		return 0, false
	}
	n := 0.0
	for _, c := range v {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + float64(c-'0')
	}
	return n, true
}

// noValue says that a field that should hold a number says that there is none,
// in the words of R, pandas, SQL and Slurm.
func noValue(v []byte) bool {
	if len(v) == 0 {
		return true
	}
	if c := v[0]; c-'0' <= 9 || c == '-' && len(v) > 1 {
		return false
	}
	for _, word := range [...]string{"NA", "N/A", "NaN", "null", "None", "Unknown", "-", `\N`} {
		if len(v) == len(word) && bytes.EqualFold(v, []byte(word)) {
			return true
		}
	}
	return false
}

// between is the time from one moment to another. Timestamps are of
// microseconds at the finest, which their difference need not blur.
func (t *csvTimes) between(from, to float64) float64 {
	if d := to - from; t.start == 0 || !(math.Abs(d) < 1e9) {
		return d
	}
	return math.Round((to-from)*1e6) / 1e6
}
