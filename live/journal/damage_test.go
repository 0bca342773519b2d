package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// storeOf makes a store of one segment with some bytes.
func storeOf(t testing.TB, content []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "journal-00001.log"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// linesRead returns the lines of the entries that are read before an error.
func linesRead(dir string) (text []byte, err error) {
	for e, err := range Read(dir) {
		if err != nil {
			return text, err
		}
		if text, err = addLine(text, e); err != nil {
			return text, err
		}
	}
	return text, nil
}

// addLine adds the next line to those of a store.
func addLine(text []byte, e Entry) ([]byte, error) {
	return appendLine(text, int64(bytes.Count(text, []byte{'\n'}))+1, e)
}

func someLines(t testing.TB) []byte {
	begin := someBegin(t)
	content, err := addLine(nil, &begin)
	for _, e := range someEntries() {
		if err == nil {
			content, err = addLine(content, e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// checkDamaged: what is read of a damaged store is the beginning of what was written; the
// rest is a torn line, or an error with file and line.
func checkDamaged(t *testing.T, what string, at int, whole []byte, dir string) {
	t.Helper()
	text, err := linesRead(dir)
	if !bytes.HasPrefix(whole, text) {
		t.Fatalf("%s at byte %d: read %q", what, at, text)
	}
	var fault *workload.InputError
	switch {
	case err == nil && bytes.Count(text, []byte("\n")) < bytes.Count(whole[:at], []byte("\n")):
		t.Fatalf("%s at byte %d: lines before it are missing, without an error", what, at)
	case err != nil && (!errors.As(err, &fault) || fault.Line != int64(bytes.Count(whole[:at], []byte("\n")))+1 || filepath.Dir(fault.File) != dir):
		t.Fatalf("%s at byte %d: %v, want its file and line", what, at, err)
	}
}

func TestDamage(t *testing.T) {
	whole := someLines(t)
	dir := storeOf(t, whole)
	path := filepath.Join(dir, "journal-00001.log")
	step := longtest.Size(3, 1)
	if testing.Short() {
		step = 7
	}
	for at := rand.IntN(step); at < len(whole); at += step {
		if err := os.WriteFile(path, whole[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		checkDamaged(t, "cut off", at, whole, dir)

		flipped := bytes.Clone(whole)
		flipped[at] ^= 1 << rand.IntN(8)
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		checkDamaged(t, "flipped", at, whole, dir)
		if _, err := linesRead(dir); err == nil && at != len(whole)-1 {
			t.Fatalf("flipped at byte %d: no error", at)
		}
	}
}

// TestTornLineIsCutOff: a store that was cut anywhere, or that ends with zeros, as one
// may after a power failure, is opened with its whole lines, and goes on.
func TestTornLineIsCutOff(t *testing.T) {
	whole := someLines(t)
	first := bytes.IndexByte(whole, '\n') + 1
	step := 7
	if testing.Short() {
		step = 61
	}
	for _, zeros := range []int{0, 5000} {
		for at := rand.IntN(step); at < len(whole); at += step {
			dir := storeOf(t, append(bytes.Clone(whole[:at]), make([]byte, zeros)...))
			j := mustOpen(t, dir, segmentBytes)
			mustAppend(t, j, &Name{"User", 9, "bob"})
			j.Close()
			keep := max(bytes.LastIndexByte(whole[:at], '\n')+1, first) // a new store has a beginning
			want, _ := addLine(bytes.Clone(whole[:keep]), &Name{"User", 9, "bob"})
			if got, err := os.ReadFile(filepath.Join(dir, "journal-00001.log")); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("cut at byte %d: %q, %v", at, got, err)
			}
		}
	}
}

// sum makes lines of JSON those of a store.
func sum(json string) []byte {
	var b []byte
	number := 0
	for line := range strings.Lines(json) {
		number++
		line = fmt.Sprint(number, " ", strings.TrimSuffix(line, "\n"))
		b = fmt.Appendf(b, "%08x %s\n", crc32.Checksum([]byte(line), castagnoli), line)
	}
	return b
}

const beginLine = `{"begin":{"version":1,"origin":"2026-03-01T12:00:00Z"}}` + "\n"

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"start":{"t":1}}`:                                   `:1: saw "{\"start\":{\"t\":1}}", want a begin entry in the first line`,
		`{"begin":{"version":2}}`:                             `: a store of version 2, and this one reads those up to 1`,
		`{"begin":{"version":1,"zone":"Nowhere"}}`:            `: the time zone "Nowhere" is not known here`,
		`{"begin":{"version":1,"origin":"yesterday"}}`:        `want an entry of a store: parsing time`,
		beginLine + beginLine:                                 `:2: saw `,
		beginLine + `{"stop":{"t":1}}`:                        `:2: saw "{\"stop\":{\"t\":1}}", want an entry of a store: no begin, name,`,
		beginLine + `{"start":{"t":null,"job":{"job":1.5}}}`:  `:2: saw `,
		beginLine + `{"start":{"t":1,"job":{"wait":"soon"}}}`: `:2: saw `,
		beginLine + `{"start":{"t":1}}}`:                      `:2: saw `,
		beginLine + `{"start":{"t":1}`:                        `unexpected end of JSON input`,
	} {
		_, err := linesRead(storeOf(t, sum(text)))
		if err == nil || !strings.Contains(err.Error(), "journal-00001.log:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, c := range [][2]string{
		{"00000000 1 {}\n", `:1: checksum: saw "00000000", want `},
		{"{}\n", `:1: saw "{}", want a checksum of 8 hexadecimal digits`},
		{"\n", `:1: saw "", want a checksum`},
		{strings.Repeat("x", 2*maxLine) + "\n", `:1: saw a line of more than 1048576 bytes`},
	} {
		if _, err := linesRead(storeOf(t, []byte(c[0]))); err == nil || !strings.Contains(err.Error(), "journal-00001.log"+c[1]) {
			t.Errorf("%.20q: %v, want %s", c[0], err, c[1])
		}
	}
	if _, err := linesRead(t.TempDir()); err == nil || !strings.Contains(err.Error(), "saw no journal-00001.log, want a store") {
		t.Error(err)
	}
}

// A store that lacks whole lines, or has one twice or out of order, is refused with file and
// line, and so is one that lacks the last lines of a closed segment.
func TestMissingLines(t *testing.T) {
	all := bytes.SplitAfter(someLines(t), []byte{'\n'})
	all = all[:len(all)-1]
	store := func(lines ...[]byte) []byte { return bytes.Join(lines, nil) }
	refused := func(what, dir, want string) {
		t.Helper()
		if _, err := linesRead(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
		j, err := open(dir, someBegin(t), segmentBytes)
		if err != nil {
			return
		}
		defer j.Close()
		for _, err = range j.Entries() {
		}
		if err == nil {
			t.Errorf("%s: opened and read", what)
		}
	}
	for i := 1; i < len(all)-1; i++ { // a store that ends earlier may have been copied while it was written
		refused("without a line", storeOf(t, store(slices.Delete(slices.Clone(all), i, i+1)...)),
			fmt.Sprintf("journal-00001.log:%d: number: saw %d, want %d: lines of the store are missing", i+1, i+2, i+1))
		twice := slices.Insert(slices.Clone(all), i, all[i])
		refused("a line twice", storeOf(t, store(twice...)), fmt.Sprintf("journal-00001.log:%d: number: saw %d, want %d", i+2, i+1, i+2))
	}
	dir := t.TempDir()
	for n, lines := range [][][]byte{all[:2], all[3:]} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("journal-%05d.log", n+1)), store(lines...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused("a segment without its end", dir, `journal-00002.log:1: number: saw 4, want 3`)
}

// TestDamagedSegments: a closed segment that ends within a line, plain or compressed, is
// an error.
func TestDamagedSegments(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir, 1)
	mustAppend(t, j, someEntries()...)
	mustAppend(t, j, someEntries()...)
	j.Close()
	path := filepath.Join(dir, "journal-00002.log.zst")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := longtest.Size(3, 1)
	if testing.Short() {
		step = 7
	}
	for at := rand.IntN(step); at < len(content); at += step {
		for _, damaged := range [][]byte{content[:at], append(append(bytes.Clone(content[:at]), content[at]^0x10), content[at+1:]...)} {
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			before := someLines(t)
			text, err := linesRead(dir)
			var fault *workload.InputError
			switch {
			case !bytes.HasPrefix(before, text) && err != nil:
				t.Fatalf("byte %d: read %q", at, text)
			case err == nil && len(damaged) == len(content) && bytes.Count(text, []byte("\n")) == 13: // a byte of no meaning
			case err == nil || !errors.As(err, &fault) || fault.File != path:
				t.Fatalf("byte %d of %d: %v, read %d bytes", at, len(content), err, len(text))
			}
		}
	}
	os.Remove(path)
	if err := os.WriteFile(filepath.Join(dir, "journal-00002.log"), someLines(t)[:1000], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := linesRead(dir); err == nil || !strings.Contains(err.Error(), "journal-00002.log:") {
		t.Error(err)
	}
}

// FuzzJournal reads any bytes as a store, as they are and with right checksums. What is
// read is written as it is read again.
func FuzzJournal(f *testing.F) {
	f.Add(someLines(f))
	f.Add([]byte(beginLine + `{"submit":{"t":1e0,"answers":[{"by":"a","q":null,"s":1e999,"n":1,"group":"\u0001"}],"scored":true}}` + "\n"))
	var plain []byte
	for line := range bytes.Lines(someLines(f)) {
		_, json, _ := bytes.Cut(line[sumDigits+1:], []byte{' '})
		plain = append(plain, json...)
	}
	f.Add(plain)
	read := func(content []byte) (text []byte, err error) {
		l := &lines{name: "fuzzed", r: bufio.NewReaderSize(bytes.NewReader(content), maxLine)}
		for err == nil {
			if err = l.next(); err == io.EOF || err == errTorn {
				return text, nil
			}
			var e Entry
			if err == nil {
				e, err = l.entry(true)
			}
			if err == nil {
				text, err = addLine(text, e)
			}
		}
		return text, err
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, content := range [][]byte{text, sum(string(text))} {
			lines, err := read(content)
			var fault *workload.InputError
			if err != nil && (!errors.As(err, &fault) || fault.Line == 0) {
				t.Fatalf("%v: without file and line", err)
			}
			if again, err := read(lines); err != nil || !bytes.Equal(lines, again) {
				t.Fatalf("%v: read %q, then %q", err, lines, again)
			}
		}
	})
}
