package columnar

import (
	"encoding/binary"
	"errors"
)

// Arrow's messages are FlatBuffers. The library that reads them takes a
// vector's length as it stands and allocates for it, so the vectors that it
// allocates for are checked here first. Reads beyond the end panic, as they do
// in that library; both are called under catch.

var errFlat = errors.New("malformed message")

const (
	// The kinds of Arrow messages.
	flatSchema     = 1
	flatDictionary = 2
	flatRecord     = 3

	flatUnion = 14 // a field's type

	maxFlatFields = 20000
	maxFlatDepth  = 64
)

// flatTable is a table at a position of a buffer.
type flatTable struct {
	b  []byte
	at int
}

func flatRoot(b []byte) flatTable { return flatTable{b, int(binary.LittleEndian.Uint32(b))} }

// field is the position of a field's value, or 0 where it is not there.
func (t flatTable) field(i int) int {
	v := t.at - int(int32(binary.LittleEndian.Uint32(t.b[t.at:])))
	if 4+2*i >= int(binary.LittleEndian.Uint16(t.b[v:])) {
		return 0
	}
	if off := int(binary.LittleEndian.Uint16(t.b[v+4+2*i:])); off > 0 {
		return t.at + off
	}
	return 0
}

// byte returns a field of a byte, or the low one of a wider number.
func (t flatTable) byte(i int) byte {
	if p := t.field(i); p > 0 {
		return t.b[p]
	}
	return 0
}

func (t flatTable) int64(i int) int64 {
	if p := t.field(i); p > 0 {
		return int64(binary.LittleEndian.Uint64(t.b[p:]))
	}
	return 0
}

// Table follows a field to another table.
func (t flatTable) Table(i int) (flatTable, bool) {
	p := t.field(i)
	if p == 0 {
		return t, false
	}
	return t.follow(p), true
}

// follow returns the table that the offset at a position leads to.
func (t flatTable) follow(p int) flatTable {
	return flatTable{t.b, p + int(binary.LittleEndian.Uint32(t.b[p:]))}
}

// Vector returns the position and length of a vector whose elements have size
// bytes.
func (t flatTable) Vector(i, size int) (at, n int, err error) {
	p := t.field(i)
	if p == 0 {
		return 0, 0, nil
	}
	p = t.follow(p).at
	n = int(binary.LittleEndian.Uint32(t.b[p:]))
	if n > (len(t.b)-p-4)/size {
		return 0, 0, errFlat
	}
	return p + 4, n, nil
}

// tables calls f for each table of a vector until it returns an error.
func (t flatTable) tables(i int, f func(flatTable) error) error {
	at, n, err := t.Vector(i, 4)
	for k := 0; k < n && err == nil; k++ {
		err = f(t.follow(at + 4*k))
	}
	return err
}

// checkFlatFields goes through the fields in a vector, and those below them.
func checkFlatFields(t flatTable, i int, left *int, depth int) error {
	return t.tables(i, func(f flatTable) error {
		if *left--; *left < 0 || depth > maxFlatDepth {
			return errFlat
		}
		_, _, err := f.Vector(6, 4)
		if kind, ok := f.Table(3); ok && f.byte(2) == flatUnion && err == nil {
			_, _, err = kind.Vector(1, 4)
		}
		if err != nil {
			return err
		}
		return checkFlatFields(f, 5, left, depth+1)
	})
}

// checkFlatMessage looks through a message's metadata. It returns the kind of
// the message, the length of its body, and whether the body is compressed.
func checkFlatMessage(b []byte) (kind byte, body int64, compressed bool, err error) {
	m := flatRoot(b)
	kind, body = m.byte(1), m.int64(3)
	t, ok := m.Table(2)
	if ok && kind == flatDictionary {
		t, ok = t.Table(1)
	}
	if !ok || kind < flatSchema || kind > flatRecord {
		return kind, body, false, errFlat
	}
	if kind == flatSchema {
		left := maxFlatFields
		_, _, err := t.Vector(2, 4)
		return kind, body, false, errors.Join(err, checkFlatFields(t, 1, &left, 0))
	}
	_, compressed = t.Table(3)
	_, buffers, err1 := t.Vector(2, 16)
	_, _, err2 := t.Vector(1, 16)
	at, n, err3 := t.Vector(4, 8)
	for k := range n {
		if c := int64(binary.LittleEndian.Uint64(b[at+8*k:])); c < 0 || c > int64(buffers) {
			err3 = errFlat
		}
	}
	return kind, body, compressed, errors.Join(err1, err2, err3)
}
