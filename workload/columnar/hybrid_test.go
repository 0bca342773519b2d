package columnar

import (
	"bytes"
	"slices"
	"testing"
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
			h := hybridReader{b: c.bytes, width: c.width}
			got := make([]uint64, c.n)
			err := h.lookup(got, dict)
			if (err != nil) != c.fails || !c.fails && !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
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
