package slurm

import (
	"bytes"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

const (
	maxMemory     = 1 << 50       // KB; 1 EiB is more than any job has
	maxNodeMemory = 1 << 34       // KB; 16 TiB is more than a processor has, or each of many nodes
	memoryFlag    = 1 << 31 << 10 // KB; MEM_PER_CPU of 32 bits, which counts MB
)

// parseSacctSize reads an amount with a unit, in kilobytes; plain is the unit of a
// number without one ('B' for bytes). Before version 21 a letter followed in ReqMem
// that said of what: n, of each node, or c, of each processor. A flag of 2^63 (MEM_PER_CPU
// of slurm.h) says the latter too; that of 2^31, before version 16, see withoutFlag.
func parseSacctSize(v []byte, plain byte) (kb float64, per byte, want string) {
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

// tresMemory reads the memory in a list of resources in KB, as tresCount does an amount.
func tresMemory(list []byte, bad func([]byte)) (kb float64, want string) {
	amount := parse.TRES(list, "mem")
	kb, per, want := parseSacctSize(amount, 'M')
	if digits := bytes.TrimRight(bytes.TrimPrefix(amount, []byte{'-'}), "KMGTP"); want != "" && parse.IsDigits(digits) {
		bad(list)
		return math.NaN(), ""
	}
	nodes, _ := parseSacctCount(parse.TRES(list, "node"))
	rest, perCPU := withoutFlag(kb, nodes)
	if kb = rest; perCPU || per == 'c' {
		processors, _ := parseSacctCount(parse.TRES(list, "cpu"))
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
