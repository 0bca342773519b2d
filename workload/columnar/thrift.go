package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Parquet's footers and page headers are structures in Thrift's compact
// protocol. The library that decodes footers allocates what a corrupt length asks
// for, so they are walked here first: each length has to fit into
// the bytes that follow it.

var errCompact = errors.New("damaged: a structure that cannot be read")

// The types of the compact protocol.
const (
	compactStop = iota
	compactTrue
	compactFalse
	compactByte
	compactI16
	compactI32
	compactI64
	compactDouble
	compactBinary
	compactList
	compactSet
	compactMap
	compactStruct
)

const (
	maxCompactDepth = 16
	// maxCompactSchema bounds a list of the footer's second field, the
	// schema, because its decoder is recursive.
	maxCompactSchema = 20000
)

// compactWalker goes through a structure. b is what is left of it.
type compactWalker struct{ b []byte }

func (w *compactWalker) uvarint() (uint64, error) {
	x, n := binary.Uvarint(w.b)
	if n <= 0 {
		return 0, errCompact
	}
	w.b = w.b[n:]
	return x, nil
}

func (w *compactWalker) zigzag() (int64, error) {
	u, err := w.uvarint()
	return int64(u>>1) ^ -int64(u&1), err
}

func (w *compactWalker) byte() (byte, error) {
	if len(w.b) == 0 {
		return 0, errCompact
	}
	c := w.b[0]
	w.b = w.b[1:]
	return c, nil
}

func (w *compactWalker) skip(n uint64) error {
	if n > uint64(len(w.b)) {
		return errCompact
	}
	w.b = w.b[n:]
	return nil
}

// fields calls f for each field of the structure that begins here. f either
// consumes the value and returns true, or leaves it to be skipped.
func (w *compactWalker) fields(depth int, f func(id int16, kind byte) (bool, error)) error {
	var id int16
	for {
		c, err := w.byte()
		if err != nil {
			return err
		}
		kind := c & 0x0f
		if kind == compactStop {
			return nil
		}
		if delta := int16(c >> 4); delta != 0 {
			id += delta
		} else {
			x, err := w.zigzag()
			if err != nil {
				return err
			}
			id = int16(x)
		}
		done := false
		if f != nil {
			done, err = f(id, kind)
		}
		if err == nil && !done {
			err = w.value(kind, depth, true)
		}
		if err != nil {
			return err
		}
	}
}

// value skips a value. A boolean field has its value in its type; a boolean in
// a list takes a byte.
func (w *compactWalker) value(kind byte, depth int, field bool) error {
	if depth > maxCompactDepth {
		return errCompact
	}
	switch kind {
	case compactTrue, compactFalse, compactByte:
		if field && kind != compactByte {
			return nil
		}
		return w.skip(1)
	case compactI16, compactI32, compactI64:
		_, err := w.uvarint()
		return err
	case compactDouble:
		return w.skip(8)
	case compactBinary:
		n, err := w.uvarint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case compactList, compactSet:
		element, n, err := w.listHead()
		// Every element takes a byte or more, so this ends soon where n is made up.
		for ; err == nil && n > 0; n-- {
			err = w.value(element, depth+1, false)
		}
		return err
	case compactStruct:
		return w.fields(depth+1, nil) // which ends at value again
	}
	// Parquet has no maps.
	return errCompact
}

// listHead reads the type of a list's elements, and their number.
func (w *compactWalker) listHead() (kind byte, n uint64, err error) {
	c, err := w.byte()
	if err != nil {
		return 0, 0, err
	}
	if n = uint64(c >> 4); n == 15 {
		n, err = w.uvarint()
	}
	return c & 0x0f, n, err
}

// checkFooter walks a Parquet footer.
func checkFooter(b []byte) error {
	w := compactWalker{b: b}
	return w.fields(0, func(id int16, kind byte) (bool, error) {
		if id != 2 || kind != compactList {
			return false, nil
		}
		again := compactWalker{b: w.b}
		_, n, err := again.listHead()
		if err == nil && n > maxCompactSchema {
			err = fmt.Errorf("a schema of %d elements", n)
		}
		return false, err
	})
}

// pageHeader is the header of a Parquet page.
type pageHeader struct {
	kind         int64
	uncompressed int64 // bytes
	compressed   int64 // bytes
	checksum     int64 // CRC-32 of the bytes stored
	hasChecksum  bool
	values       int64 // nulls included
	encoding     int64
	levels       int64 // encoding of the definition levels (version 1)
	levelBytes   int64 // length of the definition levels (version 2)
	repeatBytes  int64 // length of the repetition levels (version 2)
	plain        bool  // not compressed (version 2)
}

// The kinds of pages.
const (
	dataPage = iota
	indexPage
	dictionaryPage
	dataPageV2
)

// readPageHeader decodes the header that b begins with and returns its length.
// errCompact may mean that b is too short.
func readPageHeader(b []byte) (h pageHeader, n int, err error) {
	const v1, dictionary, v2 = 5, 7, 8 // fields that are structures of the kinds of pages
	w := compactWalker{b: b}
	h = pageHeader{kind: -1, uncompressed: -1, compressed: -1, values: -1, encoding: -1}
	var of int16 // the structure
	numbers := map[[2]int16]*int64{
		{0, 1}: &h.kind, {0, 2}: &h.uncompressed, {0, 3}: &h.compressed, {0, 4}: &h.checksum,
		{v1, 1}: &h.values, {v1, 2}: &h.encoding, {v1, 3}: &h.levels,
		{dictionary, 1}: &h.values, {dictionary, 2}: &h.encoding,
		{v2, 1}: &h.values, {v2, 4}: &h.encoding, {v2, 5}: &h.levelBytes, {v2, 6}: &h.repeatBytes,
	}
	var read func(id int16, kind byte) (bool, error)
	read = func(id int16, kind byte) (_ bool, err error) {
		if of == 0 && kind == compactStruct && (id == v1 || id == dictionary || id == v2) {
			of = id
			err = w.fields(1, read)
			of = 0
			return true, err
		}
		if of == v2 && id == 7 {
			h.plain = kind == compactFalse
		}
		to := numbers[[2]int16{of, id}]
		if kind != compactI32 || to == nil {
			return false, nil
		}
		h.hasChecksum = h.hasChecksum || to == &h.checksum
		*to, err = w.zigzag()
		return true, err
	}
	err = w.fields(0, read)
	return h, len(b) - len(w.b), err
}
