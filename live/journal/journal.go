package journal

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"sync"

	"github.com/loadstone-hpc/loadstone/workload"
)

// segmentBytes is the size from which a segment is closed.
const segmentBytes = 32 << 20

// writeBytes is the size of one write of a large batch.
const writeBytes = 1 << 20

// Journal is a store that this process writes. Its methods may be called by several
// goroutines.
type Journal struct {
	dir    string
	lock   *os.File
	begin  Begin
	cut    int64
	target int64 // bytes of a segment

	mu    sync.Mutex
	last  segment
	file  *os.File // of last; nil after Close
	size  int64    // bytes of it that are whole lines
	count int64    // lines of the store
	buf   []byte
	dirty bool // lines of a failed batch may stand behind them
}

// Open opens the store in a folder for writing, or creates one that begins with
// first. It removes an incomplete last line. The error is ErrLocked if another
// process has the store open.
func Open(dir string, first Begin) (*Journal, error) {
	return open(dir, first, segmentBytes)
}

func open(dir string, first Begin, target int64) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, inputFault(dir, err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	j := &Journal{dir: dir, lock: lock, target: target}
	if err := j.open(first); err != nil {
		if j.file != nil {
			j.file.Close()
		}
		lock.Close()
		return nil, inputFault(dir, err)
	}
	return j, nil
}

func (j *Journal) open(first Begin) error {
	all, err := segments(j.dir)
	if err != nil {
		return err
	}
	tidy(j.dir, all)
	if all, err = segments(j.dir); err != nil {
		return err
	}
	if len(all) == 0 || all[len(all)-1].packed {
		if err := j.create(len(all) + 1); err != nil {
			return err
		}
	} else if err := j.resume(all[len(all)-1]); err != nil {
		return err
	}
	if j.count, err = lastLine(j.dir); err != nil {
		return err
	}
	if j.count == 0 {
		if err := j.Append(&first); err != nil {
			return err
		}
		if err := j.Sync(); err != nil {
			return err
		}
	}
	for e, err := range j.Entries() {
		if err != nil {
			return err
		}
		if begin, ok := e.(*Begin); ok {
			j.begin = *begin
			return nil
		}
		break
	}
	return &workload.InputError{File: j.last.path(), Saw: "no line", Want: "the beginning of a store"}
}

// create makes a new segment, the last.
func (j *Journal) create(number int) error {
	last := segment{j.dir, number, false}
	f, err := os.OpenFile(last.path(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := syncFolder(j.dir); err != nil {
		f.Close()
		os.Remove(last.path())
		return err
	}
	j.last, j.file, j.size = last, f, 0
	return nil
}

// resume opens the last segment and cuts off a torn line.
func (j *Journal) resume(last segment) error {
	f, err := os.OpenFile(last.path(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	j.last, j.file = last, f
	all, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if j.size, err = wholeLines(f, all); err != nil {
		return err
	}
	j.cut = all - j.size
	if j.cut == 0 {
		return nil
	}
	if err := f.Truncate(j.size); err != nil {
		return err
	}
	return f.Sync()
}

// lastLine returns the number of the last line of a store, 0 if it has none.
func lastLine(dir string) (count int64, err error) {
	all, err := segments(dir)
	for i := len(all) - 1; i >= 0 && count == 0 && err == nil; i-- {
		for l, fault := range all[i].lines(math.MaxInt64, -1, true) {
			if fault != nil {
				return 0, fault
			}
			count = l.count
		}
	}
	return count, err
}

// wholeLines returns where the last line end of a file stands.
func wholeLines(f io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 1<<16)
	for size > 0 {
		n := min(size, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], size-n); err != nil {
			return 0, err
		}
		for i := n - 1; i >= 0; i-- {
			if buf[i] == '\n' {
				return size - n + i + 1, nil
			}
		}
		size -= n
	}
	return 0, nil
}

// Begin returns the first line of the store.
func (j *Journal) Begin() Begin { return j.begin }

// Cut returns the number of bytes of an incomplete last line that Open removed.
func (j *Journal) Cut() int64 { return j.cut }

// Entries yields what was in the store when the iteration began, in its order; see Read.
func (j *Journal) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		all, size, err := j.written()
		if err != nil {
			yield(nil, inputFault(j.dir, err))
			return
		}
		entries(all, size)(yield)
	}
}

