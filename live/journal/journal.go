package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// fileName is the name of the file in the folder of a store.
	fileName = "journal.log"
	// maxLine limits the length of a line in bytes, and so the memory of a reader.
	maxLine = 1 << 20
	// tailBytes is the number of bytes read from the end when a store is opened. They
	// contain at least one whole line.
	tailBytes = 2 * maxLine

	sumDigits = 8 // length of a checksum
)

// Journal is a store that is open for writing. It is safe for concurrent use.
type Journal struct {
	path  string
	begin Begin
	cut   int64
	last  float64 // s; -Inf if there is none

	mu    sync.Mutex
	file  *os.File // nil after Close
	size  int64    // length of the file in bytes, without dirty ones
	count int64    // number of lines
	dirty bool     // bytes of a failed batch may follow
}

// Open opens the store in a folder for writing, or creates one that begins with
// first. It removes an incomplete last line. The error is ErrLocked if another
// process has the store open.
func Open(dir string, first Begin) (*Journal, error) {
	j := &Journal{path: filepath.Join(dir, fileName), last: math.Inf(-1)}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		j.file, err = openLocked(j.path)
	}
	switch {
	case errors.Is(err, ErrLocked):
		return nil, &workload.InputError{File: dir, Saw: "a store that another process has open", Want: "one that is not in use", Err: err}
	case err != nil:
		return nil, inputFault(dir, err)
	}
	if err := j.resume(first); err != nil {
		j.file.Close()
		return nil, inputFault(j.path, err)
	}
	return j, nil
}

// ErrLocked is wrapped by the error of Open if another process has the store open.
var ErrLocked = errors.New("the store is locked")

// resume removes an incomplete last line, or begins a new store, and reads the first and the
// last entries.
func (j *Journal) resume(first Begin) error {
	all, err := j.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if j.size, err = lastLineEnd(j.file, all); err != nil {
		return err
	}
	if j.cut = all - j.size; j.cut > 0 {
		if err := errors.Join(j.file.Truncate(j.size), j.file.Sync()); err != nil {
			return err
		}
	}
	if j.size == 0 {
		if err := errors.Join(j.Append(&first), j.Sync()); err != nil {
			return err
		}
	}
	from := max(0, j.size-tailBytes)
	tail := newLines(j.path, io.NewSectionReader(j.file, from, j.size-from))
	if from > 0 {
		tail.count = -1
		tail.r.ReadSlice('\n') // skip the rest of a line
	}
	for e, err := range tail.entries {
		switch e := e.(type) {
		case *Event:
			j.last = max(j.last, e.Time)
		case *Expect:
			j.last = max(j.last, e.At)
		}
		if err != nil {
			return err
		}
	}
	j.count = tail.count
	for e, err := range j.Entries() {
		if err != nil {
			return err
		}
		j.begin = *e.(*Begin)
		break
	}
	return nil
}

// lastLineEnd returns the offset of the end of the last complete line of a file, or 0 if there is
// none.
func lastLineEnd(f io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 1<<16)
	for size > 0 {
		n := min(size, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], size-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return size - n + int64(i) + 1, nil
		}
		size -= n
	}
	return 0, nil
}

// Begin returns the first line of the store.
func (j *Journal) Begin() Begin { return j.begin }

// Cut returns the number of bytes of an incomplete last line that Open removed.
func (j *Journal) Cut() int64 { return j.cut }

// Last returns the latest time of an event or forecast in the last lines of the store when it
// was opened, in seconds from the origin; ok is false if they have none.
func (j *Journal) Last() (at float64, ok bool) { return j.last, !math.IsInf(j.last, -1) }

// Size returns the size of the store in bytes.
func (j *Journal) Size() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// Append appends entries. When it returns they survive the end of this process,
// and after Sync a crash of the machine. If it returns an error, none of the
// entries has been added, and a later call may succeed, for example after space
// has been freed on a full disk.
func (j *Journal) Append(entries ...Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("journal: Append after Close")
	}
	if j.dirty {
		if err := j.file.Truncate(j.size); err != nil {
			return inputFault(j.path, err)
		}
		j.dirty = false
	}
	var b []byte
	for i, e := range entries {
		var err error
		if b, err = appendLine(b, j.count+int64(i)+1, e); err != nil {
			return err
		}
	}
	if _, err := j.file.WriteAt(b, j.size); err != nil {
		j.dirty = j.file.Truncate(j.size) != nil // if true, the next call tries again
		return inputFault(j.path, err)
	}
	j.size, j.count = j.size+int64(len(b)), j.count+int64(len(entries))
	return nil
}

