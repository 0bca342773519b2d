package workload

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
)

// An error of a temporary file names the directory and the variable that selects it, not the file,
// whose name means nothing to users. An error of the data copied into it is passed on unchanged.
func TestTempFileFaults(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := UnlinkedFile()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the tape is torn")
	if _, err := f.ReadFrom(iotest.ErrReader(broken)); err != broken {
		t.Errorf("copied from a broken reader: %v, want %v", err, broken)
	}
	f.Close()
	_, of := f.Write([]byte("x"))
	_, from := f.ReadFrom(strings.NewReader("x"))
	want := "temporary files cannot be written in " + dir + " (set TMPDIR to use another folder): file already closed"
	for _, err := range []error{of, from} {
		if err == nil || err.Error() != want || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
