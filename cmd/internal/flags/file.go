package flags

import (
	"fmt"
	"io"
	"os"
)

// mostSmall is how many bytes of a file are read that is held whole: a model,
// a grid, an earlier result, a key. A log that is named in its place may be of
// any size, and a pipe has no end.
const mostSmall = 64 << 20

// ReadFile reads such a file.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, path)
}

// ReadAll reads what a file of that name, or standard input, holds.
func ReadAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostSmall+1))
	if err == nil && len(data) > mostSmall {
		return nil, fmt.Errorf("%s: saw more than %d MiB, want a smaller file", name, mostSmall>>20)
	}
	return data, err
}
