package slurm

import (
	"bytes"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The parsers in this file return what they expected if they cannot read a value, and ""
// otherwise.

// isNoValue reports whether v is one of the values that Slurm prints for a number or a time that
// is not set or has no limit: a word, or NO_VAL or INFINITE of 32 or 64 bits, from a command that
// does not handle them.
func isNoValue(v []byte) bool {
	switch string(v) {
	case "", "4294967294", "4294967295", "18446744073709551614", "18446744073709551615",
		"NO_VAL", "NOT_SET", "UNLIMITED", "Unlimited", "INFINITE", "Partition_Limit":
		return true
	}
	return isUnknownWord(v)
}

// isUnknownWord reports whether v is one of Slurm's words for an unknown value.
func isUnknownWord(v []byte) bool {
	switch string(v) {
	case "Unknown", "None", "N/A", "None assigned", "(null)", "INVALID":
		return true
	}
	return false
}

// parseCount parses a whole number; an empty one is Unknown.
func parseCount(v []byte) (n int64, want string) {
	n, isWhole := parse.PlainWhole(v)
	switch {
	case isWhole && len(v) < 10:
		return n, ""
	case isNoValue(v):
		return workload.Unknown, ""
	case isWhole:
		return n, ""
	case parse.IsDigits(v):
		return 0, "a number of at most 15 digits"
	}
	return parseShortCount(v)
}

// parseShortCount parses a count that is not written in digits alone. By default, Slurm shortens
// large counts to two decimals, by 1024 as for sizes ("1.50K" is 1536), and other programs write
// whole numbers as "4.0". The result for a rounded count is approximate.
func parseShortCount(v []byte) (n int64, want string) {
	number, factor := v, 1.0
	if last := v[len(v)-1] &^ 0x20; last > 'B' {
		number, factor = parse.MemorySuffix(v)
		factor *= 1024
	}
	if len(number) > 0 && number[0] != '-' && factor > 0 {
		switch x, ok := parse.Decimal(number); {
		case !ok || factor == 1 && x != math.Trunc(x):
		case x*factor >= 1e15:
			return 0, "a number of at most 15 digits"
		default:
			return int64(math.Round(x * factor)), ""
		}
	}
	return 0, "a whole number of 0 or more"
}

// Count parses a whole number as printed by Slurm's commands. It returns workload.Unknown if
// text is empty, means no limit, or is not a whole number.
func Count(text string) int64 {
	if n, want := parseCount([]byte(text)); want == "" {
		return n
	}
	return workload.Unknown
}

// Duration parses a duration as printed by Slurm's commands, such as 2-12:00:00, and returns it
// in seconds. It returns NaN if text is empty, means no limit, or is not a duration.
func Duration(text string) float64 {
	if seconds, want := parseDuration([]byte(text)); want == "" {
		return seconds
	}
	return math.NaN()
}

// parseDuration parses MM:SS, HH:MM:SS, D-HH:MM or D-HH:MM:SS, with an optional fraction, in
// seconds. Without days, the hours may be of any size, and without hours, the minutes.
func parseDuration(v []byte) (s float64, want string) {
	switch {
	case isNoValue(v):
		return math.NaN(), ""
	case bytes.IndexByte(v, ':') < 0:
		return 0, "a time of the form MM:SS, HH:MM:SS, D-HH:MM or D-HH:MM:SS"
	}
	return parse.Elapsed(v)
}

// idKind is the kind of job or jobs that a record's number identifies.
type idKind uint8

const (
	idPlain idKind = iota
	idTask         // 123_4, a task of an array
	idHet          // 12+1, a component of a heterogeneous job
	idTasks        // 123_[0-467], the tasks that still wait
)

// jobID is the number of a record.
type jobID struct {
	jobKey
	step bool // the record is of a step of the job
	one  bool // the step has one task, as the batch script does
}

// parseID parses JobID[.step], ArrayJobID_Task[.step] or HetJobID+offset[.step].
func parseID(v []byte) (id jobID, want string) {
	const wanted = "a job's number, such as 123, 123_4, 123_[0-9], 12+0 or 123.batch"
	n, rest := parse.Digits(v)
	if len(rest) == len(v) {
		return id, wanted
	}
	id.job = n
	switch {
	case bytes.HasPrefix(rest, []byte("_[")):
		id.kind = idTasks
		var tasks []byte
		if tasks, rest, _ = bytes.Cut(rest[2:], []byte{']'}); len(bytes.Trim(tasks, "0123456789-,%:.")) > 0 {
			return id, wanted
		}
	case len(rest) > 0 && (rest[0] == '_' || rest[0] == '+'):
		id.kind = idTask
		if rest[0] == '+' {
			id.kind = idHet
		}
		part := rest[1:]
		if id.part, rest = parse.Digits(part); len(rest) == len(part) {
			return id, wanted
		}
	}
	if len(rest) == 0 {
		return id, ""
	}
	for _, c := range rest {
		if rest[0] != '.' || len(rest) < 2 || c <= ' ' || c == '|' {
			return id, wanted
		}
	}
	id.step = true
	id.one = string(rest) == ".batch" || string(rest) == ".interactive"
	return id, ""
}

// timeKind is the kind of a time in a record.
type timeKind uint8

const (
	timeUnknown timeKind = iota
	timeLocal            // seconds since 1970 as if the site's clock were UTC
	timeUnix             // seconds since 1970
	timeZero             // a time in 1970: Slurm's 0, which means none
)

type timeText struct {
	seconds int64
	kind    timeKind
}

// parseTime parses YYYY-MM-DDTHH:MM:SS, followed by "Z" or an offset if SLURM_TIME_FORMAT
// requests one (other programs append ".000000"), or seconds since 1970.
func parseTime(v []byte) (t timeText, want string) {
	const wanted = "a time such as 2021-12-10T14:23:28 (unset SLURM_TIME_FORMAT)"
	if len(v) < 19 || v[4] != '-' {
		n, isWhole := parse.PlainWhole(v)
		switch {
		case isNoValue(v):
			return t, ""
		case !isWhole || len(v) > 11:
			return t, wanted
		case n == 0:
			return timeText{n, timeZero}, ""
		}
		return timeText{n, timeUnix}, ""
	}
	seconds, _, local, wrong := parse.Stamp(v)
	switch {
	case wrong == parse.WantStamp:
		return t, wanted
	case wrong != "" || seconds < -365*86400:
		return t, "a time in 1970 or later"
	case seconds < 365*86400:
		return timeText{seconds, timeZero}, ""
	case local:
		return timeText{seconds, timeLocal}, ""
	}
	return timeText{seconds, timeUnix}, ""
}

const (
	maxMemory     = 1 << 50       // KB; 1 EiB is more than any job has
	maxNodeMemory = 1 << 34       // KB; 16 TiB is more than a processor has, or each of many nodes
	memoryFlag    = 1 << 31 << 10 // KB; MEM_PER_CPU of 32 bits, which counts MB
)

// size is an amount of memory.
type size struct {
	kb  float64
	per byte // 'n' for each node, 'c' for each processor, 0 for the whole job
}

// parseSize parses an amount with a unit; plain is the unit of a number without one ('B' for
// bytes). Before version 21, a letter followed in ReqMem: 'n' for each node, 'c' for each
// processor. A flag of 2^63 (MEM_PER_CPU of slurm.h) also means 'c'; for the flag of 2^31,
// before version 16, see withoutFlag.
func parseSize(v []byte, plain byte) (s size, want string) {
	const wanted = "an amount such as 4000M, 2.5G or 5000Mc"
	none := size{kb: math.NaN()}
	if isNoValue(v) {
		return none, ""
	}
	number := v
	if last := number[len(number)-1]; last == 'n' || last == 'c' {
		s.per = last
		number = number[:len(number)-1]
	}
	number, unit := parse.MemorySuffix(number)
	if unit == 0 {
		unit = parse.MemoryUnit(plain)
	}
	switch {
	case len(number) == 0, number[0] == '-':
		return s, wanted
	case isNoValue(number):
		return none, ""
	}
	x, ok := parse.Decimal(number)
	if !ok {
		n, err := strconv.ParseUint(string(number), 10, 64)
		if err != nil || n < 1<<63 || unit != 1024 {
			return s, wanted
		}
		x, s.per = float64(n-1<<63), 'c'
	}
	s.kb = x * unit
	return s, ""
}

// withoutFlag removes the flag for "per processor" from an amount of memory, if Slurm did not
// remove it: no node has so much memory. nodes is the number of nodes that have the amount
// together.
func (s size) withoutFlag(nodes int64) size {
	if s.kb >= memoryFlag && s.kb-memoryFlag < maxNodeMemory && s.kb >= float64(max(nodes, 1))*maxNodeMemory {
		return size{s.kb - memoryFlag, 'c'}
	}
	return s
}

// listed returns the amount of one of Slurm's trackable resources in a list such as
// "cpu=4,mem=16G,gres/gpu=2"; nil if it is not in the list.
func listed(list []byte, key string) []byte {
	for item := range bytes.SplitSeq(list, []byte{','}) {
		if name, amount, _ := bytes.Cut(item, []byte{'='}); string(name) == key {
			return amount
		}
	}
	return nil
}
