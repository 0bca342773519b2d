package logfile

import (
	"os"
	"sync/atomic"
)

// position counts the bytes that are read from a file.
type position struct {
	file *os.File
	size int64 // bytes, from where reading began
	read atomic.Int64
}

// of returns the number of bytes read and the number available.
func (p *position) of() (read, size int64) { return min(p.read.Load(), p.size), p.size }

func (p *position) Read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	p.read.Add(int64(n))
	return n, err
}

func (p *position) ReadAt(b []byte, at int64) (int, error) {
	n, err := p.file.ReadAt(b, at)
	p.read.Add(int64(n))
	return n, err
}
