package columnar

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

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
	at    int // column of the table
	float bool
	delta bool // values that are near the one before
	zstd  *zstd.Encoder
	meta  *metadata.ColumnChunkMetaDataBuilder

	values []uint64 // bits of the values that are known
	valid  []byte   // bitmap over the rows

	dictionary bool // the last chunk has one
	distinct   []uint64
	indices    []uint16
	table      []uint16 // hash table of places in distinct, plus 1
	body       []byte   // a page
	stored     []byte   // a page compressed
}

// add gathers n rows, from row from, of the words of a column, nil for one that is unknown
// throughout; at is the row of the group where they go.
func (c *chunkEncoder) add(words []uint64, from, n, at int) {
	if c.valid == nil {
		c.valid = make([]byte, groupRows/8)
	}
	bitutil.SetBitsTo(c.valid, int64(at), int64(n), words != nil)
	if words == nil {
		return
	}
	words = words[from:][:n]
	if !slices.ContainsFunc(words, func(w uint64) bool { return isUnknown(c.float, w) }) {
		c.values = append(c.values, words...)
		return
	}
	for i, w := range words {
		if isUnknown(c.float, w) {
			bitutil.ClearBit(c.valid, at+i)
		} else {
			c.values = append(c.values, w)
		}
	}
}

// encode writes the pages of the column's rows and empties the encoder.
func (c *chunkEncoder) encode(to file.PageWriter, rows int) error {
	c.dictionary = !c.delta && c.index()
	c.statistics(rows)
	encoding := parquet.Encodings.Plain
	var width uint
	switch {
	case c.delta:
		encoding = parquet.Encodings.DeltaBinaryPacked
	case c.dictionary:
		encoding = parquet.Encodings.RLEDict
		width = uint(max(1, bits.Len(uint(len(c.distinct)-1))))
		page := file.NewDictionaryPage(memory.NewBufferBytes(appendWords(nil, c.distinct)), int32(len(c.distinct)), parquet.Encodings.Plain)
		if _, err := to.WriteDictionaryPage(page); err != nil {
			return err
		}
	}
	done := 0
	for row := 0; row < rows; row += pageRows {
		n := min(pageRows, rows-row)
		set := bitutil.CountSetBits(c.valid, row, n)
		c.body = appendLevels(c.body[:0], c.valid[row/8:], n, set)
		switch {
		case c.delta:
			c.body = appendDelta(c.body, c.values[done:done+set])
		case c.dictionary:
			c.body = appendIndices(c.body, c.indices[done:done+set], width)
		default:
			c.body = appendWords(c.body, c.values[done:done+set])
		}
		done += set
		c.stored = c.zstd.EncodeAll(c.body, c.stored[:0])
		page := file.NewDataPageV1(memory.NewBufferBytes(c.stored), int32(n), encoding, parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(c.body)))
		if _, err := to.WriteDataPage(page); err != nil {
			return err
		}
	}
	c.values = c.values[:0]
	return nil
}

// appendWords appends values plainly.
func appendWords(dst []byte, words []uint64) []byte {
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

// statistics gives the chunk its least and greatest value and its number of
// nulls, so that other programs can pass over row groups.
func (c *chunkEncoder) statistics(rows int) {
	s := metadata.EncodedStatistics{HasNullCount: true, NullCount: int64(rows - len(c.values)), Signed: true}
	words := c.values
	if c.dictionary {
		words = c.distinct
	}
	if len(words) > 0 {
		least, most := words[0], words[0]
		ordered := true
		if c.float {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, w := range words {
				x := math.Float64frombits(w)
				lo, hi = min(lo, x), max(hi, x)
			}
			// NaN has no order; the format asks for no bounds then. A zero
			// stands for both zeros.
			ordered = lo == lo
			if lo == 0 {
				lo = math.Copysign(0, -1)
			}
			if hi == 0 {
				hi = 0
			}
			least, most = math.Float64bits(lo), math.Float64bits(hi)
		} else {
			for _, w := range words {
				if int64(w) < int64(least) {
					least = w
				}
				if int64(w) > int64(most) {
					most = w
				}
			}
		}
		if ordered {
			s.SetMin(binary.LittleEndian.AppendUint64(nil, least))
			s.SetMax(binary.LittleEndian.AppendUint64(nil, most))
		}
	}
	c.meta.SetStats(s)
}
