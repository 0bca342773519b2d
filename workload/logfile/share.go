package logfile

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// textOf measures a text of which a share is to be read. A compressed one is unpacked
// for that.
func textOf(name string, head []byte, section *io.SectionReader) (workload.Text, error) {
	if findCompression(head) == nil {
		return workload.Text{Bytes: section.Size(), At: section}, nil
	}
	u, err := unpack(name, bufio.NewReaderSize(io.NewSectionReader(section, 0, section.Size()), 1<<16))
	if err != nil {
		return workload.Text{}, err
	}
	defer u.free()
	n, err := io.Copy(io.Discard, u)
	if err != nil {
		return workload.Text{}, parse.InputFault(name, err)
	}
	return workload.Text{Bytes: n}, nil
}

// Compressed reports whether a file is compressed, by its first bytes. Reading a share of
// such a log (workload.Options.Share) decompresses it from the start.
func Compressed(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, parse.InputFault(path, err)
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, parse.InputFault(path, err)
	}
	return findCompression(head[:n]) != nil, nil
}

// checkShare refuses a share of a log that is not divided.
func checkShare(l *workload.Log, o workload.Options) error {
	switch {
	case o.Share.Whole():
		return nil
	case l.Share() != o.Share:
		return fmt.Errorf("%s: a log of the format %s cannot be divided, because what its lines mean depends on those before them, or it is no file; want an SWF, Parquet or Arrow file, which `loadstone convert` makes of it", l.Name, l.Format)
	}
	return nil
}
