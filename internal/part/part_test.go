package part

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/state"
	"github.com/loadstone-hpc/loadstone/workload"
)

// counts stands for a command's statistics.
type counts struct {
	N      int
	values []float64
	by     map[string]int64
	next   *counts
}

func example() *Part {
	p := &Part{Task: Task{Command: "describe", Flags: []string{"--procs=4"}, Program: "v1", Log: Log{"a.swf", 7, "00ff"}, Share: workload.Share{Part: 2, Parts: 3}}}
	p.Set(&counts{N: 3, values: []float64{1, 2.5}, by: map[string]int64{"x": 1, "y": -2}, next: &counts{}})
	return p
}

func TestPartRoundTrip(t *testing.T) {
	var b, again bytes.Buffer
	p := example()
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var c counts
	if err := got.Get(&c); err != nil || c.N != 3 || c.values[1] != 2.5 || c.by["y"] != -2 || c.next == nil {
		t.Errorf("%+v, %v", c, err)
	}
	if err := got.Write(&again); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
		t.Errorf("written again: %v, other bytes", err)
	}
	var other struct{ N int32 }
	if err := got.Get(&other); err == nil {
		t.Error("statistics of another type are read")
	}
	for n := range b.Len() {
		if _, err := Parse(b.Bytes()[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a part", n, b.Len())
		}
	}
}

// TestReadOfOtherFiles holds that of a large file that is no part nothing but its head is read.
func TestReadOfOtherFiles(t *testing.T) {
	var whole bytes.Buffer
	if err := example().Write(&whole); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		head []byte
		want string
	}{
		"log":  {[]byte("; a log\n"), "saw no part file, want one that --part has written"},
		"long": {whole.Bytes(), "bytes after its end, want none"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.head, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 256<<20); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: took %d bytes of memory", name, took)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%v", err)
		}
	}
}

// FuzzPart holds that no bytes panic, whatever they say of themselves: a content of any
// bytes is given the length and checksum that it should have.
func FuzzPart(f *testing.F) {
	f.Add(state.Append(nil, example()), false)
	f.Add([]byte(magic), true)
	f.Fuzz(func(t *testing.T, b []byte, raw bool) {
		if !raw {
			z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
			content := z.EncodeAll(b, nil)
			sum := sha256.Sum256(content)
			b = append(binary.LittleEndian.AppendUint64([]byte(magic), uint64(len(content))), sum[:]...)
			b = append(b, content...)
		}
		p, err := Parse(b)
		if err != nil {
			return
		}
		var c counts
		p.Get(&c)
		p.Shape = state.Shape(&c)
		p.Get(&c)
	})
}
