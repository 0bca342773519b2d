package flags

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostSmall is the largest size in bytes of a file that is held in memory: a model,
// a grid, an earlier result, a key. A log named by mistake may be of any size, and a
// pipe may have no end.
const mostSmall = 64 << 20

// ReadFile reads a file of up to 64 MiB.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, path)
}

// Open opens a file, which must not be a directory, for reading.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err == nil {
		if info, stat := f.Stat(); stat == nil && info.IsDir() {
			f.Close()
			return nil, &workload.InputError{File: path, Saw: "a directory", Want: "a file"}
		}
	}
	return f, fault(path, err)
}

// fault returns an error about a file without the name of the system call.
func fault(path string, err error) error {
	if p := new(fs.PathError); errors.As(err, &p) {
		return &workload.InputError{File: path, Err: p.Err}
	}
	return err
}

// ReadAll reads all of r, up to 64 MiB. name is the name of the file, or "standard input", for
// errors.
func ReadAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostSmall+1))
	if err == nil && len(data) > mostSmall {
		return nil, fmt.Errorf("%s: saw more than %d MiB, want a smaller file", name, mostSmall>>20)
	}
	return data, fault(name, err)
}
