package columnar

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// The examples of the format's description (Parquet, Encodings.md): the
// numbers 0 to 7 in three bits, and runs.
func TestHybridReader(t *testing.T) {
	dict := []uint64{10, 11, 12, 13, 14, 15, 16, 17}
	for _, c := range []struct {
		name  string
		bytes []byte
		width uint
		n     int
		want  []uint64
		fails bool
	}{
		{"bit-packed", []byte{1<<1 | 1, 0x88, 0xc6, 0xfa}, 3, 8, []uint64{10, 11, 12, 13, 14, 15, 16, 17}, false},
		{"part of a group", []byte{1<<1 | 1, 0x88, 0xc6, 0xfa}, 3, 5, []uint64{10, 11, 12, 13, 14}, false},
		{"last group cut off", []byte{1<<1 | 1, 0x88, 0xc6}, 3, 5, []uint64{10, 11, 12, 13, 14}, false},
		{"a run", []byte{3 << 1, 2}, 3, 3, []uint64{12, 12, 12}, false},
		{"a run and a group", []byte{2 << 1, 5, 1<<1 | 1, 0x88, 0xc6, 0xfa}, 3, 4, []uint64{15, 15, 10, 11}, false},
		{"width none", []byte{5 << 1}, 0, 5, []uint64{10, 10, 10, 10, 10}, false},
		{"packed, width none", []byte{1<<1 | 1}, 0, 8, []uint64{10, 10, 10, 10, 10, 10, 10, 10}, false},
		{"too few", []byte{3 << 1, 2}, 3, 4, nil, true},
		{"beyond the dictionary", []byte{3 << 1, 8}, 4, 3, nil, true},
		{"packed beyond the dictionary", []byte{1<<1 | 1, 0xff, 0xff, 0xff, 0xff}, 4, 8, nil, true},
		{"words beyond the dictionary", append([]byte{2<<1 | 1}, bytes.Repeat([]byte{0xff}, 16)...), 8, 16, nil, true},
		{"an empty run, and no more", []byte{0, 0}, 3, 1, nil, true},
		{"nothing", nil, 3, 1, nil, true},
		{"head cut off", []byte{0x80}, 3, 1, nil, true},
		{"value cut off", []byte{3 << 1}, 3, 1, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHybridReader(c.bytes, c.width)
			got := make([]uint64, c.n)
			err := h.lookup(got, dict)
			if (err != nil) != c.fails || !c.fails && !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestHybridRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.UintRange(1, 14).Draw(t, "width")
		limit := rapid.IntRange(1, 1<<width).Draw(t, "limit")
		indices := rapid.SliceOfN(rapid.Uint16Range(0, uint16(limit-1)), 1, 200).Draw(t, "indices")
		if rapid.Bool().Draw(t, "same") {
			for i := range indices {
				indices[i] = indices[0]
			}
		}
		dict := make([]uint64, 1<<width)
		for i := range dict {
			dict[i] = uint64(i)
		}
		b := appendIndices(nil, indices, width)
		if b[0] != byte(width) {
			t.Fatal("no width")
		}
		h := newHybridReader(b[1:], width)
		for at := 0; at < len(indices); {
			n := min(rapid.IntRange(1, 50).Draw(t, "n"), len(indices)-at)
			got := make([]uint64, n)
			if err := h.lookup(got, dict); err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if got[i] != uint64(indices[at+i]) {
					t.Fatalf("index %d is %d, want %d", at+i, got[i], indices[at+i])
				}
			}
			at += n
		}
	})
}

func TestLevelsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, rows := range []int{1, 7, 8, 9, 64, 65, 1000} {
		for _, known := range []float64{0, 0.1, 0.9, 1} {
			bitmap := make([]byte, (rows+7)/8+1)
			set := 0
			for i := range rows {
				if rng.Float64() < known {
					bitmap[i>>3] |= 1 << (i & 7)
					set++
				}
			}
			bitmap[rows>>3] |= 0xff << (rows & 7) // what lies behind is not to show
			b := appendLevels(nil, bitmap, rows, set)
			if last := b[len(b)-1]; known > 0 && known < 1 && set < rows && rows&7 > 0 && set > 0 && last>>(rows&7) != 0 {
				t.Errorf("%d rows: bits behind the last", rows)
			}
			h := newHybridReader(b[4:], 1)
			const from = 3
			got := make([]byte, len(bitmap)+1)
			n, err := h.bits(got, from, rows)
			if err != nil || n != set {
				t.Fatalf("%d rows: %d set, %v; want %d", rows, n, err, set)
			}
			for i := range rows {
				if got[(from+i)>>3]>>((from+i)&7)&1 != bitmap[i>>3]>>(i&7)&1 {
					t.Fatalf("%d rows: row %d differs", rows, i)
				}
			}
		}
	}
}

