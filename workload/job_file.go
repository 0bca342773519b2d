package workload

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unsafe"
)

// JobFile holds a sequence of jobs for reading in any order, in bounded memory: a million
// jobs, and the others in a temporary file that is gone when the program ends in any
// way. The zero value is empty. Close it after use.
type JobFile struct {
	n      int64
	blocks []*jobBlock         // in memory
	by     map[int64]*jobBlock // the same by their numbers
	next   int                 // in blocks: the one to give way, in turn
	keep   int                 // length of blocks at most, for tests; 0 is keptBlocks
	f      *TempFile           // nil as long as blocks has room for all
}

// Blocks are small: a copy's jobs of one user stand far apart (workload/reshape's
// Replicate), and with 128 jobs in a block each took one of its own to be read.
const (
	jobsPerBlock = 8
	keptBlocks   = 1 << 17
)

// jobBlock is as many jobs as are read and written at once.
type jobBlock struct {
	number int64
	dirty  bool // the file does not have it as it is here
	jobs   [jobsPerBlock]Job
}

// Len returns the number of jobs.
func (f *JobFile) Len() int64 { return f.n }

// Append adds a job at the end.
func (f *JobFile) Append(j *Job) error {
	b, err := f.block(f.n / jobsPerBlock)
	if err != nil {
		return err
	}
	b.jobs[f.n%jobsPerBlock], b.dirty = *j, true
	f.n++
	return nil
}

// At returns the job at a place, from 0 to Len()-1. It is valid until the next call.
func (f *JobFile) At(place int64) (*Job, error) {
	b, err := f.block(place / jobsPerBlock)
	if err != nil {
		return nil, err
	}
	return &b.jobs[place%jobsPerBlock], nil
}

// Close frees the file.
func (f *JobFile) Close() error {
	file := f.f
	*f = JobFile{}
	if file == nil {
		return nil
	}
	return file.Close()
}

// block brings a block into memory, in place of another one if need be.
func (f *JobFile) block(number int64) (*jobBlock, error) {
	if b := f.by[number]; b != nil {
		return b, nil
	}
	if f.by == nil {
		f.by = map[int64]*jobBlock{}
	}
	if len(f.blocks) < cmp.Or(f.keep, keptBlocks) { // no other has given way yet
		b := &jobBlock{number: number}
		f.blocks, f.by[number] = append(f.blocks, b), b
		return b, nil
	}
	b := f.blocks[f.next]
	f.next = (f.next + 1) % len(f.blocks)
	delete(f.by, b.number)
	if b.dirty {
		if err := f.write(b); err != nil {
			return nil, fmt.Errorf("temporary file: %w", err)
		}
	}
	b.number, f.by[number] = number, b
	if number*jobsPerBlock < f.n {
		if err := f.read(b); err != nil {
			return nil, fmt.Errorf("temporary file: %w", err)
		}
	}
	return b, nil
}

// bytes are the block's jobs as they are in the file, which only this process reads.
func (b *jobBlock) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&b.jobs)), unsafe.Sizeof(b.jobs))
}

func (f *JobFile) write(b *jobBlock) (err error) {
	if f.f == nil {
		if f.f, err = UnlinkedFile(); err != nil {
			return err
		}
	}
	b.dirty = false
	_, err = f.f.WriteAt(b.bytes(), b.number*int64(len(b.bytes())))
	return err
}

// read reads a block that was written: one that is whole, since another has come
// after it.
func (f *JobFile) read(b *jobBlock) error {
	_, err := f.f.ReadAt(b.bytes(), b.number*int64(len(b.bytes())))
	return err
}

// TempFile is a temporary file without a name. Errors of making and writing it name its
// folder, which is that of os.TempDir.
type TempFile struct{ *os.File }

// UnlinkedFile creates a temporary file and removes its name at once, so that nothing
// remains when the program ends in any way.
func UnlinkedFile() (*TempFile, error) {
	f, err := os.CreateTemp("", "loadstone-*")
	if err != nil {
		return nil, tempFault(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, tempFault(err)
	}
	return &TempFile{f}, nil
}

func (f *TempFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, tempFault(err)
}

func (f *TempFile) WriteAt(p []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(p, at)
	return n, tempFault(err)
}

// ReadFrom copies by Write: errors of r are not those of the file.
func (f *TempFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

func tempFault(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("temporary files cannot be written in %s (TMPDIR names another folder): %w", os.TempDir(), p.Err)
}