// Sync flushes appended entries to the disk.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("journal: Sync after Close")
	}
	return inputFault(j.path, j.file.Sync())
}

// Close syncs the store and unlocks it.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.file.Sync(), j.file.Close())
	j.file = nil
	return inputFault(j.path, err)
}

// Entries yields, as Read does, the entries that are in the store when the iteration begins.
func (j *Journal) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { read(j.path, j.Size())(yield) }
}

// Read yields the entries of the store in a folder, in their order. It takes no lock
// and changes nothing. Because the store may be written meanwhile, an incomplete last
// line is ignored. A folder without a store is an error. The sequence ends after an
// error. Entries do not share memory.
func Read(dir string) iter.Seq2[Entry, error] {
	return read(filepath.Join(dir, fileName), math.MaxInt64)
}

// read yields the entries in the first most bytes of a file.
func read(path string, most int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, inputFault(path, err))
			return
		}
		defer f.Close()
		newLines(path, io.LimitReader(f, most)).entries(yield)
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the checksum of a line, given the rest of the line.
func checksum(rest []byte) []byte {
	return fmt.Appendf(nil, "%0*x", sumDigits, crc32.Checksum(rest, castagnoli))
}

// appendLine appends to b the line of an entry, with the given line number.
func appendLine(b []byte, number int64, e Entry) ([]byte, error) {
	text, err := encode(e)
	if n := len(text) + 2*sumDigits + 20; err == nil && n > maxLine {
		err = fmt.Errorf("an entry of %d bytes, want fewer than %d", n, maxLine)
	}
	if err != nil {
		return b, fmt.Errorf("journal: %w", err)
	}
	text = append(append(strconv.AppendInt(nil, number, 10), ' '), text...)
	b = append(append(b, checksum(text)...), ' ')
	return append(append(b, text...), '\n'), nil
}

// lines reads the lines of a store.
type lines struct {
	path  string
	r     *bufio.Reader
	count int64 // the number of the last line read; -1 if the next line may have any number
}

func newLines(path string, r io.Reader) *lines {
	return &lines{path: path, r: bufio.NewReaderSize(r, maxLine)}
}

// entries yields the entries of the complete lines.
func (l *lines) entries(yield func(Entry, error) bool) {
	for {
		e, err := l.next()
		if err == io.EOF || !yield(e, err) || err != nil {
			return
		}
	}
}

// next reads the next line. The error is io.EOF if there is no further complete line.
func (l *lines) next() (Entry, error) {
	text, err := l.r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return nil, l.fault("", fmt.Sprintf("a line of more than %d bytes", maxLine), "one that is not damaged")
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, inputFault(l.path, err)
	}
	text = text[:len(text)-1]
	sum, rest, _ := bytes.Cut(text, []byte{' '})
	digits, json, whole := bytes.Cut(rest, []byte{' '})
	if len(sum) != sumDigits || !whole {
		return nil, l.fault("", workload.Shorten(text), "a checksum of 8 hexadecimal digits, a number and JSON, with spaces between them")
	}
	if want := checksum(rest); !bytes.Equal(want, sum) {
		return nil, l.fault("checksum", workload.Shorten(sum), string(want)+", that of the line: it is damaged")
	}
	number, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || number < 1 || l.count >= 0 && number != l.count+1 {
		return nil, l.fault("number", workload.Shorten(digits), fmt.Sprintf("%d: lines of the store are missing or out of order", l.count+1))
	}
	e, err := decode(json)
	if err != nil {
		l.count = number - 1
		return nil, &workload.InputError{File: l.path, Line: number, Saw: workload.Shorten(json), Want: "an entry of a store", Err: err}
	}
	if _, begins := e.(*Begin); begins != (number == 1) {
		return nil, l.fault("", workload.Shorten(json), "a begin entry in the first line of the store, and only there")
	}
	l.count = number
	return e, nil
}

// fault returns an error about the line after the last one read.
func (l *lines) fault(field, saw, want string) error {
	return &workload.InputError{File: l.path, Line: l.count + 1, Field: field, Saw: saw, Want: want}
}

// inputFault converts an error of the operating system to a *workload.InputError with the file's
// name. It returns other *workload.InputErrors and nil unchanged.
func inputFault(path string, err error) error {
	var fault *workload.InputError
	if err == nil || errors.As(err, &fault) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &workload.InputError{File: path, Err: err}
}
