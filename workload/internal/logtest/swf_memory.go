package logtest

import (
	"io"
	goruntime "runtime"
)

// Endless yields one text over and over, up to a number of bytes, without
// holding more than it.
type Endless struct {
	Text []byte
	Left int64
	pos  int
}

func (e *Endless) Read(p []byte) (int, error) {
	if e.Left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), e.Left)], e.Text[e.pos:])
	e.pos = (e.pos + n) % len(e.Text)
	e.Left -= int64(n)
	return n, nil
}

// HeapInUse is the memory of what is alive, and of what is not yet collected.
func HeapInUse() int64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
