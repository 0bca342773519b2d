package logfile

import (
	"bufio"
	"bytes"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// OpenTable opens a table that is not one of jobs: CSV, through any compression that
// logs are read through, or Parquet. The caller closes it when it is done with the
// rows.
func OpenTable(path string, columns []workload.TableColumn) (workload.Table, func() error, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	t, free, err := openTable(path, f, columns)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return t, func() error { free(); return f.Close() }, nil
}

func openTable(path string, f *os.File, columns []workload.TableColumn) (workload.Table, func(), error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	if info.IsDir() {
		return nil, nil, tableFault(path, "a directory")
	}
	free := func() {}
	r := bufio.NewReaderSize(f, 1<<16)
	head, err := r.Peek(headBytes)
	if err != nil && err != io.EOF {
		return nil, nil, parse.InputFault(path, err)
	}
	stream := !info.Mode().IsRegular()
	if c := findCompression(head); c != nil {
		content, release, err := decompress(path, c, r)
		if err != nil {
			return nil, nil, err
		}
		free, r, stream = release, bufio.NewReaderSize(content, 1<<16), true
		if head, err = r.Peek(headBytes); err != nil && err != io.EOF {
			free()
			return nil, nil, parse.InputFault(path, err)
		}
	}
	has := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case len(head) == 0:
		err = tableFault(path, "an empty file")
	case has(columnar.Arrow.Magic) || has(columnar.ArrowStream.Magic):
		err = tableFault(path, "an Arrow file")
	case !has(columnar.MagicParquet):
		return delimited.ReadTable(path, r, columns), free, nil
	case !stream:
		return columnar.ReadTable(path, f, info.Size(), columns), free, nil
	default:
		spooled, size, fault := spool(r)
		if err = fault; err == nil {
			return columnar.ReadTable(path, spooled, size, columns), func() { free(); spooled.Close() }, nil
		}
		err = parse.InputFault(path, err)
	}
	free()
	return nil, nil, err
}

func tableFault(path, saw string) error {
	return &workload.InputError{File: path, Saw: saw, Want: "a table in CSV or Parquet"}
}
