package logfile_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

const exampleLog = "; MaxProcs: 16\n1 0 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 8\n2 9 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 8\n"

func zstandard(t *testing.T, content []byte) []byte {
	t.Helper()
	z := jobtest.Must(zstd.NewWriter(nil))
	return z.EncodeAll(content, nil)
}

// columnarFile returns the example log in each columnar format.
func columnarFile(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for format, name := range map[string]string{"parquet": "parquet", "arrow": "arrow", "arrow stream": "arrows"} {
		l := openText(t, exampleLog)
		var b bytes.Buffer
		w, err := logfile.NewWriter(name, &b, l.Header, workload.WriteOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		logtest.WriteAll(t, w, l.Batches())
		files[format] = b.Bytes()
	}
	return files
}

// openText opens a text as a log in the standard workload format.
func openText(t *testing.T, text string) *workload.Log {
	t.Helper()
	l, err := swf.Format.Open("log", bufio.NewReader(strings.NewReader(text)), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// read returns the jobs of an opened log, and closes it.
func read(l *workload.Log, err error) (jobs []workload.Job, _ error) {
	if err != nil {
		return nil, err
	}
	defer l.Close()
	for j, err := range l.Jobs() {
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// sameAs fails if the jobs differ from those of a text in the standard workload format.
func sameAs(t *testing.T, jobs []workload.Job, text string) {
	t.Helper()
	want, err := read(openText(t, text), nil)
	if d := cmp.Diff(want, jobs, cmpopts.EquateNaNs()); d != "" || err != nil {
		t.Error(d, err)
	}
}

// checkExample reads the example log from an opened log and closes it.
func checkExample(t *testing.T, l *workload.Log, format string) {
	t.Helper()
	jobs, err := read(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameAs(t, jobs, exampleLog)
	if n, _ := l.Header.Processors(); n != 16 || l.Format != format {
		t.Errorf("%d processors in the header, want 16; format %q, want %q", n, l.Format, format)
	}
	if err := l.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// TestOpenFindsTheFormat opens every format, plain and compressed, as a file with an uninformative
// name, as a stream that arrives byte by byte, and as a file whose offset is not at its beginning.
func TestOpenFindsTheFormat(t *testing.T) {
	contents := columnarFile(t)
	contents["swf"] = []byte(exampleLog)
	for format, content := range contents {
		name := strings.Fields(format)[0]
		for packing, packed := range map[string][]byte{"plain": content, "gzip": logtest.Gzipped(t, content), "zstd": zstandard(t, content)} {
			t.Run(format+" "+packing, func(t *testing.T) {
				before := goruntime.NumGoroutine()
				l, err := logfile.Open(logtest.TempFile(t, "log", packed), workload.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got := filepath.Base(l.Name); got != "log" {
					t.Errorf("name %q", got)
				}
				checkExample(t, l, name)

				if l, err = logfile.OpenReader("-", iotest.OneByteReader(bytes.NewReader(packed)), workload.Options{}); err != nil {
					t.Fatal(err)
				}
				checkExample(t, l, name)

				f := jobtest.Must(os.Open(logtest.TempFile(t, "log", append([]byte("before"), packed...))))
				defer f.Close()
				if _, err := f.Seek(6, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				if l, err = logfile.OpenReader("-", f, workload.Options{}); err != nil {
					t.Fatal(err)
				}
				checkExample(t, l, name)
				if _, err := f.Stat(); err != nil {
					t.Errorf("the caller's file is closed: %v", err)
				}
				for range 100 {
					if goruntime.NumGoroutine() <= before {
						return
					}
					time.Sleep(time.Millisecond)
				}
				t.Errorf("%d goroutines, %d before", goruntime.NumGoroutine(), before)
			})
		}
	}
}

// TestOpenReadsThroughCompression reads files compressed by the formats' own programs: whole;
// truncated at every fourth byte (with -tags long at every byte), which is always an error that
// names the file and the fault; and with one bit flipped in each of these bytes, which is an error
// or, if the bit does not matter, gives the unchanged log.
func TestOpenReadsThroughCompression(t *testing.T) {
	dir := filepath.Join("testdata", "compressed")
	text := jobtest.Must(os.ReadFile(filepath.Join(dir, "jobs.swf")))
	for file, format := range map[string]string{"jobs.swf": "", "two-members.swf.gz": "", "jobs.swf.gz": "gzip", "jobs.swf.bz2": "bzip2", "jobs.swf.xz": "xz", "jobs.swf.zst": "zstd"} {
		content := jobtest.Must(os.ReadFile(filepath.Join(dir, file)))
		readBytes := func(b []byte) ([]workload.Job, error) {
			return read(logfile.OpenReader("cut", bytes.NewReader(b), workload.Options{Workers: 1}))
		}
		jobs, err := readBytes(content)
		if err != nil {
			t.Fatal(err)
		}
		sameAs(t, jobs, string(text))
		for n := 6; n < len(content) && format != ""; n += longtest.Size(4, 1) {
			if _, err := readBytes(content[:n]); err == nil || !strings.HasPrefix(err.Error(), "cut: saw truncated "+format+" data, want a complete file") {
				t.Errorf("%s cut at %d of %d: error %v", file, n, len(content), err)
			}
			damaged := bytes.Clone(content)
			damaged[n] ^= 1 << (n % 8)
			var e *workload.InputError
			if jobs, err := readBytes(damaged); err == nil {
				sameAs(t, jobs, string(text))
			} else if !errors.As(err, &e) || e.File != "cut" {
				t.Fatalf("%s, byte %d: %T %v", file, n, err, err)
			}
		}
	}
}

func TestOpenBadInput(t *testing.T) {
	dir := t.TempDir()
	parquet := columnarFile(t)["parquet"]
	faults := map[string]string{
		filepath.Join(dir, "missing.swf"): "missing.swf: no such file or directory",
		dir:                               ": saw a folder, want a job log: name a file in it",
		filepath.Join("testdata", "compressed", "big-dictionary.xz"): "big-dictionary.xz: damaged xz data: needs a dictionary of more than 128 MiB",
	}
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	packed := func(text string) string { return string(logtest.Gzipped(t, []byte(text))) }
	for _, c := range []struct{ file, content, want string }{
		{"empty.swf", "", "empty.swf: saw an empty file, want a job log"},
		{"empty.swf.gz", packed(""), "empty.swf.gz: saw nothing in it, want a job log"},
		{"a.out", "\x7fELF\x02\x01\x01\x00\x00", `a.out: saw binary data of no known format, "\x7fELF\x02\x01\x01\x00\x00", want a job log ('loadstone help formats' lists what can be read)`},
		{"utf16.csv", "\xff\xfea\x00,\x00b\x00", "want UTF-8 text, not UTF-16"},
		{"a.png", png, "a.png: saw a PNG image, want a job log ('loadstone help formats'"},
		{"a.png.gz", packed(png), "a.png.gz: saw a PNG image"},
		{"a.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF\x00", "a.jpg: saw a JPEG image"},
		{"a.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a.pdf: saw a PDF document"},
		{"a.xlsx", "PK\x03\x04\x14\x00\x06\x00", "a.xlsx: saw an Excel workbook or a ZIP archive (save the sheet as CSV"},
		{"a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "a.xls: saw an old Excel workbook (save the sheet as CSV)"},
		{"log.parquet", exampleLog, `log.parquet: saw content that begins with "; MaxProcs: 16\n1 0 5 10 4 9 100 4 60 200"..., want a Parquet file, which begins with PAR1`},
		{"jobs.json", `{"meta": {}}`, `jobs.json: saw JSON, "{\"meta\": {}}", want a job log: of JSON, what Slurm's sacct, squeue and scontrol show job print with --json, and tables by --map`},
		{"site.json", "{\n  \"schema\": \"loadstone.model/1\",\n  \"name\": \"x\"\n}\n", `site.json: saw JSON of the schema "loadstone.model/1", want a job log`},
		{"a.gz", packed(packed(exampleLog)), "a.gz: saw compressed data inside compressed data, want a job log"},
		{"b.gz", packed(exampleLog) + "more than a header", "b.gz: damaged gzip data: gzip: invalid header"},
		{"c.parquet.gz", packed(string(parquet[:len(parquet)/2])), "c.parquet.gz: "},
	} {
		faults[logtest.TempFile(t, c.file, []byte(c.content))] = c.want
	}
	for path, want := range faults {
		_, err := read(logfile.Open(path, workload.Options{}))
		var e *workload.InputError
		if !errors.As(err, &e) || e.File != path || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %T %v, want %q", path, err, err, want)
		}
	}
	if _, err := logfile.Open(filepath.Join(dir, "missing"), workload.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}

func TestOpenPassesReadErrorsOn(t *testing.T) {
	failure := errors.New("the disk is gone")
	for _, before := range []string{"", "; header\n", exampleLog, strings.Repeat(exampleLog, 50_000)} {
		_, err := read(logfile.OpenReader("log", io.MultiReader(strings.NewReader(before), iotest.ErrReader(failure)), workload.Options{}))
		if !errors.Is(err, failure) || err.Error() != "log: the disk is gone" {
			t.Errorf("behind %d bytes: error %v", len(before), err)
		}
	}
}

// TestOpenSpoolLeavesNoFile opens a columnar stream, which is spooled to a temporary file.
func TestOpenSpoolLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	content := columnarFile(t)["parquet"]
	l, err := logfile.OpenReader("-", bytes.NewReader(content), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files in the temporary folder", len(left))
	}
	checkExample(t, l, "parquet")
	missing := filepath.Join(dir, "missing")
	t.Setenv("TMPDIR", missing)
	_, err = logfile.OpenReader("-", bytes.NewReader(content), workload.Options{})
	if want := "-: temporary files cannot be written in " + missing + " (set TMPDIR to use another folder): "; err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a temporary folder: %v, want %q", err, want)
	}
}

// Reading a log after Close is an error that names the cause, whatever has become of its file; so
// is closing a log while it is read.
func TestReadAfterClose(t *testing.T) {
	text := logtest.MadeUpSWF(t, 1, 50_000)
	for name, content := range map[string][]byte{"a.swf": text, "a.swf.gz": logtest.Gzipped(t, text), "a.parquet": columnarFile(t)["parquet"]} {
		for _, begun := range []bool{false, true} {
			log, err := logfile.Open(logtest.TempFile(t, name, content), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			jobs := log.Jobs()
			if begun {
				for _, err = range jobs {
					break
				}
			}
			if fault := errors.Join(err, log.Close(), log.Close()); fault != nil {
				t.Fatal(fault)
			}
			for _, err = range jobs {
				if err != nil {
					break
				}
			}
			if !errors.Is(err, workload.ErrClosed) || !strings.HasSuffix(err.Error(), name+": the log is closed: read it before Close") {
				t.Errorf("%s, begun %t: %v", name, begun, err)
			}
		}
	}
	log, err := logfile.Open(logtest.TempFile(t, "a.swf.gz", logtest.Gzipped(t, text)), workload.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err = range log.Jobs() {
		if n++; n == 1 {
			log.Close()
		}
	}
	if !errors.Is(err, workload.ErrClosed) {
		t.Errorf("closed while it was read: %v after %d jobs", err, n)
	}
}
