package logfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// onlyFiles fails if a directory contains anything else.
func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries := jobtest.Must(os.ReadDir(dir))
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

// Each format is read back as written, with the header given first or last.
func TestOutputFormats(t *testing.T) {
	first, batches := smallLog()
	want := logtest.Collect(t, batches)
	last := first.Clone()
	last.Add("Note", "only known at the end, caf\xe9 and all")
	for _, name := range []string{"x.swf", "x.SWF.GZ", "x.swf.zst", "x.parquet", "x.pq", "x.arrow", "x.feather", "x.arrows"} {
		for _, late := range []bool{false, true} {
			dir := t.TempDir()
			o, err := logfile.Create(filepath.Join(dir, name), first, workload.WriteOptions{HeaderLast: late})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Abort()
			header := first
			_, batches := smallLog()
			err = o.WriteAll(batches)
			if late {
				header = last
				o.SetHeader(last)
			}
			jobtest.NoError(t, errors.Join(err, o.Commit()))
			onlyFiles(t, dir, name)
			l, err := logfile.Open(filepath.Join(dir, name), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			logtest.SameBatches(t, logtest.Collect(t, l.Batches()), want)
			if d := cmp.Diff(header, l.Header); d != "" {
				t.Errorf("%s, header last %t: %s", name, late, d)
			}
		}
	}
	// Losses are those of a direct write.
	o, err := logfile.Create(filepath.Join(t.TempDir(), "x.csv"), first, workload.WriteOptions{HeaderLast: true})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Abort()
	o.SetHeader(last)
	if d := cmp.Diff([]workload.Loss{{Column: "header", Why: "this format has no header: its lines, with names of users and the like, are lost", Values: 3}}, o.Losses()); d != "" {
		t.Error(d)
	}
}

func TestFormatOf(t *testing.T) {
	for _, c := range longtest.Rows(`
a/b.swf | swf |
b.Parquet | parquet |
b.csv.zst | csv.zst |
b.v1.swf.gz | swf.gz |
b.txt |  | b.txt: unknown format "txt", want one of .swf, .parquet, .pq, .arrow, .feather, .ipc, .arrows, .csv, .batsim.json, .batsim (.swf, .csv, .batsim.json and .batsim may end in .gz or .zst as well)
b |  | unknown format ""
.gz |  | unknown format ".gz"
b.gz |  | unknown format ".gz"
b.swf.xz |  | unknown format "xz"
b.json |  | b.json: jobs are written as JSON for the simulator Batsim only: want a name that ends in .batsim.json
b.parquet.gz |  | b.parquet.gz: parquet files are already compressed: remove .gz from the name
`) {
		path, want, fails := c[0], c[1], c[2]
		got, err := logfile.FormatOf(path, nil)
		if got != want || (err == nil) != (fails == "") || err != nil && !strings.Contains(err.Error(), fails) {
			t.Errorf("%s: %q, %v; want %q, %s", path, got, err, want, fails)
		}
		if unknown := strings.Contains(fails, "unknown format"); errors.Is(err, logfile.ErrUnknownFormat) != unknown {
			t.Errorf("%s: %v is ErrUnknownFormat: %v", path, err, !unknown)
		}
	}
}

func TestOutputFaults(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	sealed := filepath.Join(dir, "sealed.swf")
	for _, name := range []string{file, sealed} {
		jobtest.NoError(t, os.WriteFile(name, nil, 0o444))
	}
	jobtest.NoError(t, os.Mkdir(filepath.Join(dir, "d.swf"), 0o777))
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "d.swf"), "is a directory"},
		{filepath.Join(dir, "none", "x.swf"), "the folder " + filepath.Join(dir, "none") + " does not exist"},
		{filepath.Join(file, "x.swf"), "not a"},
		{sealed, "is read-only"},
		{filepath.Join(dir, "x.doc"), "unknown format"},
	} {
		o, err := logfile.Create(c.path, workload.Header{}, workload.WriteOptions{})
		if err == nil {
			o.Abort()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if missing := strings.Contains(c.want, "does not exist"); errors.Is(err, fs.ErrNotExist) != missing {
			t.Errorf("%s: %v, is fs.ErrNotExist: want %t", c.path, err, missing)
		}
	}
	onlyFiles(t, dir, "d.swf", "file", "sealed.swf")
}

// Writing to a link writes to its target; the link is not replaced.
func TestFileOfLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "model.json"), filepath.Join(dir, "link.json")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	f, err := logfile.NewFile(link)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "two")
	jobtest.NoError(t, f.Commit())
	if b, err := os.ReadFile(path); err != nil || string(b) != "two" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	onlyFiles(t, dir, "link.json", "model.json")
}

