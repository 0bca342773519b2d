package columnar

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxDictionary is the most values that a dictionary holds: its page is
	// then small enough to stay in a core's cache.
	maxDictionary = 1 << 14
	// dictionarySample is the number of values after which a column with
	// mostly different ones is written plainly.
	dictionarySample = 1 << 12
)

// chunkEncoder gathers a column of a row group, its values without the nulls,
// and encodes it. Definition levels are the validity bitmap as it is; values
// are a dictionary and indices where they repeat, else plain.
type chunkEncoder struct {
	float bool
	zstd  *zstd.Encoder
	meta  *metadata.ColumnChunkMetaDataBuilder

	values []uint64 // bits of the values that are known
	valid  []byte   // bitmap over the rows
	rows   int

	dictionary bool // the last chunk has one
	distinct   []uint64
	indices    []uint16
	table      []uint16 // hash table of places in distinct, plus 1
	body       []byte   // a page
	stored     []byte   // a page compressed
}

// add gathers n rows; words are nil where all are unknown.
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

// unknown reports whether a word is that of NaN or workload.Unknown.
func (c *chunkEncoder) unknown(w uint64) bool {
	if c.float {
		return w&^(1<<63) > 0x7ff<<52
	}
	return w == nullWhole
}

// encode writes the pages of the column's rows and empties the encoder.
func (c *chunkEncoder) encode(to file.PageWriter, rows int) error {
	c.dictionary = c.index()
	c.meta.SetStats(metadata.EncodedStatistics{HasNullCount: true, NullCount: int64(rows - len(c.values))})
	encoding := parquet.Encodings.Plain
	var width uint
	if c.dictionary {
		encoding = parquet.Encodings.RLEDict
		width = uint(max(1, bits.Len(uint(len(c.distinct)-1))))
		page := file.NewDictionaryPage(memory.NewBufferBytes(appendPlain(nil, c.distinct)), int32(len(c.distinct)), parquet.Encodings.Plain)
		if _, err := to.WriteDictionaryPage(page); err != nil {
			return err
		}
	}
	done := 0
	for row := 0; row < rows; row += pageRows {
		n := min(pageRows, rows-row)
		set := bitutil.CountSetBits(c.valid, row, n)
		c.body = appendLevels(c.body[:0], c.valid[row/8:], n, set)
		if c.dictionary {
			c.body = appendIndices(c.body, c.indices[done:done+set], width)
		} else {
			c.body = appendPlain(c.body, c.values[done:done+set])
		}
		done += set
		c.stored = c.zstd.EncodeAll(c.body, c.stored[:0])
		page := file.NewDataPageV1(memory.NewBufferBytes(c.stored), int32(n), encoding, parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(c.body)))
		if _, err := to.WriteDataPage(page); err != nil {
			return err
		}
	}
	c.values, c.rows = c.values[:0], 0
	return nil
}

// appendPlain appends values one after the other.
func appendPlain(dst []byte, words []uint64) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// index makes the dictionary and the indices. It is false where plain values
// are better.
func (c *chunkEncoder) index() bool {
	c.distinct, c.indices = c.distinct[:0], c.indices[:0]
	if len(c.values) == 0 {
		return false
	}
	const slots = 2 * maxDictionary
	if c.table == nil {
		c.table = make([]uint16, slots)
	}
	clear(c.table)
	last, place := c.values[0]+1, uint16(0)
	for i, x := range c.values {
		if x != last {
			// Fibonacci hashing; the high bits are the good ones.
			at := x * 0x9e3779b97f4a7c15 >> (64 - 15)
			for {
				place = c.table[at]
				if place == 0 {
					if len(c.distinct) == maxDictionary {
						return false
					}
					c.distinct = append(c.distinct, x)
					place = uint16(len(c.distinct))
					c.table[at] = place
					break
				}
				if c.distinct[place-1] == x {
					break
				}
				at = (at + 1) & (slots - 1)
			}
			last = x
		}
		c.indices = append(c.indices, place-1)
		if i == dictionarySample && len(c.distinct) > dictionarySample/2 {
			return false
		}
	}
	// A dictionary that most values are in costs more than it saves.
	return len(c.distinct) <= 1+len(c.values)/2
}

// appendLevels appends a page's definition levels of a column that is
// optional: they are its validity bitmap, behind a head. bitmap begins with
// the page's first row; set is how many of the rows are set.
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

// appendIndices appends a page's dictionary indices, behind their width.
func appendIndices(dst []byte, indices []uint16, width uint) []byte {
	dst = append(dst, byte(width))
	groups := (len(indices) + 7) / 8
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	end := len(dst) + groups*int(width)
	var (
		word uint64
		have uint
	)
	for _, x := range indices {
		word |= uint64(x) << have
		have += width
		if have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			have -= 32
		}
	}
	for len(dst) < end { // the last group is filled up with zeros
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst[:end]
}
