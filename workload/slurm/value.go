package slurm

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The parsers of this file return what was wanted instead of a value that they
// cannot read, else "".

// parseSacctCount reads a whole number; an empty one is Unknown.
func parseSacctCount(v []byte) (n int64, want string) {
	if len(v) == 0 {
		return workload.Unknown, ""
	}
	for _, c := range v {
		if c-'0' > 9 {
			return parseShortCount(v)
		}
		n = n*10 + int64(c-'0')
	}
	switch {
	case len(v) >= 10 && isNoValue(v):
		return workload.Unknown, ""
	case len(v) > parse.ShortNumber:
		return 0, "a number of at most 15 digits"
	}
	return n, ""
}

// parseShortCount reads a count that is not written in digits alone: Slurm shortens large
// ones, by 1024 as it does sizes, to two decimals ("1.50K" is 1536) unless it is told not
// to, and other programs write whole numbers as "4.0". What was rounded comes near.
func parseShortCount(v []byte) (n int64, want string) {
	const wanted = "a whole number of 0 or more"
	if isNoValue(v) {
		return workload.Unknown, ""
	}
	number, factor := v, 1.0
	if last := v[len(v)-1] &^ 0x20; last > 'B' {
		if number, factor = parse.MemorySuffix(v); factor == 0 {
			return 0, wanted
		}
		factor *= 1024
	}
	if len(number) == 0 || number[0] == '-' {
		return 0, wanted
	}
	x, ok := parse.Decimal(number)
	if !ok || factor == 1 && x != math.Trunc(x) {
		return 0, wanted
	}
	if x = math.Round(x * factor); x >= 1e15 {
		return 0, "a number of at most 15 digits"
	}
	return int64(x), ""
}

// parseSacctDuration reads [DD-[HH:]]MM:SS[.mmm] in seconds. The hours of a
// time without days may be of any size, and so may the minutes without hours.
func parseSacctDuration(v []byte) (s float64, want string) {
	if isNoValue(v) {
		return math.NaN(), ""
	}
	const wanted = "a time of the form [DD-[HH:]]MM:SS"
	var days, n int64
	var parts [3]int64
	count, digits, dash := 0, 0, false
	for i, c := range v {
		switch {
		case c-'0' <= 9:
			n = n*10 + int64(c-'0')
			if digits++; digits > 9 {
				return 0, wanted
			}
			continue
		case digits == 0:
			return 0, wanted
		case c == '-' && !dash && count == 0:
			days, dash = n, true
		case c == ':' && count < 2:
			parts[count] = n
			count++
		case c == '.' && count > 0 && digits == 2:
			fraction, ok := parse.Decimal(v[i:])
			if !ok || len(v)-i > 10 {
				return 0, wanted
			}
			s = fraction
			parts[count] = n
			return sacctSeconds(days, parts, count, dash, s)
		default:
			return 0, wanted
		}
		n, digits = 0, 0
	}
	if digits != 2 || count == 0 {
		return 0, wanted
	}
	parts[count] = n
	return sacctSeconds(days, parts, count, dash, 0)
}

// sacctSeconds adds up count+1 parts, of which the last are seconds.
func sacctSeconds(days int64, parts [3]int64, count int, dash bool, fraction float64) (float64, string) {
	h, m, s := parts[0], parts[1], parts[2]
	if count == 1 {
		h, m, s = 0, parts[0], parts[1]
	}
	if s > 59 || count == 2 && m > 59 || dash && h > 23 {
		return 0, "a time with hours below 24, minutes and seconds below 60"
	}
	return float64(days*86400+h*3600+m*60+s) + fraction, ""
}

// isNoLimit reports whether a limit is one of those that Slurm writes for a job without
// one: YEAR_SECONDS of slurmctld, or more than 31 bits of seconds hold.
func isNoLimit(s float64) bool { return s == 365*86400 || s >= 1<<31-1 }

func noLimit() (rule, text string) {
	return "year-limit", "limits of exactly 365 days, or of 68 years and more, which stand for none: unknown"
}

// sacctIDKind is what a record's number identifies.
type sacctIDKind uint8

const (
	idPlain sacctIDKind = iota
	idTask              // 123_4, a task of an array
	idHet               // 12+1, a component of a heterogeneous job
	idTasks             // 123_[0-467], the tasks that still wait
)

// sacctID is a record's number.
type sacctID struct {
	job  int64
	part int64 // of an array or a heterogeneous job
	kind sacctIDKind
	step bool // of the job
	one  bool // the step has one task: the batch script

	waiting string // of idTasks, what is between the brackets
}

// parseSacctID reads JobID[.step], ArrayJobID_Task[.step] or
// HetJobID+offset[.step].
func parseSacctID(v []byte) (id sacctID, want string) {
	const wanted = "a job's number, such as 123, 123_4, 123_[0-9], 12+0 or 123.batch"
	n, rest := parse.Digits(v)
	if len(rest) == len(v) {
		return id, wanted
	}
	id.job = n
	if len(rest) > 0 && (rest[0] == '_' || rest[0] == '+') {
		id.kind = idTask
		if rest[0] == '+' {
			id.kind = idHet
		}
		part := rest[1:]
		if id.kind == idTask && len(part) > 0 && part[0] == '[' {
			id.kind = idTasks
			end := bytes.IndexByte(part, ']')
			if end < 0 { // squeue cuts long lists
				part = append(bytes.Clone(part), "...]"...)
				end = len(part) - 1
			}
			for _, c := range part[1:end] {
				if c-'0' > 9 && c != '-' && c != ',' && c != '%' && c != ':' && c != '.' {
					return id, wanted
				}
			}
			id.waiting, rest = string(part[1:end]), part[end+1:]
		} else if id.part, rest = parse.Digits(part); len(rest) == len(part) {
			return id, wanted
		}
	}
	if len(rest) == 0 {
		return id, ""
	}
	if rest[0] != '.' || len(rest) < 2 {
		return id, wanted
	}
	for _, c := range rest[1:] {
		if c <= ' ' || c == '|' {
			return id, wanted
		}
	}
	id.step = true
	id.one = string(rest) == ".batch" || string(rest) == ".interactive"
	return id, ""
}
