package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

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
// where SLURM_TIME_FORMAT asked for one (other programs add ".000000"), or seconds since 1970.
func parseSacctTime(v []byte) (t sacctTime, want string) {
	const wanted = "a time such as 2021-12-10T14:23:28 (unset SLURM_TIME_FORMAT)"
	if len(v) < 19 || v[4] != '-' {
		switch {
		case isNoValue(v):
			return t, ""
		case parse.IsDigits(v) && len(v) <= 11:
			t.seconds, _ = parse.Digits(v)
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
		month-1 > 11 || month < 1 || day < 1 || day > parse.MonthDays(year, month) || hour > 23 || minute > 59 || second > 60 {
		return t, wanted
	}
	if year < 1969 {
		return t, "a time in 1970 or later"
	}
	t = sacctTime{parse.DaysTo(year, month, day)*86400 + hour*3600 + minute*60 + second, timeLocal}
	if year < 1971 {
		t.kind = timeZero
		return t, ""
	}
	if len(v) > 19 {
		if v = bytes.TrimLeft(v[19:], ".0"); len(v) == 0 {
			return t, ""
		}
		offset, ok := parse.Offset(v)
		if !ok {
			return t, wanted
		}
		t.seconds -= offset
		t.kind = timeUnix
	}
	return t, ""
}
