package columnar

import (
	"encoding/binary"
	"math/bits"
)

// deltaBlock is the values of a block of DELTA_BINARY_PACKED, and deltaMinis its
// parts, which could each be packed in bits of their own.
const (
	deltaBlock = 128
	deltaMinis = 4
)

// appendDelta appends values in Parquet's DELTA_BINARY_PACKED encoding. Differences
// are packed in whole bytes, as many in all parts of a block: zstd makes less of
// them so than of fewer bits, because times are multiples of seconds.
func appendDelta(dst []byte, values []uint64) []byte {
	dst = binary.AppendUvarint(dst, deltaBlock)
	dst = binary.AppendUvarint(dst, deltaMinis)
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	first := int64(0)
	if len(values) > 0 {
		first = int64(values[0])
	}
	dst = binary.AppendVarint(dst, first)
	for at := 1; at < len(values); at += deltaBlock {
		n := min(deltaBlock, len(values)-at)
		var deltas [deltaBlock]int64
		least := int64(values[at] - values[at-1])
		for i := range n {
			deltas[i] = int64(values[at+i] - values[at+i-1])
			least = min(least, deltas[i])
		}
		all := uint64(0)
		for _, d := range deltas[:n] {
			all |= uint64(d - least)
		}
		bytes := (bits.Len64(all) + 7) / 8
		dst = binary.AppendVarint(dst, least)
		for range deltaMinis {
			dst = append(dst, byte(8*bytes))
		}
		const part = deltaBlock / deltaMinis
		for i := range (n + part - 1) / part * part { // parts without values have no data
			d := uint64(0)
			if i < n {
				d = uint64(deltas[i] - least)
			}
			for range bytes {
				dst = append(dst, byte(d))
				d >>= 8
			}
		}
	}
	return dst
}
