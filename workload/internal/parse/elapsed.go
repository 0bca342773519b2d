package parse

import "bytes"

// Elapsed reads a length of time: seconds, or M:SS, H:MM:SS, D-H:MM or
// D-H:MM:SS, with a fraction, as schedulers print it, or "D days H:MM:SS", as pandas
// and databases do.
func Elapsed(v []byte) (x float64, want string) {
	colon := bytes.IndexByte(v, ':')
	if colon < 0 {
		x, want = Number(v)
		if want == "a number" {
			want = "seconds, or a time such as 1-02:03:04"
		}
		return x, want
	}
	const bad = "seconds, or a time such as 1-02:03:04"
	rest := v
	days := 0.0
	if before, after, ok := bytes.Cut(v, []byte(" day")); ok {
		n, ok := smallWhole(before)
		clock := bytes.TrimPrefix(after, []byte("s"))
		if !ok || len(clock) == 0 || clock[0] != ' ' || bytes.Count(clock, []byte{':'}) != 2 {
			return 0, bad
		}
		days, rest = n, clock[1:]
	} else if dash := bytes.IndexByte(v, '-'); dash >= 0 {
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
	s, ok := Decimal(last)
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
