package logfile

import (
	"bytes"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// OpenTable opens a table that does not hold jobs, in CSV, compressed or not. It returns the
// given columns and a function that closes the table, which the caller must call after use.
func OpenTable(path string, columns []workload.TableColumn) (t workload.Table, done func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	t, free, err := OpenTableReader(path, f, columns)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return t, func() { free(); f.Close() }, nil
}

// OpenTableReader is like OpenTable but reads from an open reader; name is for messages.
// free ends the decompression; it does not close from.
func OpenTableReader(name string, from io.Reader, columns []workload.TableColumn) (t workload.Table, free func(), err error) {
	u, err := unpack(name, from)
	if err != nil {
		return nil, nil, err
	}
	if len(u.head) == 0 {
		u.free()
		return nil, nil, tableFault(name, "an empty file")
	}
	for _, f := range Formats() {
		if f.Looks != "" && bytes.HasPrefix(u.head, []byte(f.Magic)) {
			u.free()
			return nil, nil, tableFault(name, f.Looks)
		}
	}
	return delimited.ReadTable(name, u, columns), u.free, nil
}

func tableFault(name, saw string) error {
	return &workload.InputError{File: name, Saw: saw, Want: "a table in CSV"}
}
