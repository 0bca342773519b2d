package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/part"
)

// fuzzedCommands are those whose statistics FuzzMerge damages, by their index.
var fuzzedCommands = [][]string{
	{"describe", "--section", "all"},
	{"validate", "--first", "3"},
	{"lifetimes", "--by", "queue_id", "--months", "1"},
	{"fit", "--form", "lublin2003", "--no-check", "--attribute", "run_time", "--family", "log-normal"},
	{"runtime", "--predictors", "last2", "--classes", "user", "--replicates", "0"},
	{"predict", "--predictors", "bmbp,simulated,downey-a", "--replicates", "0"},
}

// FuzzMerge holds that no statistics of a part file make merge panic, whatever they are: it
// presents them, or returns an error.
// The seeds are the statistics of real part files, and those with a byte changed.
func FuzzMerge(f *testing.F) {
	log := short(f, divided(f, true), 300)
	var parts []*part.Part
	for i, command := range fuzzedCommands {
		path := filepath.Join(f.TempDir(), "x.part")
		if got := loadstone(f, "", append([]string{command[0], log, "--part", "1/1", "-o", path}, command[1:]...)...); got.code != 0 {
			f.Fatal(got.err)
		}
		p, err := part.Read(path)
		if err != nil {
			f.Fatal(err)
		}
		parts = append(parts, p)
		f.Add(uint8(i), p.State)
		for _, at := range []int{0, 1, 2, len(p.State) / 3, len(p.State) - 2} {
			changed := bytes.Clone(p.State)
			changed[at] ^= 0x41
			f.Add(uint8(i), changed)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, state []byte) {
		p := *parts[int(i)%len(parts)]
		p.State = state
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.part")
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		got := loadstone(t, "", "merge", path, "-q", "--format", "json")
		if got.code != exitDone && got.code != exitFailed && got.code != exitUsage {
			t.Fatalf("%+v", got)
		}
	})
}
