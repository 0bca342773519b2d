package workload

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// TempFile is a temporary file without a name. Errors from creating and writing it give its
// folder, which is os.TempDir.
type TempFile struct{ *os.File }

// UnlinkedFile creates a temporary file and removes its name at once, so that nothing remains,
// however the program ends.
func UnlinkedFile() (*TempFile, error) {
	f, err := os.CreateTemp("", "loadstone-*")
	if err != nil {
		return nil, tempFault(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, tempFault(err)
	}
	return &TempFile{f}, nil
}

func (f *TempFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, tempFault(err)
}

// ReadFrom copies r to the file. The errors of r are returned unchanged, unlike those of
// writing.
func (f *TempFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

func tempFault(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("temporary files cannot be written in %s (set TMPDIR to use another folder): %w", os.TempDir(), p.Err)
}
