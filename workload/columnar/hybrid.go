package columnar

import (
	"encoding/binary"
	"errors"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// Parquet's run-length and bit-packing hybrid, in which definition levels and
// dictionary indices are written.

var errHybrid = errors.New("run lengths do not fit the page")

// hybridReader decodes numbers of a fixed width, run by run.
type hybridReader struct {
	b       []byte // after the current run
	width   uint   // bits, at most 32
	repeats int    // left of a run of one value
	value   uint32
	packed  []byte // a bit-packed run
	bit     int    // position in packed
	literal int    // left of the bit-packed run
}

func newHybridReader(b []byte, width uint) hybridReader {
	return hybridReader{b: b, width: width}
}

// run begins the next run; one with nothing in it is passed over.
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
		size := groups * int(h.width) // eight values a group
		if size > len(h.b) {
			// The last group may be cut off after its last value.
			size = len(h.b)
			if h.width > 0 {
				groups = size / int(h.width)
				if rest := size % int(h.width); rest > 0 {
					h.literal = rest * 8 / int(h.width)
				}
			}
		}
		h.packed, h.bit = h.b[:size], 0
		h.literal += groups * 8
		h.b = h.b[size:]
	}
	return nil
}

// bits decodes n numbers of width 1 into a bitmap from position at, and
// returns how many are 1.
func (h *hybridReader) bits(bitmap []byte, at, n int) (set int, err error) {
	for n > 0 {
		if err := h.run(); err != nil {
			return set, err
		}
		if h.repeats > 0 {
			k := min(n, h.repeats)
			if h.value > 1 {
				return set, errHybrid
			}
			bitutil.SetBitsTo(bitmap, int64(at), int64(k), h.value == 1)
			set += k * int(h.value)
			h.repeats -= k
			at, n = at+k, n-k
			continue
		}
		k := min(n, h.literal)
		bitutil.CopyBitmap(h.packed, h.bit, k, bitmap, at)
		set += bitutil.CountSetBits(bitmap, at, k)
		h.bit += k
		h.literal -= k
		at, n = at+k, n-k
	}
	return set, nil
}

// lookup decodes len(dst) indices and puts the dictionary's words there.
func (h *hybridReader) lookup(dst, dict []uint64) error {
	for len(dst) > 0 {
		if err := h.run(); err != nil {
			return err
		}
		if h.repeats > 0 {
			k := min(len(dst), h.repeats)
			if uint64(h.value) >= uint64(len(dict)) {
				return errHybrid
			}
			x := dict[h.value]
			for i := range dst[:k] {
				dst[i] = x
			}
			h.repeats -= k
			dst = dst[k:]
			continue
		}
		k := min(len(dst), h.literal)
		if err := h.unpack(dst[:k], dict); err != nil {
			return err
		}
		h.literal -= k
		dst = dst[k:]
	}
	return nil
}

// unpack is lookup within a bit-packed run.
func (h *hybridReader) unpack(dst, dict []uint64) error {
	var (
		b    = h.packed
		bit  = h.bit
		mask = uint64(1)<<h.width - 1
		i    int
	)
	for ; i < len(dst); i++ {
		from := bit >> 3
		if from+8 > len(b) {
			break
		}
		x := binary.LittleEndian.Uint64(b[from:]) >> (bit & 7) & mask
		if x >= uint64(len(dict)) {
			return errHybrid
		}
		dst[i] = dict[x]
		bit += int(h.width)
	}
	for ; i < len(dst); i++ {
		var tail [8]byte
		copy(tail[:], b[min(bit>>3, len(b)):])
		x := binary.LittleEndian.Uint64(tail[:]) >> (bit & 7) & mask
		if x >= uint64(len(dict)) {
			return errHybrid
		}
		dst[i] = dict[x]
		bit += int(h.width)
	}
	h.bit = bit
	return nil
}
