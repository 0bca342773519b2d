package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// old are the files that stand in a folder before a command replaces them.
func old(t *testing.T, log string, names ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range append(names, "k.swf") {
		text := "old"
		if name == "k.swf" {
			text = log
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree is the names of a folder's files, with the text of short ones.
func tree(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name := strings.TrimPrefix(path, dir+"/")
		if e.IsDir() {
			all = append(all, name+"/")
			return nil
		}
		b, err := os.ReadFile(path)
		all = append(all, fmt.Sprintf("%s: %.3s", name, b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// severalFiles are commands that write more than one file, with a file size that
// is too small for some of them, and with files that stand there before.
var severalFiles = []struct {
	name string
	args []string
	most int // bytes
	old  []string
}{
	{"split", []string{"split", "k.swf", "-o", "part-{n}.swf", "--at", "30000"}, 200_000, []string{"part-1.swf", "part-2.swf"}},
	{"split in two readings", []string{"split", "k.swf", "-o", "part-{n}.swf", "--at", manyMoments}, 200_000, []string{"part-03.swf"}},
	{"clean", []string{"clean", "k.swf", "--filter", "user=3", "--removed", "gone.csv", "-o", "out.swf"}, 200_000, []string{"gone.csv", "out.swf"}},
	{"clean nearly all", []string{"clean", "k.swf", "--filter", "keep user=3", "--removed", "gone.csv", "-o", "out.swf"}, 300_000, []string{"gone.csv", "out.swf"}},
	{"anonymise", []string{"anonymise", "k.swf", "--mapping", "m.csv", "-o", "out.swf"}, 200_000, []string{"m.csv"}},
	{"runtime", []string{"runtime", "k.swf", "--predictions", "p.csv", "-o", "r.json", "--plots", "figures"}, 200_000, []string{"p.csv", "r.json"}},
	{"predict", []string{"predict", "k.swf", "--predictors", "bmbp", "--predictions", "p.csv", "-o", "r.json", "--plots", "figures"}, 400_000, []string{"figures/waits.svg"}},
	{"fit", []string{"fit", "k.swf", "-o", "m.json", "--plots", "figures/fits", "--attribute", "run_time"}, 12_000, []string{"m.json"}},
	{"simulate", []string{"simulate", "k.swf", "-o", "out.swf"}, 200_000, []string{"out.swf"}},
	{"grid", []string{"grid", "k.swf", "--grid", "das3", "--placements", "p.csv", "-o", "r.json", "--plots", "figures"}, 300_000, []string{"r.json"}},
	{"allocate", []string{"allocate", "--days", "5", "--per-job", "p.csv", "-o", "r.json", "--plots", "figures"}, 200_000, []string{"p.csv"}},
	{"man", []string{"man", "pages/1"}, 4000, nil},
}

// manyMoments cut a log into more parts than are written in one reading, the
// last of which is long.
var manyMoments = func() string {
	var all []string
	for i := range splitFiles + 3 {
		all = append(all, fmt.Sprint(1000*(i+1)))
	}
	return strings.Join(all, ",")
}()

// TestFullDisk: where one of several files cannot be written, none is there,
// and old ones are as they were.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	log := longLog(20_000)
	for _, c := range severalFiles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := old(t, log, c.old...)
			before := tree(t, dir)
			p := newProcess(t, dir, c.args...)
			p.Env = append(p.Env, fmt.Sprintf("%s=%d", mostBytes, c.most))
			p.Run()
			if code := p.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(p.err.String(), syscall.EFBIG.Error()) {
				t.Errorf("exit code %d, want %d and %q: %s", code, exitFailed, syscall.EFBIG, &p.err)
			}
			if got := tree(t, dir); !slices.Equal(got, before) {
				t.Errorf("files %q, want those before: %q", got, before)
			}
			if got := files(t, p.temp); len(got) > 0 {
				t.Errorf("left in the folder of temporary files: %q", got)
			}
		})
	}
}

// TestInterruptedSplit: an interrupt leaves all parts or none, and no old part
// beside new ones.
func TestInterruptedSplit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	dir := old(t, longLog(20_000), "part-03.swf")
	before := tree(t, dir)
	p := newProcess(t, dir, "split", "k.swf", "-o", "part-{n}.swf", "--at", manyMoments)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	// The parts of the first reading are whole when the second one begins.
	waitFor(t, "the second reading", func() bool {
		begun, err := filepath.Glob(filepath.Join(dir, "*part-"+fmt.Sprint(splitFiles+1)+"*"))
		return err != nil || len(begun) > 0
	})
	p.Process.Signal(syscall.SIGINT)
	p.Wait()
	got := tree(t, dir)
	switch code := p.ProcessState.ExitCode(); {
	case code == exitInterrupted && slices.Equal(got, before):
	case code == exitDone && len(got) == 1+splitFiles+4: // the signal came too late
	default:
		t.Errorf("exit code %d, files %q, want those before: %q", code, got, before)
	}
}
