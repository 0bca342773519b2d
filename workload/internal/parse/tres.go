package parse

import (
	"bytes"
	"math"
	"strings"
)

// TRESValue returns the amount of a trackable resource of Slurm's in a text such as
// "cpu=4,mem=16G,gres/gpu=2", or "1=4,2=16000,1001=2" with the numbers of its
// database; false where it is not in it. Of several keys the first that is there
// counts.
func TRESValue(text string, keys []string) (string, bool) {
	for _, key := range keys {
		if amount := TRES([]byte(text), key); amount != nil {
			return string(amount), true
		}
	}
	return "", false
}

// TRES is TRESValue for one key; it returns nil where the resource is not in the text.
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

// TRESName returns the type of a resource in such a text: "v100" of
// "gres/gpu:v100=2" for the key "gres/gpu"; "" where none is named.
func TRESName(text string, keys []string) string {
	for _, key := range keys {
		for item := range strings.SplitSeq(text, ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(item), "=")
			if kind, ok := strings.CutPrefix(name, key+":"); ok {
				return kind
			}
		}
	}
	return ""
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
