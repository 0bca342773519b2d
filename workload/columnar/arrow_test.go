package columnar_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func TestArrowCompressed(t *testing.T) {
	want := logtest.Collect(t, logtest.MadeUpLog(3, 20_000, workload.DefaultBatchRows))
	for name, opt := range map[string]ipc.Option{"zstd": ipc.WithZstd(), "lz4": ipc.WithLZ4()} {
		t.Run(name, func(t *testing.T) {
			b := logtest.ForeignArrow(t, recordOf(want), opt)
			l, err := openArrow(b, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			logtest.SameBatches(t, logtest.Collect(t, l.Batches()), want)
		})
	}
}

// The library reads records with our schema and the units of the columns.
func TestArrowReadByLibrary(t *testing.T) {
	want := logtest.Collect(t, logtest.MadeUpLog(4, 20_000, workload.DefaultBatchRows))
	var b bytes.Buffer
	w, err := logfile.NewWriter("arrow", &b, workload.Header{Lines: []string{" Version: 2.2"}}, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	logtest.WriteAll(t, w, logtest.Sequence([]*workload.Batch{want}))
	r, err := ipc.NewFileReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, got, want, workload.FirstOptional)
	meta := r.Schema().Metadata()
	if v, _ := meta.GetValue("loadstone.header"); v != " Version: 2.2" {
		t.Errorf("header %q", v)
	}
}

// Vectors longer than their message are refused before memory is allocated for them; so is a footer
// that lists a different number of batches.
func TestArrowVectors(t *testing.T) {
	whole := logtest.ForeignArrow(t, recordOf(logtest.Collect(t, logtest.MadeUpLog(3, 100, workload.DefaultBatchRows))))
	open := func(b []byte) (int64, error) {
		return logtest.Drain(openArrow(b, workload.Options{}))
	}
	if rows, err := open(whole); rows != 100 || err != nil {
		t.Fatal(rows, err)
	}
	size := int(binary.LittleEndian.Uint32(whole[len(whole)-10:]))
	footerAt := len(whole) - 10 - size
	messageAt := columnar.ArrowHead + 8
	message, ok := columnar.FlatChild(columnar.FlatRoot(whole[messageAt:]), 2)
	if !ok {
		t.Fatal("no schema")
	}
	fields, n, err := columnar.FlatVector(message, 1, 4)
	if err != nil || n != workload.NumColumns {
		t.Fatal(n, err)
	}
	batches, n, err := columnar.FlatVector(columnar.FlatRoot(whole[footerAt:]), 3, 24)
	if err != nil || n != 1 {
		t.Fatal(n, err)
	}
	for _, c := range []struct {
		name  string
		at    int // of a vector's length
		value uint32
		want  string
	}{
		{"fields", messageAt + fields - 4, 1 << 31, "malformed message"},
		{"batches", footerAt + batches - 4, 1 << 31, "malformed message"},
		{"no batches", footerAt + batches - 4, 0, "saw 1 batches, want 0, as the footer says"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bytes.Clone(whole)
			binary.LittleEndian.PutUint32(b[c.at:], c.value)
			_, err := open(b)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A stream has an end mark that nothing may follow, not even another stream, whose jobs would be
// lost.
func TestArrowStreamTail(t *testing.T) {
	whole := smallFile(t, "arrows")
	for name, tail := range map[string][]byte{"a byte": {0}, "zeros": make([]byte, 8), "another stream": whole, "an end mark": {255, 255, 255, 255, 0, 0, 0, 0}} {
		_, err := logtest.Drain(openArrowStream(append(bytes.Clone(whole), tail...), workload.Options{}))
		if want := "x.arrows: saw more bytes after the stream's end mark, want none"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	_, err := logtest.Drain(openArrowStream(whole[:len(whole)-8], workload.Options{}))
	if want := "x.arrows: saw the end of the stream, want its end mark; it may be cut short"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Files of other programs list dictionaries in their footers, too.
func TestArrowDictionaryBlocks(t *testing.T) {
	rec := logtest.TypedRecord(t, "job_id:int64,host:names\n1,a\n2,b\n3,a\n")
	for name, opts := range map[string][]ipc.Option{"plain": nil, "compressed": {ipc.WithZstd()}} {
		b := logtest.ForeignArrow(t, rec, opts...)
		rows, err := logtest.Drain(openArrow(b, workload.Options{}))
		if err != nil || rows != 3 {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
}

// Columns are found by other names as in other tables.
func TestArrowByMap(t *testing.T) {
	b := logtest.ForeignArrow(t, logtest.TypedRecord(t, "nr:int64,length:int32\n1,5\n2,7\n"))
	l, err := openArrow(b, workload.Options{Map: map[string]string{"job_id": "nr", "run_time": "length"}})
	if err != nil {
		t.Fatal(err)
	}
	jobs := logtest.Collect(t, l.Batches())
	if jobs.Rows != 2 || jobs.Int(workload.ColJobID, 1) != 2 || jobs.Float(workload.ColRunTime, 1) != 7 || l.Format != "arrow" {
		t.Errorf("%+v of %s", jobs, l.Format)
	}
}
