package workload

import (
	"bufio"
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
	jobs []Job
	keep int // length of jobs at most, for tests; 0 is keptJobs

	// The file of the others, which only this process reads; nil for none.
	file    *TempFile
	written *bufio.Writer // nil when all that was written is in the file
	one     [1]Job
}

const keptJobs = 1 << 20

// bytes are those of one, as the file has them.
func (f *JobFile) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&f.one)), unsafe.Sizeof(f.one))
}

// Append adds a job at the end. No job can be added once one has been read.
func (f *JobFile) Append(j *Job) (err error) {
	if len(f.jobs) < cmp.Or(f.keep, keptJobs) {
		f.jobs = append(f.jobs, *j)
		return nil
	}
	if f.file == nil {
		if f.file, err = UnlinkedFile(); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		f.written = bufio.NewWriterSize(f.file, 1<<16)
	}
	f.one[0] = *j
	if _, err = f.written.Write(f.bytes()); err != nil {
		err = fmt.Errorf("temporary file: %w", err)
	}
	return err
}

// At returns the job at a place, from 0. It is valid until the next call.
func (f *JobFile) At(place int64) (*Job, error) {
	kept := int64(len(f.jobs))
	if place < kept {
		return &f.jobs[place], nil
	}
	var err error
	if f.written != nil {
		err, f.written = f.written.Flush(), nil
	}
	if err == nil {
		_, err = f.file.ReadAt(f.bytes(), (place-kept)*int64(unsafe.Sizeof(f.one)))
	}
	if err != nil {
		err = fmt.Errorf("temporary file: %w", err)
	}
	return &f.one[0], err
}

// Close frees the file.
func (f *JobFile) Close() error {
	file := f.file
	*f = JobFile{}
	if file == nil {
		return nil
	}
	return file.Close()
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
