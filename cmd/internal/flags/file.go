package flags

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostSmall is how many bytes of a file are read that is held whole: a model,
// a grid, an earlier result, a key. A log that is named in its place may be of
// any size, and a pipe has no end.
const mostSmall = 64 << 20

// ReadFile reads such a file.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, path)
}

// Open opens a file to read.
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

// fault is an error of a file without the system call's name.
func fault(path string, err error) error {
	if p := new(fs.PathError); errors.As(err, &p) {
		return &workload.InputError{File: path, Err: p.Err}
	}
	return err
}

// ReadAll reads what a file of that name, or standard input, holds.
func ReadAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostSmall+1))
	if err == nil && len(data) > mostSmall {
		return nil, fmt.Errorf("%s: saw more than %d MiB, want a smaller file", name, mostSmall>>20)
	}
	return data, fault(name, err)
}
