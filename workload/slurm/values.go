package slurm

import (
	"bytes"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The parsers of this file return what was wanted instead of a value that they
// cannot read, else "".

// parseCount reads a whole number; an empty one is Unknown.
func parseCount(v []byte) (n int64, want string) {
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

// parseDuration reads [DD-[HH:]]MM:SS[.mmm] in seconds. The hours of a
// time without days may be of any size, and so may the minutes without hours.
func parseDuration(v []byte) (s float64, want string) {
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
			return secondsOf(days, parts, count, dash, s)
		default:
			return 0, wanted
		}
		n, digits = 0, 0
	}
	if digits != 2 || count == 0 {
		return 0, wanted
	}
	parts[count] = n
	return secondsOf(days, parts, count, dash, 0)
}

// secondsOf adds up count+1 parts, of which the last are seconds.
func secondsOf(days int64, parts [3]int64, count int, dash bool, fraction float64) (float64, string) {
	h, m, s := parts[0], parts[1], parts[2]
	if count == 1 {
		h, m, s = 0, parts[0], parts[1]
	}
	if s > 59 || count == 2 && m > 59 || dash && h > 23 {
		return 0, "a time with hours below 24, minutes and seconds below 60"
	}
	return float64(days*86400+h*3600+m*60+s) + fraction, ""
}

// idKind is what a record's number identifies.
type idKind uint8

const (
	idPlain idKind = iota
	idTask         // 123_4, a task of an array
	idHet          // 12+1, a component of a heterogeneous job
	idTasks        // 123_[0-467], the tasks that still wait
)

// jobID is a record's number.
type jobID struct {
	job  int64
	part int64 // of an array or a heterogeneous job
	kind idKind
	step bool // of the job
	one  bool // the step has one task: the batch script

	waiting string // of idTasks, what is between the brackets
}