// Until Commit, and after Abort, the previous file is unchanged; after Commit, its mode is kept.
// Writing after an output has ended is an error; Commit and Abort may follow Commit.
func TestOutputEnded(t *testing.T) {
	h, _ := smallLog()
	ends := map[string]func(*logfile.Output) error{
		"Finish": (*logfile.Output).Finish,
		"Commit": (*logfile.Output).Commit,
		"Abort":  func(o *logfile.Output) error { o.Abort(); return nil },
	}
	for _, name := range []string{"x.swf", "x.parquet", "x.csv.gz", "stream"} {
		for end, does := range ends {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			jobtest.NoError(t, os.WriteFile(path, []byte("before"), 0o640))
			o, err := logfile.NewOutput("swf", new(bytes.Buffer), h, workload.WriteOptions{})
			if name != "stream" {
				o, err = logfile.Create(path, h, workload.WriteOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			_, batches := smallLog()
			jobtest.NoError(t, errors.Join(o.WriteAll(batches), does(o)))
			content, _ := os.ReadFile(path)
			if replaced := string(content) != "before"; replaced != (end == "Commit" && name != "stream") {
				t.Errorf("%s: replaced by %s: %t", name, end, replaced)
			}
			_, batches = smallLog()
			if err := o.WriteAll(batches); !errors.Is(err, logfile.ErrEnded) {
				t.Errorf("%s: WriteAll after %s: %v", name, end, err)
			}
			if err := o.Write(new(workload.Batch)); !errors.Is(err, logfile.ErrEnded) {
				t.Errorf("%s: Write after %s: %v", name, end, err)
			}
			aborted := end == "Abort"
			for call, err := range map[string]error{"Finish": o.Finish(), "Commit": o.Commit()} {
				if errors.Is(err, logfile.ErrEnded) != aborted || (err == nil) == aborted {
					t.Errorf("%s: %s after %s: %v", name, call, end, err)
				}
			}
			o.Abort()
			if err := o.Commit(); (err == nil) == aborted {
				t.Errorf("%s: Commit after %s, Commit and Abort: %v", name, end, err)
			}
			onlyFiles(t, dir, name)
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		}
	}
	f, err := logfile.NewFile(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	f.Abort()
	_, write := f.Write([]byte("x"))
	for call, err := range map[string]error{"Write": write, "Finish": f.Finish(), "Commit": f.Commit()} {
		if !errors.Is(err, logfile.ErrEnded) {
			t.Errorf("%s after Abort: %v", call, err)
		}
	}
}

// A secret file is readable only by its owner from the start, whatever the mode of the file that it
// replaces, and it replaces a link, not the link's target.
func TestSecretFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mapping.csv")
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Skip(err)
	}
	for range 2 {
		f, err := logfile.NewSecretFile(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(f.Temp())
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
		}
		jobtest.NoError(t, f.Commit())
		onlyFiles(t, dir, "mapping.csv")
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v, want a regular file of mode 0600", info.Mode(), err)
		}
		jobtest.NoError(t, os.Chmod(path, 0o444))
	}
	if _, err := logfile.NewSecretFile(dir); err == nil {
		t.Error("a folder was taken for a file")
	}
}

// A full disk causes one error with the file's name, and leaves no file.
func TestFileFull(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("there is no ", full)
	}
	f, err := logfile.NewFile(full)
	if err != nil {
		t.Fatal(err)
	}
	if f.Temp() != "" {
		f.Abort()
		t.Fatal("a device would be replaced")
	}
	io.WriteString(f, "x")
	if err := f.Commit(); err == nil || err.Error() != full+": cannot be written: no space left on device" {
		t.Error(err)
	}
}

func TestLosses(t *testing.T) {
	rec := &workload.Batch{Rows: 4, Floats: [workload.NumColumns][]float64{workload.ColSequentialTime: []float64{1, 2, 3, 4}, workload.ColSigma: []float64{math.NaN(), 1, 2, math.NaN()}}, Ints: [workload.NumColumns][]int64{workload.ColJobID: []int64{1, 2, 3, 4}}}
	h := workload.Header{Lines: []string{" Version: 2.2", "", "x"}}
	for _, c := range []struct{ name, want string }{
		{"x.swf.gz", "[{sequential_time_s the format has no such field 8} {sigma the format has no such field 4}]"},
		{"x.csv", "[{header this format has no header: its lines, with names of users and the like, are lost 3}]"},
		{"x.parquet", "[]"},
		{"x.arrow", "[]"},
	} {
		for _, all := range []bool{false, true} {
			o, err := logfile.Create(filepath.Join(t.TempDir(), c.name), h, workload.WriteOptions{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			twice := logtest.Sequence([]*workload.Batch{rec, rec})
			if all {
				err = o.WriteAll(twice)
			} else {
				err = errors.Join(o.Write(rec), o.Write(rec))
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(o.Losses()); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
			o.Abort()
		}
	}
}

// The bytes written are the same on any number of cores, for text as well.
func TestWriteAllSameBytes(t *testing.T) {
	for _, name := range []string{"x.swf", "x.batsim.json", "x.csv.gz", "x.csv.zst", "x.parquet", "x.arrow"} {
		var all [3][]byte
		for i := range all {
			path := filepath.Join(t.TempDir(), name)
			h, _ := smallLog()
			o, err := logfile.Create(path, h, workload.WriteOptions{Workers: i + 1})
			if err != nil {
				t.Fatal(err)
			}
			jobtest.NoError(t, errors.Join(o.WriteAll(logtest.MadeUpLog(1, 20_000, 700)), o.Commit()))
			if all[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(all[i], all[0]) {
				t.Errorf("%s: %d workers write other bytes", name, i+1)
			}
		}
	}
}

// smallLog returns a hundred jobs and a header of two lines.
func smallLog() (workload.Header, workload.BatchSeq) {
	return workload.Header{Lines: []string{" Version: 2.2", " MaxProcs: 512"}}, logtest.MadeUpLog(9, 100, 30)
}
