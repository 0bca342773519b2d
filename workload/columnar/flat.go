package columnar

import (
	"encoding/binary"
	"errors"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Arrow's messages are FlatBuffers. The library that decodes them trusts the length of a vector and
// allocates memory for it, so the vectors for which it does are checked here first. Reads beyond
// the end panic, as they do in that library; both are called under catch.

var errFlat = errors.New("malformed message")

const (
	// The kinds of Arrow messages.
	flatSchema     = 1
	flatDictionary = 2
	flatRecord     = 3

	flatUnion = 14 // the type of a field that is a union

	maxFlatFields = 20000
	maxFlatDepth  = 64
)

func flatRoot(b []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
}

// slot returns the offset of a field, counted from 0, in a table's list of fields.
func slot(field int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*field) }

// flatChild returns the table in a field; ok is false if there is none.
func flatChild(t flatbuffers.Table, field int) (child flatbuffers.Table, ok bool) {
	at := t.Offset(slot(field))
	if at == 0 {
		return t, false
	}
	t.Union(&child, flatbuffers.UOffsetT(at))
	return child, true
}

// flatVector returns the position and length of the vector in a field, whose elements have size
// bytes; 0 if there is none.
func flatVector(t flatbuffers.Table, field, size int) (at, n int, err error) {
	off := flatbuffers.UOffsetT(t.Offset(slot(field)))
	if off == 0 {
		return 0, 0, nil
	}
	at, n = int(t.Vector(off)), t.VectorLen(off)
	if n > (len(t.Bytes)-at)/size {
		return 0, 0, errFlat
	}
	return at, n, nil
}

// checkFlatFields checks the columns in a field and, recursively, their children. left is the
// number of columns that may still follow.
func checkFlatFields(t flatbuffers.Table, field int, left *int, depth int) error {
	at, n, err := flatVector(t, field, 4)
	for k := 0; k < n && err == nil; k++ {
		if *left--; *left < 0 || depth > maxFlatDepth {
			return errFlat
		}
		column := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(flatbuffers.UOffsetT(at + 4*k))}
		_, _, err = flatVector(column, 6, 4)
		if kind, ok := flatChild(column, 3); ok && column.GetByteSlot(slot(2), 0) == flatUnion && err == nil {
			_, _, err = flatVector(kind, 1, 4)
		}
		if err == nil {
			err = checkFlatFields(column, 5, left, depth+1)
		}
	}
	return err
}

// checkFlatMessage checks a message's metadata. It returns the kind of the message, the length of
// its body, and whether the body is compressed.
func checkFlatMessage(b []byte) (kind byte, body int64, compressed bool, err error) {
	m := flatRoot(b)
	kind, body = m.GetByteSlot(slot(1), 0), m.GetInt64Slot(slot(3), 0)
	t, ok := flatChild(m, 2)
	if ok && kind == flatDictionary {
		t, ok = flatChild(t, 1)
	}
	if !ok || kind < flatSchema || kind > flatRecord {
		return kind, body, false, errFlat
	}
	if kind == flatSchema {
		left := maxFlatFields
		_, _, err := flatVector(t, 2, 4)
		return kind, body, false, errors.Join(err, checkFlatFields(t, 1, &left, 0))
	}
	_, compressed = flatChild(t, 3)
	_, buffers, err1 := flatVector(t, 2, 16)
	_, _, err2 := flatVector(t, 1, 16)
	at, n, err3 := flatVector(t, 4, 8)
	for k := range n {
		if c := int64(binary.LittleEndian.Uint64(b[at+8*k:])); c < 0 || c > int64(buffers) {
			err3 = errFlat
		}
	}
	return kind, body, compressed, errors.Join(err1, err2, err3)
}
