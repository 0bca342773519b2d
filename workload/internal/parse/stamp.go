package parse

import "bytes"

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
