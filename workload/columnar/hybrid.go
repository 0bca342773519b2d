package columnar

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// hybridReader decodes Parquet's hybrid of run-length encoding and bit packing, the form of
// definition levels and dictionary indices: numbers of a fixed width, run by run.
type hybridReader struct {
	b     []byte // the bytes after the current run
	width uint   // bits, at most 32

	repeats int // values left in a run of one value
	value   uint32

	packed  []byte // a bit-packed run
	bit     int    // position in packed
	literal int    // values left in the bit-packed run
}

// run begins the next run, unless the current one has values left. It skips empty runs.
func (h *hybridReader) run() error {
	for h.repeats == 0 && h.literal == 0 {
		head, n := binary.Uvarint(h.b)
		if n <= 0 || head>>1 > 1<<31 {
			return errHybrid
		}
		h.b = h.b[n:]
		if head&1 == 0 {
			size := int(h.width+7) / 8
			if len(h.b) < size {
				return errHybrid
			}
			h.repeats, h.value = int(head>>1), 0
			for i := range size {
				h.value |= uint32(h.b[i]) << (8 * i)
			}
			h.b = h.b[size:]
			continue
		}
		groups := int(head >> 1)
		h.literal = 8 * groups
		size := groups * int(h.width) // eight values per group
		if size > len(h.b) {
			// The last group may be cut off after its last value.
			size = len(h.b)
			h.literal = 8 * size / int(h.width)
		}
		h.packed, h.bit = h.b[:size], 0
		h.b = h.b[size:]
	}
	return nil
}

// bits decodes n numbers of width 1 into a bitmap from position at on, and returns the number of
// ones.
func (h *hybridReader) bits(bitmap []byte, at, n int) (set int, err error) {
	for n > 0 {
		if err := h.run(); err != nil {
			return set, err
		}
		k := min(n, max(h.repeats, h.literal))
		if h.repeats > 0 {
			if h.value > 1 {
				return set, errHybrid
			}
			bitutil.SetBitsTo(bitmap, int64(at), int64(k), h.value == 1)
			set += k * int(h.value)
			h.repeats -= k
		} else {
			bitutil.CopyBitmap(h.packed, h.bit, k, bitmap, at)
			set += bitutil.CountSetBits(bitmap, at, k)
			h.bit += k
			h.literal -= k
		}
		at, n = at+k, n-k
	}
	return set, nil
}

// lookup decodes len(dst) indices and sets dst to their words in the dictionary.
func (h *hybridReader) lookup(dst, dict []uint64) error {
	for len(dst) > 0 {
		if err := h.run(); err != nil {
			return err
		}
		k := min(len(dst), max(h.repeats, h.literal))
		if h.repeats > 0 {
			if uint64(h.value) >= uint64(len(dict)) {
				return errHybrid
			}
			x := dict[h.value]
			for i := range dst[:k] {
				dst[i] = x
			}
			h.repeats -= k
		} else {
			if err := h.unpack(dst[:k], dict); err != nil {
				return err
			}
			h.literal -= k
		}
		dst = dst[k:]
	}
	return nil
}

// unpack is lookup for values of the current bit-packed run.
func (h *hybridReader) unpack(dst, dict []uint64) error {
	b, bit, width := h.packed, h.bit, int(h.width)
	mask := uint64(1)<<width - 1
	for i := range dst {
		from := bit >> 3
		var word uint64
		if from+8 <= len(b) {
			word = binary.LittleEndian.Uint64(b[from:])
		} else {
			var tail [8]byte
			copy(tail[:], b[min(from, len(b)):])
			word = binary.LittleEndian.Uint64(tail[:])
		}
		x := word >> (bit & 7) & mask
		if x >= uint64(len(dict)) {
			return errHybrid
		}
		dst[i] = dict[x]
		bit += width
	}
	h.bit = bit
	return nil
}
