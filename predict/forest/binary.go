package forest

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// version is the first byte of a forest's binary form.
const version = 1

var (
	_ encoding.BinaryMarshaler   = (*Forest)(nil)
	_ encoding.BinaryUnmarshaler = (*Forest)(nil)
)

// MarshalBinary returns the forest as bytes, which UnmarshalBinary reads. There is
// no checksum: whoever keeps them adds one.
func (f *Forest) MarshalBinary() ([]byte, error) {
	b := []byte{version}
	b = binary.AppendUvarint(b, uint64(f.columns))
	b = binary.AppendUvarint(b, uint64(len(f.trees)))
	for i := range f.trees {
		t := &f.trees[i]
		if i == 0 || &t.values[0] != &f.trees[i-1].values[0] {
			b = appendSlice(b, t.values, func(b []byte, x float64) []byte {
				return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			})
		} else {
			b = binary.AppendUvarint(b, 0) // those of the tree before
		}
		b = appendSlice(b, t.nodes, func(b []byte, n node) []byte {
			column := uint64(n.column+1) << 1 // 0 for a leaf
			if n.missing {
				column |= 1
			}
			b = binary.AppendUvarint(b, column)
			if n.column < 0 {
				return b
			}
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n.cut))
			return binary.AppendUvarint(b, uint64(n.right))
		})
		b = appendSlice(b, t.leaves, func(b []byte, x int32) []byte { return binary.AppendUvarint(b, uint64(x)) })
		b = appendSlice(b, t.members, func(b []byte, m member) []byte {
			b = binary.AppendUvarint(b, uint64(m.value))
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(m.weight))
		})
	}
	return b, nil
}

// UnmarshalBinary makes f the forest that MarshalBinary wrote. Bytes that are none
// are an error, which leaves f as it was.
func (f *Forest) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != version {
		return errors.New("forest: another version of a forest, or none")
	}
	r := reader{rest: data[1:]}
	columns, trees := r.number(maxColumns), r.number(uint64(len(data)))
	read := Forest{columns: int(columns)}
	for i := 0; i < int(trees) && r.fault == nil; i++ {
		t := tree{
			values:  readSlice(&r, 8, r.float64),
			nodes:   readSlice(&r, 1, r.node),
			leaves:  readSlice(&r, 1, func() int32 { return int32(r.number(math.MaxInt32)) }),
			members: readSlice(&r, 5, func() member { return member{int32(r.number(math.MaxInt32)), r.float32()} }),
		}
		if len(t.values) == 0 && i > 0 {
			t.values = read.trees[i-1].values
		}
		if r.fault == nil {
			r.fault = t.check(read.columns)
		}
		read.trees = append(read.trees, t)
	}
	switch {
	case r.fault != nil:
		return fmt.Errorf("forest: a damaged forest: %w", r.fault)
	case len(r.rest) > 0 || len(read.trees) == 0:
		return fmt.Errorf("forest: a damaged forest: %d trees and %d bytes after them, want 1 or more and none", len(read.trees), len(r.rest))
	}
	*f = read
	return nil
}

// check returns an error where a tree that was read could lead At astray.
func (t *tree) check(columns int) error {
	for i, x := range t.values {
		if math.IsNaN(x) || math.IsInf(x, 0) || i > 0 && x <= t.values[i-1] {
			return errors.New("answers that do not rise")
		}
	}
	if err := t.checkNodes(columns); err != nil {
		return err
	}
	if t.leaves[0] != 0 || int(t.leaves[len(t.leaves)-1]) != len(t.members) {
		return errors.New("leaves that do not hold the members")
	}
	for i, begin := range t.leaves[:len(t.leaves)-1] {
		end := t.leaves[i+1]
		if begin >= end || int(end) > len(t.members) {
			return errors.New("leaves that do not hold the members")
		}
		for j, m := range t.members[begin:end] {
			if int(m.value) >= len(t.values) || j > 0 && m.value <= t.members[int(begin)+j-1].value || !(m.weight > 0 && m.weight <= 2) {
				return errors.New("a leaf whose members do not rise")
			}
		}
	}
	return nil
}

// checkNodes checks that the nodes are a tree in the order of a walk.
func (t *tree) checkNodes(columns int) error {
	var rights []int32 // of the nodes whose left side the walk is in
	leaves := int32(0)
	for i, n := range t.nodes {
		switch {
		case n.column >= 0:
			if int(n.column) >= columns || n.cut != n.cut {
				return errors.New("a cut of no column or at no value")
			}
			rights = append(rights, n.right)
			continue
		case len(rights) == 0:
			if i != len(t.nodes)-1 {
				return errors.New("nodes after the last leaf")
			}
		case int(rights[len(rights)-1]) != i+1 || i+1 == len(t.nodes):
			return errors.New("nodes that are no tree")
		default:
			rights = rights[:len(rights)-1]
		}
		t.nodes[i].right = leaves
		leaves++
	}
	if len(t.nodes) == 0 || t.nodes[len(t.nodes)-1].column >= 0 || int(leaves)+1 != len(t.leaves) {
		return errors.New("nodes that are no tree of these leaves")
	}
	return nil
}

func appendSlice[T any](b []byte, s []T, one func([]byte, T) []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	for _, x := range s {
		b = one(b, x)
	}
	return b
}

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
