package logfile

import (
	"bytes"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// OpenTable opens a table that does not hold jobs: CSV or Parquet, compressed or
// not. It returns the given columns and a function that closes the
// table, which the caller calls after use.
func OpenTable(path string, columns []workload.TableColumn) (workload.Table, func() error, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	t, free, err := OpenTableReader(path, f, columns)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return t, func() error { free(); return f.Close() }, nil
}

// OpenTableReader is like OpenTable but reads from an open reader; name is for messages.
// Closing the table does not close from. A Parquet file is copied to a temporary file first
// unless from is an *os.File of a regular file.
func OpenTableReader(name string, from io.Reader, columns []workload.TableColumn) (workload.Table, func() error, error) {
	var file *os.File // to be read anywhere
	var size int64
	if f, ok := from.(*os.File); ok {
		info, err := f.Stat()
		switch {
		case err != nil:
			return nil, nil, parse.InputFault(name, err)
		case info.IsDir():
			return nil, nil, tableFault(name, "a directory")
		case info.Mode().IsRegular():
			file, size = f, info.Size()
		}
	}
	u, err := unpack(name, from)
	if err != nil {
		return nil, nil, err
	}
	free := func() error { u.free(); return nil }
	has := func(magic string) bool { return bytes.HasPrefix(u.head, []byte(magic)) }
	switch {
	case len(u.head) == 0:
		u.free()
		return nil, nil, tableFault(name, "an empty file")
	case has(columnar.Arrow.Magic), has(columnar.ArrowStream.Magic):
		u.free()
		return nil, nil, tableFault(name, "Arrow")
	case !has(columnar.MagicParquet):
		return delimited.ReadTable(name, u, columns), free, nil
	}
	if file != nil && !u.compressed {
		return columnar.ReadTable(name, file, size, columns), free, nil
	}
	spooled, size, err := spool(u)
	if err != nil {
		free()
		return nil, nil, parse.InputFault(name, err)
	}
	return columnar.ReadTable(name, spooled, size, columns), func() error { free(); return spooled.Close() }, nil
}

func tableFault(name, saw string) error {
	return &workload.InputError{File: name, Saw: saw, Want: "a table in CSV or Parquet"}
}
