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

// MarshalBinary returns the forest as bytes, which UnmarshalBinary reads. They
// have no checksum; a caller that stores them should add one.
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

// UnmarshalBinary makes f the forest that MarshalBinary wrote. Other bytes are
// an error, which leaves f unchanged.
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

func appendSlice[T any](b []byte, s []T, one func([]byte, T) []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	for _, x := range s {
		b = one(b, x)
	}
	return b
}
