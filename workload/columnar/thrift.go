package columnar

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/apache/thrift/lib/go/thrift"
)

// Parquet's footers and page headers are structures in Thrift's compact protocol. The generated
// code that decodes footers allocates memory for any length of a list, so footers are walked here
// first: the walk ends with the bytes.

var errCompact = errors.New("damaged: a structure that cannot be read")

// maxSchema is the largest number of elements of a footer's schema, whose decoder is recursive.
const maxSchema = 20000

// compactReader reads structures in the compact protocol.
type compactReader struct {
	*thrift.TCompactProtocol
	rest *bytes.Buffer // the bytes not read yet
}

func newCompactReader(b []byte) compactReader {
	rest := bytes.NewBuffer(b)
	size := &thrift.TConfiguration{MaxMessageSize: int32(max(len(b), 1))}
	return compactReader{thrift.NewTCompactProtocolConf(&thrift.TMemoryBuffer{Buffer: rest}, size), rest}
}

// fields calls read for each field of the structure that comes next. read either consumes the
// value and returns true, or leaves it to be skipped.
func (r compactReader) fields(read func(id int16, kind thrift.TType) (bool, error)) error {
	ctx := context.Background()
	if _, err := r.ReadStructBegin(ctx); err != nil {
		return errCompact
	}
	for {
		_, kind, id, err := r.ReadFieldBegin(ctx)
		switch {
		case err != nil:
			return errCompact
		case kind == thrift.STOP:
			return r.ReadStructEnd(ctx)
		}
		done, err := read(id, kind)
		if err == nil && !done && r.Skip(ctx, kind) != nil {
			err = errCompact
		}
		if err != nil {
			return err
		}
	}
}

// checkFooter checks the structure of a Parquet footer.
func checkFooter(b []byte) error {
	const schema = 2
	r := newCompactReader(b)
	return r.fields(func(id int16, kind thrift.TType) (bool, error) {
		if id != schema || kind != thrift.LIST {
			return false, nil
		}
		element, n, err := r.ReadListBegin(context.Background())
		if err == nil && n > maxSchema {
			return true, fmt.Errorf("a schema of %d elements", n)
		}
		for ; err == nil && n > 0; n-- {
			err = r.Skip(context.Background(), element)
		}
		if err != nil {
			err = errCompact
		}
		return true, err
	})
}

// pageHeader is the header of a Parquet page.
type pageHeader struct {
	kind         int32
	uncompressed int32 // bytes
	compressed   int32 // bytes
	checksum     int32 // CRC-32 of the bytes stored
	hasChecksum  bool
	values       int32 // nulls included
	encoding     int32
	levels       int32 // encoding of the definition levels (version 1)
	levelBytes   int32 // length of the definition levels (version 2)
	repeatBytes  int32 // length of the repetition levels (version 2)
	plain        bool  // not compressed (version 2)
}

// The kinds of pages.
const (
	dataPage = iota
	indexPage
	dictionaryPage
	dataPageV2
)

// readPageHeader decodes the header at the beginning of b and returns its length. errCompact may
// mean that b is too short.
func readPageHeader(b []byte) (h pageHeader, n int, err error) {
	const v1, dictionary, v2 = 5, 7, 8 // the fields whose structures describe kinds of pages
	r := newCompactReader(b)
	h = pageHeader{kind: -1, uncompressed: -1, compressed: -1, values: -1, encoding: -1}
	var within int16 // the field whose structure is being read; 0 for the header itself
	numbers := map[[2]int16]*int32{
		{0, 1}: &h.kind, {0, 2}: &h.uncompressed, {0, 3}: &h.compressed, {0, 4}: &h.checksum,
		{v1, 1}: &h.values, {v1, 2}: &h.encoding, {v1, 3}: &h.levels,
		{dictionary, 1}: &h.values, {dictionary, 2}: &h.encoding,
		{v2, 1}: &h.values, {v2, 4}: &h.encoding, {v2, 5}: &h.levelBytes, {v2, 6}: &h.repeatBytes,
	}
	var read func(id int16, kind thrift.TType) (bool, error)
	read = func(id int16, kind thrift.TType) (_ bool, err error) {
		to := numbers[[2]int16{within, id}]
		switch {
		case within == 0 && kind == thrift.STRUCT && (id == v1 || id == dictionary || id == v2):
			within = id
			err = r.fields(read)
			within = 0
		case within == v2 && id == 7 && kind == thrift.BOOL:
			isCompressed, fault := r.ReadBool(context.Background())
			h.plain, err = !isCompressed, fault
		case kind == thrift.I32 && to != nil:
			h.hasChecksum = h.hasChecksum || to == &h.checksum
			*to, err = r.ReadI32(context.Background())
		default:
			return false, nil
		}
		if err != nil {
			err = errCompact
		}
		return true, err
	}
	err = r.fields(read)
	return h, len(b) - r.rest.Len(), err
}
