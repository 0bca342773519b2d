// Package part reads and writes part files: what one run of a command has computed
// of a part of its work, for the run that puts all parts together.
//
// A file says what it is of (Task) and holds the statistics of the part as package
// state writes them. Its bytes are a mark with the version of the form, the length and
// the SHA-256 of the content, and the content, packed by zstd: a file that is cut
// short, damaged or of another version is an error and is never merged.
package part

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/state"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Task is what a part is of. Parts of one task differ in Share alone.
type Task struct {
	Command string
	Flags   []string // that the result depends on, as they were given
	Program string   // its version
	Log     Log
	Share   workload.Share
}

// Log names a log and its bytes.
type Log struct {
	Name   string
	Bytes  int64
	Digest string // see Digest
}

// Part is the content of a file.
type Part struct {
	Task
	Reading workload.LogState
	Shape   string // of the statistics
	State   []byte // the statistics
}

// magic is what a part file begins with; its last digits are the version of the form.
const magic = "loadstone.part/1\n"

// mostBytes bounds the content, unpacked.
const mostBytes = 8 << 30

// Set gives the part its statistics, which v points to.
func (p *Part) Set(v any) { p.Shape, p.State = state.Shape(v), state.Append(nil, v) }

// Get reads the statistics into what v points to.
func (p *Part) Get(v any) error {
	if shape := state.Shape(v); shape != p.Shape {
		return fmt.Errorf("saw statistics of another version of the program, %s, want those of this one", p.Program)
	}
	if err := state.Decode(p.State, v); err != nil {
		return fmt.Errorf("damaged statistics: %w", err)
	}
	return nil
}

// Write writes the part.
func (p *Part) Write(w io.Writer) error {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	content := z.EncodeAll(state.Append(nil, p), nil)
	head := binary.LittleEndian.AppendUint64([]byte(magic), uint64(len(content)))
	sum := sha256.Sum256(content)
	for _, b := range [][]byte{head, sum[:], content} {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

const headBytes = len(magic) + 8 + sha256.Size

// head checks what a part file begins with and returns the length that its content is to have.
func head(b []byte) (content uint64, err error) {
	if !bytes.HasPrefix(b, []byte(magic)) {
		if bytes.HasPrefix(b, []byte(magic[:len(magic)-2])) {
			return 0, errors.New("a part file of another version of the program")
		}
		return 0, errors.New("saw no part file, want one that --part has written")
	}
	if len(b) < headBytes {
		return 0, errShort
	}
	return binary.LittleEndian.Uint64(b[len(magic):]), nil
}

// checkLength compares the length of the content with what the head says.
func checkLength(content, want uint64) error {
	switch {
	case content < want:
		return errShort
	case content > want:
		return fmt.Errorf("saw %d bytes after its end, want none", content-want)
	}
	return nil
}

// Parse reads a part file's bytes.
func Parse(b []byte) (*Part, error) {
	size, err := head(b)
	if err != nil {
		return nil, err
	}
	content := b[headBytes:]
	if err := checkLength(uint64(len(content)), size); err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:], b[len(magic)+8:headBytes]) {
		return nil, errors.New("damaged: its content does not have the checksum that it says")
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostBytes))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text, err := z.DecodeAll(content, nil)
	if err != nil {
		return nil, errors.New("damaged: its content cannot be unpacked")
	}
	p := new(Part)
	if err := state.Decode(text, p); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if s := p.Share; s.Part < 1 || s.Part > s.Parts || s.Parts > workload.MostParts {
		return nil, fmt.Errorf("damaged: part %s", s)
	}
	return p, nil
}

var errShort = errors.New("cut short: part of it is missing")

// Read reads a part file. Of another file it reads no more than the head.
func Read(path string) (*Part, error) {
	b, err := readAll(path)
	var p *Part
	if err == nil {
		p, err = Parse(b)
	}
	if err == nil {
		return p, nil
	}
	if fault := (*fs.PathError)(nil); errors.As(err, &fault) {
		return nil, &workload.InputError{File: path, Err: fault.Err}
	}
	return nil, &workload.InputError{File: path, Err: err}
}

func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, headBytes)
	n, err := io.ReadFull(f, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	size, err := head(b[:n])
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, errors.New("want a file: a part is read twice"))
	} else if err := checkLength(uint64(info.Size())-uint64(headBytes), size); err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(f)
	return append(b, rest...), err
}
