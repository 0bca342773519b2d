package workload

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// JobFile holds a sequence of jobs for reading in any order, in bounded memory: about 50 MB
// of jobs, and the others in a temporary file that is gone when the program ends in any
// way. The zero value is empty. Close it after use.
type JobFile struct {
	n      int64
	blocks []*jobBlock         // in memory
	by     map[int64]*jobBlock // the same by their numbers
	next   int                 // in blocks: the one to give way, in turn
	keep   int                 // length of blocks at most; 0 is keptBlocks
	f      *TempFile           // nil as long as blocks has room for all
	more   *TempFile           // optional columns; nil as long as no job of f has any
	buf    []byte
}

// Blocks are small: a copy's jobs of one user stand far apart (workload/reshape's
// Replicate), and with 128 jobs in a block each took one of its own to be read.
const (
	jobsPerBlock = 8
	keptBlocks   = 32768
)

// jobBlock is as many jobs as are read and written at once.
type jobBlock struct {
	number int64
	dirty  bool // the file does not have it as it is here
	jobs   [jobsPerBlock]Job
}

// Keep sets the number of jobs to hold in memory. Call it before the first Append. Few are
// enough for reading in order.
func (f *JobFile) Keep(jobs int) { f.keep = max(1, jobs/jobsPerBlock) }

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
	files := []*TempFile{f.f, f.more}
	*f = JobFile{}
	var err error
	for _, file := range files {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
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

// jobBytes is the size of a job in the file.
var jobBytes = 8 * (len((&Job{}).floats()) + len((&Job{}).ints()))

func (f *JobFile) write(b *jobBlock) (err error) {
	if f.f == nil {
		if f.f, err = UnlinkedFile(); err != nil {
			return err
		}
	}
	f.buf = f.buf[:0]
	for i := range b.jobs {
		for _, x := range b.jobs[i].floats() {
			f.buf = binary.LittleEndian.AppendUint64(f.buf, math.Float64bits(*x))
		}
		for _, x := range b.jobs[i].ints() {
			f.buf = binary.LittleEndian.AppendUint64(f.buf, uint64(*x))
		}
	}
	b.dirty = false
	if _, err = f.f.WriteAt(f.buf, b.number*int64(len(f.buf))); err != nil {
		return err
	}
	return f.writeMore(b)
}

// read reads a block that was written: one that is whole, since another has come
// after it.
func (f *JobFile) read(b *jobBlock) error {
	f.buf = append(f.buf[:0], make([]byte, jobsPerBlock*jobBytes)...)
	if _, err := f.f.ReadAt(f.buf, b.number*int64(len(f.buf))); err != nil {
		return err
	}
	rest := f.buf
	for i := range b.jobs {
		for _, x := range b.jobs[i].floats() {
			*x, rest = math.Float64frombits(binary.LittleEndian.Uint64(rest)), rest[8:]
		}
		for _, x := range b.jobs[i].ints() {
			*x, rest = int64(binary.LittleEndian.Uint64(rest)), rest[8:]
		}
		b.jobs[i].Asked, b.jobs[i].Given = nil, nil
	}
	return f.readMore(b)
}

// floats are the job's fields of that type.
func (j *Job) floats() [11]*float64 {
	return [11]*float64{
		&j.Submit, &j.Time, &j.Memory, &j.Think, &j.SequentialTime, &j.AverageParallelism, &j.Sigma,
		&j.Wait, &j.Run, &j.CPUTime, &j.UsedMemory,
	}
}

// ints are the job's other fields.
func (j *Job) ints() [12]*int64 {
	return [12]*int64{
		&j.ID, &j.Row, &j.Processors, &j.Size, &j.User, &j.Group, &j.Application, &j.Queue, &j.Partition, &j.Preceding,
		&j.Allocated, &j.Status,
	}
}
