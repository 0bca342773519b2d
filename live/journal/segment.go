package journal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	prefix = "journal-"
	plain  = ".log"
	packed = ".log.zst"
	unborn = ".tmp" // behind the name of a segment that is being compressed
)

// segment is one file of a store. The names of all but the last say that they are
// packed, where that has been done.
type segment struct {
	dir    string
	number int
	packed bool
}

func (s segment) path() string {
	ext := plain
	if s.packed {
		ext = packed
	}
	return filepath.Join(s.dir, fmt.Sprintf("%s%05d%s", prefix, s.number, ext))
}

// segments lists those of a store in their order; none where the folder holds no
// store. Of a segment in both forms it has the packed one, which is whole.
func segments(dir string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[int]segment{}
	last := 0
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		digits, ext, _ := strings.Cut(digits, ".")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n < 1 || e.IsDir() {
			continue
		}
		s := segment{dir, n, "."+ext == packed}
		if e.Name() != filepath.Base(s.path()) {
			continue
		}
		if s.packed || !found[n].packed {
			found[n] = s
		}
		last = max(last, n)
	}
	var all []segment
	for n := 1; n <= last; n++ {
		s, ok := found[n]
		if !ok {
			missing := segment{dir, n, false}
			return nil, &workload.InputError{File: missing.path(), Saw: "no such file", Want: fmt.Sprintf("all segments of the store up to %d", last), Err: os.ErrNotExist}
		}
		all = append(all, s)
	}
	return all, nil
}

// open opens a segment for reading its lines, the first limit bytes of a plain one.
func (s segment) open(limit int64) (*lines, error) {
	f, err := os.Open(s.path())
	if err != nil && !s.packed && os.IsNotExist(err) {
		// It has been packed since the folder was read.
		s.packed = true
		f, err = os.Open(s.path())
	}
	if err != nil {
		return nil, err
	}
	l := &lines{name: s.path(), done: f.Close, count: -1}
	if s.number == 1 {
		l.count = 0
	}
	if !s.packed {
		l.r = bufio.NewReaderSize(io.LimitReader(f, limit), maxLine)
		return l, nil
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		f.Close()
		return nil, err
	}
	l.r = bufio.NewReaderSize(z, maxLine)
	l.done = func() error { z.Close(); return f.Close() }
	return l, nil
}

// maxWindow bounds the memory of reading a packed segment, in bytes.
const maxWindow = 8 << 20

// pack compresses a segment that nothing is added to any more. At any moment of it the
// folder has the segment whole in one form at least.
func (s segment) pack() error {
	from, err := os.Open(s.path())
	if err != nil {
		return err
	}
	defer from.Close()
	to := segment{s.dir, s.number, true}.path()
	f, err := os.OpenFile(to+unborn, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = compress(f, from)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(to+unborn, to)
	}
	if err != nil {
		os.Remove(to + unborn)
		return err
	}
	if err := syncFolder(s.dir); err != nil {
		return err
	}
	from.Close() // some systems do not remove what is open
	return os.Remove(s.path())
}

func compress(to io.Writer, from io.Reader) error {
	z, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxWindow/2))
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, from); err != nil {
		z.Close()
		return err
	}
	return z.Close()
}

// tidy packs the closed segments that a crash or a full disk left plain, and removes
// what a crash left behind. It is as well done later: its errors are ignored.
func tidy(dir string, all []segment) {
	for _, s := range all {
		half := segment{dir, s.number, true}.path() + unborn
		os.Remove(half)
		if s.packed {
			os.Remove(segment{dir, s.number, false}.path())
		} else if s.number < len(all) {
			s.pack()
		}
	}
}