// written returns the segments, and how many bytes of the last one are whole lines.
func (j *Journal) written() (all []segment, size int64, err error) {
	j.mu.Lock()
	size, last := j.size, j.last.number
	j.mu.Unlock()
	all, err = segments(j.dir)
	return all[:min(last, len(all))], size, err
}

// Last returns the latest time of an event in the newest segment that has any,
// in seconds from the origin; ok is false if there is none.
func (j *Journal) Last() (at float64, ok bool, err error) {
	all, _, err := j.written()
	if err != nil {
		return 0, false, inputFault(j.dir, err)
	}
	at = math.Inf(-1)
	for i := len(all) - 1; i >= 0 && math.IsInf(at, -1); i-- {
		for l, err := range all[i].lines(math.MaxInt64, -1, true) {
			var entry Entry
			if err == nil {
				entry, err = l.entry(i == 0)
			}
			if err != nil {
				return 0, false, err
			}
			if e, is := entry.(*Event); is {
				at = max(at, e.Time)
			}
		}
	}
	if math.IsInf(at, -1) {
		return 0, false, nil
	}
	return at, true, nil
}

// Size returns the total size of the store's files in bytes; 0 if it cannot be
// read.
func (j *Journal) Size() (sum int64) {
	all, _, _ := j.written()
	for i := range all {
		if info, err := os.Stat(all[i].path()); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// Append adds entries at the end. When it returns they survive the end of this
// process, and after Sync a crash of the machine. On an error none of them is
// added, and a later call can succeed, for example when a full disk has been
// cleared.
func (j *Journal) Append(entries ...Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("journal: Append after Close")
	}
	if j.dirty {
		if err := j.file.Truncate(j.size); err != nil {
			return inputFault(j.last.path(), err)
		}
		j.dirty = false
	}
	if j.size >= j.target {
		if err := j.roll(); err != nil {
			return inputFault(j.last.path(), err)
		}
	}
	if cap(j.buf) > 2*writeBytes {
		j.buf = nil
	}
	end, count, b := j.size, j.count, j.buf[:0]
	var err error
	for _, e := range entries {
		count++
		if b, err = appendLine(b, count, e); err != nil {
			break
		}
		if len(b) >= writeBytes {
			if end, err = j.write(b, end); err != nil {
				break
			}
			b = b[:0]
		}
	}
	if err == nil && len(b) > 0 {
		end, err = j.write(b, end)
	}
	j.buf = b
	if err != nil {
		j.dirty = j.file.Truncate(j.size) != nil // the next call tries again
		return inputFault(j.last.path(), err)
	}
	j.size, j.count = end, count
	return nil
}

func (j *Journal) write(b []byte, at int64) (end int64, err error) {
	n, err := j.file.WriteAt(b, at)
	return at + int64(n), err
}

// roll closes the last segment, begins another and packs the one closed.
func (j *Journal) roll() error {
	if err := j.file.Sync(); err != nil {
		return err
	}
	closed, file := j.last, j.file
	if err := j.create(closed.number + 1); err != nil {
		return err
	}
	file.Close()
	closed.pack() // else the next Open does so
	return nil
}

// Sync flushes appended entries to the disk.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return errors.New("journal: Sync after Close")
	}
	if err := j.file.Sync(); err != nil {
		return inputFault(j.last.path(), err)
	}
	return nil
}

// Close syncs the store and unlocks it.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.file.Sync(), j.file.Close(), j.lock.Close())
	j.file = nil
	if err != nil {
		return inputFault(j.last.path(), err)
	}
	return nil
}

// ErrLocked is the cause of the error where another process has the store open.
var ErrLocked = errors.New("the store is locked")

// lockedError says who has the lock; pid is "" where that is not known.
func lockedError(dir, pid string) error {
	who := "another process"
	if pid != "" {
		who = "process " + pid
	}
	return &workload.InputError{File: dir, Saw: fmt.Sprintf("a store that %s has open", who), Want: "one that is not in use", Err: ErrLocked}
}
