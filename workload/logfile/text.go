package logfile

import (
	"errors"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// OpenText opens a text file that is not a job log; "-" is standard input. gzip, zstd,
// bzip2 and xz are decompressed. A file that cannot be read is a *workload.InputError, from
// here or from Read. Close the text after use.
func OpenText(path string) (io.ReadCloser, error) {
	f := io.NopCloser(os.Stdin)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, parse.InputFault(path, err)
		}
		f = file
	}
	u, err := unpack(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &text{name: path, r: u, file: f, free: u.free}, nil
}

type text struct {
	name string
	r    io.Reader
	file io.Closer
	free func()
}

func (t *text) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	var fault *workload.InputError
	if err != nil && err != io.EOF && !errors.As(err, &fault) {
		err = parse.InputFault(t.name, err)
	}
	return n, err
}

func (t *text) Close() error {
	t.free()
	return t.file.Close()
}