// The example of the format's description: 1, 2, 3, 4, 5 are a first value and
// one block of differences of 1 with nothing left over; and 7, 5, 3, 1, 2, 3,
// 4, 5, whose differences less their least (-2) are 0, 0, 0, 3, 3, 3, 3.
func TestDelta(t *testing.T) {
	head := []byte{0x80, 0x01, 4} // blocks of 128 in 4 parts
	for _, c := range []struct {
		name  string
		bytes []byte
		want  []uint64
		fails bool
	}{
		{"steps of one", append(slices.Clone(head), 5, 2, 2, 0, 0, 0, 0), []uint64{1, 2, 3, 4, 5}, false},
		{"down and up", append(slices.Clone(head), 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0), []uint64{7, 5, 3, 1, 2, 3, 4, 5}, false},
		{"none", append(slices.Clone(head), 0, 0), []uint64{}, false},
		{"one", append(slices.Clone(head), 1, 3), []uint64{0xfffffffffffffffe}, false},
		{"more than rows", append(slices.Clone(head), 11, 2, 2, 0, 0, 0, 0), nil, true},
		{"cut short", append(slices.Clone(head), 8, 14, 3, 2, 0, 0, 0, 0xc0), nil, true},
		{"no parts", []byte{0x80, 0x01, 0, 5, 2}, nil, true},
		{"parts of 3", []byte{12, 4, 5, 2}, nil, true},
		{"width 65", append(slices.Clone(head), 8, 14, 3, 65, 0, 0, 0), nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := decodeDelta(c.bytes, 64, 10)
			if (err != nil) != c.fails || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
}

// The example of the format's description: three values of four bytes, first
// all first bytes, then all second ones, ...
func TestByteStreamSplit(t *testing.T) {
	c := chunkReader{chunk: chunk{typ: &columnType{physical: parquet.Types.Float, number: numberKind{float: true, narrow: true}}}}
	body := []byte{0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6}
	f, err := c.decoder(body, pageHeader{encoding: int64(byteStreamSplit)})
	if err != nil {
		t.Fatal(err)
	}
	var got [3]uint64
	if err := f(got[:2]); err != nil {
		t.Fatal(err)
	}
	if err := f(got[2:]); err != nil {
		t.Fatal(err)
	}
	if want := [3]uint64{0xddccbbaa, 0x33221100, 0xd6c5b4a3}; got != want {
		t.Errorf("%x, want %x", got, want)
	}
	if f(got[:1]) == nil {
		t.Error("a fourth value of three")
	}
}

// Lengths beyond the structure, and structures without end, are refused
// without memory being taken.
func TestCheckFooter(t *testing.T) {
	// A structure in a structure, a list in a list ..., each with its end.
	deep := append(bytes.Repeat([]byte{0x1c}, 1000), make([]byte, 1001)...)
	lists := append(bytes.Repeat([]byte{0x19}, 1000), 0x13, 1, 0)
	for name, b := range map[string][]byte{
		"empty":              {},
		"no end":             {0x15, 2},
		"long text":          {0x18, 0xff, 0xff, 0xff, 0x7f, 'x'},
		"long list":          {0x19, 0xfc, 0xff, 0xff, 0xff, 0x7f, 0},
		"deep structures":    deep,
		"deep lists":         lists,
		"unknown type":       {0x1e, 0},
		"schema without end": append([]byte{0x29, 0xf5, 0xa1, 0x9c, 0x01}, make([]byte, 30_000)...),
	} {
		if checkFooter(b) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := checkFooter([]byte{0x15, 2, 0x19, 0x25, 1, 2, 0x18, 1, 'x', 0}); err != nil {
		t.Errorf("a sound structure: %v", err)
	}
}

func TestDecompress(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 100)
	z, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Zstd, compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Brotli} {
		stored := text
		if codec != compress.Codecs.Uncompressed {
			c, err := compress.GetCodec(codec)
			if err != nil {
				t.Fatal(err)
			}
			stored = c.Encode(make([]byte, c.CompressBound(int64(len(text)))), text)
		}
		for _, n := range []int{len(text), len(text) - 1, len(text) + 1, 0} {
			c := chunkReader{chunk: chunk{codec: codec}, zstd: z}
			got, err := c.decompress(stored, n)
			if n == len(text) && (err != nil || !bytes.Equal(got, text)) {
				t.Errorf("%v: %v", codec, err)
			}
			if n != len(text) && err == nil {
				t.Errorf("%v: %d bytes where %d are announced", codec, len(text), n)
			}
		}
	}
	c := chunkReader{chunk: chunk{codec: compress.Codecs.Lzo}}
	if _, err := c.decompress(text, 10); err == nil {
		t.Error("LZO, which cannot be read")
	}
}
