package columnar

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/klauspost/compress/zstd"
)

// chunkEncoder collects a column of a row group, with its nulls removed, and encodes it. Definition
// levels are the unchanged validity bitmap. Values are in plain encoding: after zstd, dictionaries
// make the files of few logs smaller and those of many larger.
type chunkEncoder struct {
	float bool
	zstd  *zstd.Encoder
	meta  *metadata.ColumnChunkMetaDataBuilder

	values []uint64 // bits of the known values
	valid  []byte   // bitmap over the rows
	rows   int

	body   []byte // a page before compression
	stored []byte // a compressed page
}

// add adds n rows; words is nil if all are unknown.
func (c *chunkEncoder) add(words []uint64, n int) {
	if c.valid == nil {
		c.valid = make([]byte, groupRows/8)
	}
	at, known := c.rows, 0
	c.rows += n
	for _, w := range words {
		if !c.unknown(w) {
			known++
		}
	}
	bitutil.SetBitsTo(c.valid, int64(at), int64(n), known == n)
	switch known {
	case 0:
	case n:
		c.values = append(c.values, words...)
	default:
		for i, w := range words {
			if !c.unknown(w) {
				c.values = append(c.values, w)
				c.valid[(at+i)>>3] |= 1 << ((at + i) & 7)
			}
		}
	}
}

// unknown reports whether a word is NaN or workload.Unknown.
func (c *chunkEncoder) unknown(w uint64) bool {
	if c.float {
		return w&^(1<<63) > 0x7ff<<52
	}
	return w == nullWhole
}

// encode writes the pages of the column's rows and empties the encoder.
func (c *chunkEncoder) encode(to file.PageWriter, rows int) error {
	c.meta.SetStats(metadata.EncodedStatistics{HasNullCount: true, NullCount: int64(rows - len(c.values))})
	done := 0
	for row := 0; row < rows; row += pageRows {
		n := min(pageRows, rows-row)
		set := bitutil.CountSetBits(c.valid, row, n)
		c.body = appendLevels(c.body[:0], c.valid[row/8:], n, set)
		c.body = append(c.body, arrow.Uint64Traits.CastToBytes(c.values[done:done+set])...)
		done += set
		c.stored = c.zstd.EncodeAll(c.body, c.stored[:0])
		page := file.NewDataPageV1(memory.NewBufferBytes(c.stored), int32(n), parquet.Encodings.Plain, parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(c.body)))
		if _, err := to.WriteDataPage(page); err != nil {
			return err
		}
	}
	c.values, c.rows = c.values[:0], 0
	return nil
}

// appendLevels appends the definition levels of a page of an optional column: its validity bitmap,
// or one run if all bits are equal, with the length before it. bitmap begins with the page's first
// row; set is the number of rows that are set.
func appendLevels(dst, bitmap []byte, rows, set int) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	switch set {
	case 0:
		dst = append(binary.AppendUvarint(dst, uint64(rows)<<1), 0)
	case rows:
		dst = append(binary.AppendUvarint(dst, uint64(rows)<<1), 1)
	default:
		groups := (rows + 7) / 8
		dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
		dst = append(dst, bitmap[:groups]...)
		if rest := rows & 7; rest > 0 {
			dst[len(dst)-1] &= 1<<rest - 1
		}
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}
