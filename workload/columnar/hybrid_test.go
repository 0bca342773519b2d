package columnar

import (
	"slices"
	"strings"
	"testing"
)

// The examples in the format's description (Parquet, Encodings.md): the numbers 0 to 7 in three
// bits, and runs.
func TestHybridReader(t *testing.T) {
	for _, c := range []struct {
		name, bytes string
		width       uint
		n           int
		want        string // digits; empty if it fails
	}{
		{"bit-packed", "\x03\x88\xc6\xfa", 3, 8, "01234567"},
		{"part of a group", "\x03\x88\xc6\xfa", 3, 5, "01234"},
		{"last group cut off", "\x03\x88\xc6", 3, 5, "01234"},
		{"a run", "\x06\x02", 3, 3, "222"},
		{"a run and a group", "\x04\x05\x03\x88\xc6\xfa", 3, 4, "5501"},
		{"width none", "\x0a", 0, 5, "00000"},
		{"packed, width none", "\x03", 0, 8, "00000000"},
		{"too few", "\x06\x02", 3, 4, ""},
		{"beyond the dictionary", "\x06\x08", 4, 3, ""},
		{"packed beyond the dictionary", "\x03\xff\xff\xff\xff", 4, 8, ""},
		{"words beyond the dictionary", "\x05" + strings.Repeat("\xff", 16), 8, 16, ""},
		{"an empty run, and no more", "\x00\x00", 3, 1, ""},
		{"nothing", "", 3, 1, ""},
		{"head cut off", "\x80", 3, 1, ""},
		{"value cut off", "\x06", 3, 1, ""},
	} {
		h := hybridReader{b: []byte(c.bytes), width: c.width}
		got, want := make([]uint64, c.n), make([]uint64, len(c.want))
		for i := range c.want {
			want[i] = uint64(c.want[i])
		}
		err := h.lookup(got, []uint64{'0', '1', '2', '3', '4', '5', '6', '7'})
		if (err != nil) != (c.want == "") || err == nil && !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// Lengths beyond the structure, and unterminated structures, are refused without allocating memory.
func TestCheckFooter(t *testing.T) {
	for name, text := range map[string]string{
		"empty":              "",
		"no end":             "\x15\x02",
		"long text":          "\x18\xff\xff\xff\x7fx",
		"long list":          "\x19\xfc\xff\xff\xff\x7f\x00",
		"deep structures":    strings.Repeat("\x1c", 1000) + strings.Repeat("\x00", 1001),
		"deep lists":         strings.Repeat("\x19", 1000) + "\x13\x01\x00",
		"unknown type":       "\x1e\x00",
		"schema cut short":   "\x15\x02\x19\x2c", // two structures
		"schema of no type":  "\x15\x02\x19\x2d", // two elements of an undefined type
		"schema without end": "\x29\xf5\xa1\x9c\x01" + strings.Repeat("\x00", 30_000),
	} {
		if checkFooter([]byte(text)) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := checkFooter([]byte("\x15\x02\x19\x25\x01\x02\x18\x01x\x00")); err != nil {
		t.Errorf("a sound structure: %v", err)
	}
}
