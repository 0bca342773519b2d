package columnar

import (
	"encoding/binary"
	"errors"
)

var errDelta = errors.New("delta blocks do not fit the page")

// maxDeltaValues bounds what one page of deltas is expanded to: a corrupt one
// can claim any number in a few bytes.
const maxDeltaValues = 1 << 24

// decodeDelta decodes a page of Parquet's DELTA_BINARY_PACKED encoding: the
// first value, then blocks of differences, each block's least difference apart
// and the rest bit-packed. bits is 32 or 64, the width that sums wrap at. rest is
// what follows them.
func decodeDelta(b []byte, bits uint, most int) (out []uint64, rest []byte, err error) {
	w := compactWalker{b: b}
	block, err1 := w.uvarint()
	minis, err2 := w.uvarint()
	total, err3 := w.uvarint()
	first, err4 := w.zigzag()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, nil, errDelta
	}
	if total > uint64(most) || total > maxDeltaValues || minis == 0 || minis > 1<<16 || block > 1<<24 || block%minis != 0 || block/minis%8 != 0 || block == 0 {
		return nil, nil, errDelta
	}
	wrap := ^uint64(0) >> (64 - bits)
	out = make([]uint64, 0, total)
	if total == 0 {
		return out, w.b, nil
	}
	x := uint64(first)
	out = append(out, x&wrap)
	each := int(block / minis)
	for len(out) < int(total) {
		least, err := w.zigzag()
		if err != nil || uint64(len(w.b)) < minis {
			return nil, nil, errDelta
		}
		widths := w.b[:minis]
		w.b = w.b[minis:]
		for _, width := range widths {
			if len(out) == int(total) {
				break // what follows has no data
			}
			size := each / 8 * int(width)
			if width > 64 || size > len(w.b) {
				return nil, nil, errDelta
			}
			packed := w.b[:size]
			w.b = w.b[size:]
			for i := range min(each, int(total)-len(out)) {
				x += uint64(least) + unpackWide(packed, i*int(width), uint(width))
				out = append(out, x&wrap)
			}
		}
	}
	return out, w.b, nil
}

// unpackWide reads up to 64 bits from a bit position.
func unpackWide(b []byte, bit int, width uint) uint64 {
	if width == 0 {
		return 0
	}
	var word [9]byte
	copy(word[:], b[bit>>3:])
	shift := uint(bit & 7)
	x := binary.LittleEndian.Uint64(word[:8]) >> shift
	if shift > 0 {
		x |= uint64(word[8]) << (64 - shift)
	}
	return x & (^uint64(0) >> (64 - width))
}
