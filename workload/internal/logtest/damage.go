package logtest

import (
	"bytes"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Damage alters a copy of a file: a bit flipped, a block zeroed, bytes made
// up, or the end cut off.
func Damage(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	at := rng.IntN(len(b))
	if rng.IntN(3) == 0 { // the footer is small and matters most
		at = len(b) - 1 - rng.IntN(min(len(b), 5000))
	}
	switch rng.IntN(5) {
	case 0, 1:
		b[at] ^= 1 << rng.IntN(8)
	case 2:
		clear(b[at:min(len(b), at+1+rng.IntN(64))])
	case 3:
		for i := range b[at:min(len(b), at+1+rng.IntN(8))] {
			b[at+i] = byte(rng.Uint32())
		}
	case 4:
		b = b[:at]
	}
	return b
}

// Drain reads a log to its end, looking at every value.
func Drain(l *workload.Log, err error) (rows int64, _ error) {
	if err != nil {
		return 0, err
	}
	defer l.Close()
	for rec, err := range l.Batches() {
		if err != nil {
			return rows, err
		}
		v := workload.NewView(rec)
		for i := range v.Len() {
			v.Job(i, rows)
			rows++
		}
	}
	return rows, nil
}
