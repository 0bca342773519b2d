package forest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// readSlice reads a slice whose elements have so many bytes at least.
func readSlice[T any](r *reader, bytes int, one func() T) []T {
	n := r.number(uint64(len(r.rest) / bytes))
	s := make([]T, 0, n)
	for range n {
		s = append(s, one())
		if r.fault != nil {
			return nil
		}
	}
	return s
}

// reader reads numbers from bytes. After its first fault it returns zeros.
type reader struct {
	rest  []byte
	fault error
}

var errShort = errors.New("it ends too early")

// number reads a number that is at most limit.
func (r *reader) number(limit uint64) uint64 {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.rest, r.fault = nil, errShort
		return 0
	}
	if r.rest = r.rest[n:]; x > limit {
		r.rest, r.fault = nil, fmt.Errorf("the number %d, want at most %d", x, limit)
		return 0
	}
	return x
}

func (r *reader) take(n int) []byte {
	if len(r.rest) < n {
		r.rest, r.fault = nil, errShort
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) float32() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.take(4)))
}

func (r *reader) float64() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
}

func (r *reader) node() node {
	column := r.number(2*maxColumns + 1)
	n := node{column: int16(int64(column>>1) - 1), missing: column&1 == 1}
	if n.column >= 0 {
		n.cut, n.right = r.float32(), int32(r.number(math.MaxInt32))
	}
	return n
}
