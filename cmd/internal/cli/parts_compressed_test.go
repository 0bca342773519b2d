package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPartOfLargeCompressedLogWarns(t *testing.T) {
	for _, c := range []struct {
		name, head string
		size       int64
		warns      bool
	}{
		{"large.swf.gz", "\x1f\x8b\x08\x00", largeCompressed, true},
		{"small.swf.gz", "\x1f\x8b\x08\x00", largeCompressed - 1, false},
		{"large.swf", "; MaxProcs: 4\n", largeCompressed, false},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.head), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, c.size); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		out := filepath.Join(t.TempDir(), "x.part")
		Main([]string{"describe", path, "--part", "1/2", "-o", out}, Streams{In: strings.NewReader(""), Out: &said, Err: &said})
		if got := strings.Contains(said.String(), "warning: "+path+": every part decompresses the log"); got != c.warns {
			t.Errorf("%s of %d bytes: %.300q", c.name, c.size, said.String())
		}
	}
}
