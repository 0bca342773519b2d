package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// storeOf creates a store with the given content.
func storeOf(t testing.TB, content []byte) string {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, fileName), content, 0o600))
	return dir
}

// linesRead returns the lines of the entries that can be read before an error.
func linesRead(content []byte) (text []byte, err error) {
	for e, err := range newLines(fileName, bytes.NewReader(content)).entries {
		if err == nil {
			text, err = addLine(text, e)
		}
		if err != nil {
			return text, err
		}
	}
	return text, nil
}

// addLine appends the line of the next entry to the lines of a store.
func addLine(text []byte, e Entry) ([]byte, error) {
	return appendLine(text, int64(bytes.Count(text, []byte{'\n'}))+1, e)
}

func someLines(t testing.TB) (content []byte) {
	var err error
	begin := someBegin
	for _, e := range append([]Entry{&begin}, someEntries()...) {
		content, err = addLine(content, e)
		noError(t, err)
	}
	return content
}

// TestDamage checks that reading a damaged store returns a prefix of the entries written, followed
// by a torn line or an error with file and line.
func TestDamage(t *testing.T) {
	whole := someLines(t)
	step := longtest.Size(3, 1)
	for at := rand.IntN(step); at < len(whole); at += step {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1 << rand.IntN(8)
		before := bytes.Count(whole[:at], []byte("\n"))
		for what, damaged := range map[string][]byte{"cut off": whole[:at], "flipped": flipped} {
			text, err := linesRead(damaged)
			var fault *workload.InputError
			switch {
			case !bytes.HasPrefix(whole, text):
				t.Fatalf("%s at byte %d: read %q", what, at, text)
			case err == nil && (what == "flipped" && at != len(whole)-1 || bytes.Count(text, []byte("\n")) < before):
				t.Fatalf("%s at byte %d: no error", what, at)
			case err != nil && (!errors.As(err, &fault) || fault.Line != int64(before)+1 || fault.File != fileName):
				t.Fatalf("%s at byte %d: %v, want its file and line", what, at, err)
			}
		}
	}
}

// TestTornLineIsCutOff checks that a store cut off anywhere, or ending in zeros, as it may after a
// power failure, is opened with its complete lines and can be appended to.
func TestTornLineIsCutOff(t *testing.T) {
	whole := someLines(t)
	first := bytes.IndexByte(whole, '\n') + 1
	for _, zeros := range []int{0, 5000} {
		for at := rand.IntN(20); at < len(whole); at += 20 {
			dir := storeOf(t, append(bytes.Clone(whole[:at]), make([]byte, zeros)...))
			j := mustOpen(t, dir)
			mustAppend(t, j, &Name{"User", 9, "bob"})
			j.Close()
			keep := max(bytes.LastIndexByte(whole[:at], '\n')+1, first) // a new store has a first line
			want, _ := addLine(bytes.Clone(whole[:keep]), &Name{"User", 9, "bob"})
			if got, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("cut at byte %d: %q, %v", at, got, err)
			}
		}
	}
}

// sum adds checksums to lines of JSON, as in a store.
func sum(json string) (b []byte) {
	number := 0
	for line := range strings.Lines(json) {
		number++
		line = fmt.Sprint(number, " ", strings.TrimSuffix(line, "\n"))
		b = fmt.Appendf(b, "%08x %s\n", crc32.Checksum([]byte(line), castagnoli), line)
	}
	return b
}

const beginLine = `{"version":1,"begin":{"origin":"2026-03-01T12:00:00Z"}}` + "\n"

// Lines with correct checksums that are not entries, and lines in the wrong form.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"start":{"t":1}}`:                                   `:1: saw "{\"start\":{\"t\":1}}", want a begin entry in the first line`,
		`{"version":2,"begin":{}}`:                            `: saw a store of version 2, want 1`,
		`{"version":1,"begin":{"origin":"yesterday"}}`:        `want an entry of a store: parsing time`,
		beginLine + beginLine:                                 `:2: saw `,
		beginLine + `{"stop":{"t":1}}`:                        `:2: saw "{\"stop\":{\"t\":1}}", want an entry of a store: no begin, name,`,
		beginLine + `{"start":{"t":null,"job":{"job":1.5}}}`:  `:2: saw `,
		beginLine + `{"start":{"t":1,"job":{"wait":"soon"}}}`: `:2: saw `,
		beginLine + `{"start":{"t":1}}}`:                      `:2: saw `,
	} {
		if _, err := linesRead(sum(text)); err == nil || !strings.HasPrefix(err.Error(), fileName+":") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"00000000 1 {}\n":                     `:1: checksum: saw "00000000", want `,
		"{}\n":                                `:1: saw "{}", want a checksum of 8 hexadecimal digits`,
		"\n":                                  `:1: saw "", want a checksum`,
		strings.Repeat("x", 2*maxLine) + "\n": `:1: saw a line of more than 1048576 bytes`,
	} {
		if _, err := linesRead([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), fileName+want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
	for _, err := range Read(t.TempDir()) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

// A store in which whole lines are missing or repeated is refused with file and line, by readers
// and by the next writer.
func TestMissingLines(t *testing.T) {
	all := bytes.SplitAfter(someLines(t), []byte{'\n'})
	all = all[:len(all)-1]
	refused := func(line, number int, lines ...[]byte) {
		t.Helper()
		want := fmt.Sprintf("%s:%d: number: saw \"%d\", want %d: lines of the store are missing", fileName, line, number, line)
		content := bytes.Join(lines, nil)
		if _, err := linesRead(content); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if j, err := Open(storeOf(t, content), someBegin); err == nil {
			j.Close()
			t.Errorf("no error, want %s", want)
		}
	}
	for i := 1; i < len(all)-1; i++ { // a store that ends earlier may have been copied while it was written
		refused(i+1, i+2, slices.Delete(slices.Clone(all), i, i+1)...)
		refused(i+2, i+1, slices.Insert(slices.Clone(all), i, all[i])...)
	}
}

// FuzzJournal reads arbitrary bytes as a store, as they are and with correct checksums. Entries
// that can be read are written again and read back.
func FuzzJournal(f *testing.F) {
	f.Add(someLines(f))
	f.Add([]byte(beginLine + `{"submit":{"t":1e0,"answers":[{"by":"a","q":null,"s":1e999,"n":1,"group":"\u0001"}],"scored":true}}` + "\n"))
	var plain []byte
	for line := range bytes.Lines(someLines(f)) {
		plain = append(plain, bytes.SplitN(line, []byte{' '}, 3)[2]...)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, content := range [][]byte{text, sum(string(text))} {
			lines, err := linesRead(content)
			var fault *workload.InputError
			if err != nil && (!errors.As(err, &fault) || fault.Line == 0) {
				t.Fatalf("%v: without file and line", err)
			}
			if again, err := linesRead(lines); err != nil || !bytes.Equal(lines, again) {
				t.Fatalf("%v: read %q, then %q", err, lines, again)
			}
		}
	})
}
