package parse

import (
	"bytes"
	"math"
	"strings"
)

// TRES returns the amount of a trackable resource of Slurm in a text such as
// "cpu=4,mem=16G,gres/gpu=2"; nil where it is not in it.
func TRES(text []byte, key string) []byte {
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

// MemorySuffix takes the unit off an amount of memory: kb is how many kilobytes it is,
// 0 where there is none.
func MemorySuffix(text []byte) (number []byte, kb float64) {
	if len(text) == 0 {
		return text, 0
	}
	last := len(text) - 1
	if kb = MemoryUnit(text[last]); kb == 0 {
		return text, 0
	}
	return text[:last], kb
}

// MemoryUnit is how many kilobytes a unit is, B to E (of 1024): 0 for other letters.
func MemoryUnit(letter byte) float64 {
	exponent := strings.IndexByte("BKMGTPE", letter&^0x20)
	if exponent < 0 || letter < 'A' {
		return 0
	}
	return math.Ldexp(1, 10*(exponent-1))
}
