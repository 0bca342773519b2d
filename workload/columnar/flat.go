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

	flatUnion     = 14 // a field's type
	maxFlatFields = 20000
)

// flatTable is a table at a position of a buffer.
type flatTable struct {
	b  []byte
	at int
}

func flatRoot(b []byte) flatTable {
	return flatTable{b, int(binary.LittleEndian.Uint32(b))}
}

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
	return flatTable{t.b, p + int(binary.LittleEndian.Uint32(t.b[p:]))}, true
}

// Vector returns the position and length of a vector whose elements have size
// bytes.
func (t flatTable) Vector(i, size int) (at, n int, err error) {
	p := t.field(i)
	if p == 0 {
		return 0, 0, nil
	}
	p += int(binary.LittleEndian.Uint32(t.b[p:]))
	n = int(binary.LittleEndian.Uint32(t.b[p:]))
	if n > (len(t.b)-p-4)/size {
		return 0, 0, errFlat
	}
	return p + 4, n, nil
}

// checkFlatSchema goes through a schema's fields.
func checkFlatSchema(t flatTable) error {
	left := maxFlatFields
	if _, _, err := t.Vector(2, 4); err != nil {
		return err
	}
	return checkFlatFields(t, 1, &left, 0)
}

func checkFlatFields(t flatTable, i int, left *int, depth int) error {
	at, n, err := t.Vector(i, 4)
	if err != nil {
		return err
	}
	if *left -= n; *left < 0 || depth > 64 {
		return errFlat
	}
	for k := range n {
		p := at + 4*k
		f := flatTable{t.b, p + int(binary.LittleEndian.Uint32(t.b[p:]))}
		if _, _, err := f.Vector(6, 4); err != nil {
			return err
		}
		if kind, ok := f.Table(3); ok && f.byte(2) == flatUnion {
			if _, _, err := kind.Vector(1, 4); err != nil {
				return err
			}
		}
		if err := checkFlatFields(f, 5, left, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkFlatMessage looks through a message's metadata. It returns the kind of
// the message, the length of its body, and whether the body is compressed.
func checkFlatMessage(b []byte) (kind byte, body int64, compressed bool, err error) {
	m := flatRoot(b)
	kind, body = m.byte(1), m.int64(3)
	t, ok := m.Table(2)
	if !ok {
		return kind, body, false, errFlat
	}
	switch kind {
	case flatSchema:
		return kind, body, false, checkFlatSchema(t)
	case flatDictionary:
		if t, ok = t.Table(1); !ok {
			return kind, body, false, errFlat
		}
		fallthrough
	case flatRecord:
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
	return kind, body, false, errFlat
}

// arrowBlock is the position and length of a message in an Arrow file, in bytes.
type arrowBlock struct {
	at   int64 // from the start of the file
	head int64 // its metadata, with what stands before them
	body int64
}

// flatFooterBlocks returns the messages that an Arrow file's footer lists:
// those of dictionaries, and those of record batches.
func flatFooterBlocks(b []byte) (arrowBlocks, error) {
	blocks := arrowBlocks{}
	for kind, field := range map[byte]int{flatDictionary: 2, flatRecord: 3} {
		const size = 24
		at, n, err := flatRoot(b).Vector(field, size)
		if err != nil {
			return nil, err
		}
		list := make([]arrowBlock, n)
		for i := range list {
			w := b[at+i*size:]
			list[i] = arrowBlock{
				at:   int64(binary.LittleEndian.Uint64(w)),
				head: int64(int32(binary.LittleEndian.Uint32(w[8:]))),
				body: int64(binary.LittleEndian.Uint64(w[16:])),
			}
		}
		blocks[kind] = list
	}
	return blocks, nil
}
