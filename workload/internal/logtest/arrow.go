package logtest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// ForeignArrow returns a table as written by the Arrow library's own writer.
func ForeignArrow(t *testing.T, rec arrow.Record, opts ...ipc.Option) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(seeker{&b}, append(opts, ipc.WithSchema(rec.Schema()))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// seeker gives the library its position in the output; it never seeks back.
type seeker struct{ *bytes.Buffer }

func (s seeker) Seek(int64, int) (int64, error) { return int64(s.Len()), nil }