// parseID reads JobID[.step], ArrayJobID_Task[.step] or
// HetJobID+offset[.step].
func parseID(v []byte) (id jobID, want string) {
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

// firstOfRange returns the lower end of a range, as of processors that a job may have.
func firstOfRange(v []byte) []byte {
	if i := bytes.IndexByte(v, '-'); i > 0 {
		return v[:i]
	}
	return v
}

// timeKind is how much a time in a record says.
type timeKind uint8

const (
	timeUnknown timeKind = iota
	timeLocal            // seconds since 1970 as if the site's clock were UTC
	timeUnix             // seconds since 1970
	timeZero             // the clock of 1970: Slurm's 0, which means none
)

type timeText struct {
	seconds int64
	kind    timeKind
}

// parseTime reads YYYY-MM-DDTHH:MM:SS, with "Z" or an offset behind it
// where SLURM_TIME_FORMAT asked for one (other programs add ".000000"), or seconds since 1970.
func parseTime(v []byte) (t timeText, want string) {
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

// parseSize reads an amount with a unit, in kilobytes; plain is the unit of a
// number without one ('B' for bytes). Before version 21 a letter followed in ReqMem
// that said of what: n, of each node, or c, of each processor. A flag of 2^63 (MEM_PER_CPU
// of slurm.h) says the latter too; that of 2^31, before version 16, see withoutFlag.
func parseSize(v []byte, plain byte) (kb float64, per byte, want string) {
	if isNoValue(v) {
		return math.NaN(), 0, ""
	}
	const wanted = "an amount such as 4000M, 2.5G or 5000Mc"
	number := v
	if last := number[len(number)-1]; last == 'n' || last == 'c' {
		per = last
		number = number[:len(number)-1]
	}
	number, unit := parse.MemorySuffix(number)
	if unit == 0 {
		unit = parse.MemoryUnit(plain)
	}
	switch {
	case len(number) == 0, number[0] == '-':
		return 0, 0, wanted
	case isNoValue(number):
		return math.NaN(), 0, ""
	}
	x, ok := parse.Decimal(number)
	if !ok {
		if n, err := strconv.ParseUint(string(number), 10, 64); err == nil && n >= 1<<63 && unit == 1024 {
			return float64(n&^(1<<63)) * unit, 'c', ""
		}
		return 0, 0, wanted
	}
	return x * unit, per, ""
}

// withoutFlag takes off an amount of memory the flag that it is for each processor, where
// Slurm forgot to: no node has so much. nodes is how many have it together.
func withoutFlag(kb float64, nodes int64) (rest float64, perCPU bool) {
	if kb >= memoryFlag && kb-memoryFlag < maxNodeMemory && kb >= float64(max(nodes, 1))*maxNodeMemory {
		return kb - memoryFlag, true
	}
	return kb, false
}

// memoryIn reads the memory in a list of resources in KB, as amountIn does an amount.
func memoryIn(list []byte, bad func([]byte)) (kb float64, want string) {
	amount := tresAmount(list, "mem")
	kb, per, want := parseSize(amount, 'M')
	if digits := bytes.TrimRight(bytes.TrimPrefix(amount, []byte{'-'}), "KMGTP"); want != "" && parse.IsDigits(digits) {
		bad(list)
		return math.NaN(), ""
	}
	nodes, _ := parseCount(tresAmount(list, "node"))
	rest, perCPU := withoutFlag(kb, nodes)
	if kb = rest; perCPU || per == 'c' {
		processors, _ := parseCount(tresAmount(list, "cpu"))
		if kb *= float64(processors); processors <= 0 {
			return math.NaN(), want
		}
	}
	if kb > maxMemory {
		bad(list)
		return math.NaN(), ""
	}
	return kb, want
}

// amountIn reads an amount in a list of resources. One below 0 or of more than 15 digits is
// unknown and given to bad.
func amountIn(list, amount []byte, bad func([]byte)) (n int64, want string) {
	n, want = parseCount(amount)
	if want != "" && parse.IsDigits(bytes.TrimPrefix(amount, []byte{'-'})) {
		bad(list)
		return workload.Unknown, ""
	}
	return n, want
}

// lacksGPUs reports whether a list of resources has none, where Slurm counts GPUs. A list of
// shards or of MPS has a part of one, of which only the site knows how large it is.
func lacksGPUs(list []byte) bool {
	for _, part := range []string{"gres/gpu", "gres/shard", "gres/mps"} {
		if bytes.Contains(list, []byte(part)) {
			return false
		}
	}
	return len(list) > 0
}

// gpusIn returns the GPUs in a list of resources, and the kind that is named first:
// "gres/gpu=4,gres/gpu:a100=4". Without the sum the kinds are added up.
func gpusIn(list []byte, bad func([]byte)) (gpus int64, kind []byte, want string) {
	const key = "gres/gpu"
	gpus = workload.Unknown
	sum := int64(0)
	for tres := list; len(tres) > 0; {
		item, rest, _ := bytes.Cut(tres, []byte{','})
		tres = rest
		name, amount, _ := bytes.Cut(item, []byte{'='})
		if !bytes.HasPrefix(name, []byte(key)) || len(name) > len(key) && name[len(key)] != ':' {
			continue
		}
		n, want := amountIn(list, amount, bad)
		if want != "" {
			return workload.Unknown, nil, want
		}
		switch {
		case n == workload.Unknown:
		case len(name) == len(key):
			gpus = n
		default:
			sum += n
			if kind == nil {
				kind = name[len(key)+1:]
			}
		}
	}
	if gpus == workload.Unknown && sum > 0 {
		gpus = sum
	}
	return gpus, kind, ""
}

// tresAmount returns the amount of a trackable resource of Slurm in a text such as
// "cpu=4,mem=16G,gres/gpu=2"; nil where it is not in it.
func tresAmount(text []byte, key string) []byte {
	for len(text) > 0 {
		item, rest, _ := bytes.Cut(text, []byte{','})
		item = bytes.TrimSpace(item)
		if len(item) > len(key) && item[len(key)] == '=' && string(item[:len(key)]) == key {
			return item[len(key)+1:]
		}
		text = rest
	}
	return nil
}
