package reallogs

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// First returns the path of an SWF log with the header and the first jobs of a compressed
// log, which is named as for Path. If jobs is 0, it returns the path of the whole log. It skips
// the test if the log is not there.
func First(t testing.TB, name string, jobs int) string {
	t.Helper()
	whole := Path(t, name)
	if jobs == 0 {
		return whole
	}
	file, err := os.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var cut []byte
	lines := bufio.NewScanner(unpacked)
	for jobs > 0 && lines.Scan() {
		cut = append(append(cut, lines.Bytes()...), '\n')
		if line := lines.Bytes(); len(line) > 0 && line[0] != ';' {
			jobs--
		}
	}
	if err := lines.Err(); err != nil || jobs > 0 {
		t.Fatalf("%s: %v, %d jobs short", whole, err, jobs)
	}
	path := filepath.Join(t.TempDir(), "first.swf")
	if err := os.WriteFile(path, cut, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
