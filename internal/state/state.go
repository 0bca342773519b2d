// Package state writes statistics as bytes and reads them back, so that a part of a
// computation can be finished by another run of the program.
//
// A statistic is written field by field, in the order of their declaration: integers as
// varints, floats with their bits reversed so that round ones are short, maps in the order
// of their keys. Functions and fields tagged `state:"-"` are left out: the reader sets them
// before it decodes. Shape names the form of a type; bytes are read only by a program in
// which it is the same.
//
// Unexported fields are written too, by reflection, and set through package unsafe, in
// settable alone. The alternative is a pair of methods for each of about fifty types in six
// packages, most of them unexported, each with a list of fields to keep complete by hand: a
// field that is forgotten there would make a merged result silently wrong, while here a new
// field changes the Shape. sliceOf, the other use, reads long slices at memory speed.
//
// It is for the module's own statistics. Neighbours: package part writes the files.
package state

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"
)

// Append appends what v points to. A type that cannot be written, such as a channel,
// is a programmer's error.
func Append(b []byte, v any) []byte { return appendValue(b, reflect.ValueOf(v).Elem()) }

// Decode reads into what v points to and returns an error where b is not what Append
// has written of a value of that type. What v holds already is kept only where Append
// leaves it out.
func Decode(b []byte, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = fault
		}
	}()
	d := decoder{b, map[reflect.Type]bool{}}
	d.value(reflect.ValueOf(v).Elem())
	if len(d.rest) > 0 {
		return fault(fmt.Sprintf("%d bytes too many", len(d.rest)))
	}
	return nil
}

// fault is what is wrong with the bytes.
type fault string

func (f fault) Error() string { return string(f) }

// left says whether a field is left out: a function, or one tagged `state:"-"`.
func left(f reflect.StructField) bool {
	return f.Type.Kind() == reflect.Func || f.Tag.Get("state") == "-"
}

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float64:
		return appendFloat(b, v.Float())
	case reflect.String:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		return append(b, v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(v.Len())+1)
		return appendAll(b, v)
	case reflect.Array:
		return appendAll(b, v)
	case reflect.Map:
		return appendMap(b, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if !left(v.Type().Field(i)) {
				b = appendValue(b, v.Field(i))
			}
		}
		return b
	}
	panic("state: a value of type " + v.Type().String())
}

func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

// appendAll appends the elements of a slice or array.
func appendAll(b []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		switch v.Type().Elem().Kind() { // the long ones
		case reflect.Float64:
			for _, x := range sliceOf[float64](v) {
				b = appendFloat(b, x)
			}
			return b
		case reflect.Int:
			for _, n := range sliceOf[int](v) {
				b = binary.AppendVarint(b, int64(n))
			}
			return b
		case reflect.Uint8:
			return append(b, v.Bytes()...)
		}
	}
	for i := range v.Len() {
		b = appendValue(b, v.Index(i))
	}
	return b
}

// sliceOf is a slice of numbers of any name.
func sliceOf[T any](v reflect.Value) []T { return unsafe.Slice((*T)(v.UnsafePointer()), v.Len()) }

// appendMap appends the entries in the order of their bytes.
func appendMap(b []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(b, 0)
	}
	entries := make([][]byte, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		entries = append(entries, appendValue(appendValue(nil, it.Key()), it.Value()))
	}
	slices.SortFunc(entries, bytes.Compare)
	b = binary.AppendUvarint(b, uint64(len(entries))+1)
	for _, e := range entries {
		b = append(b, e...)
	}
	return b
}

// Checked is a type whose values are checked when they have been read: bytes that somebody
// made can hold what no statistic has.
type Checked interface {
	// CheckState returns an error where the value is none that its own methods make.
	CheckState() error
}

type decoder struct {
	rest    []byte
	checked map[reflect.Type]bool // structs that are Checked
}

// check checks a struct that was read.
func (d *decoder) check(v reflect.Value) {
	t := v.Type()
	is, known := d.checked[t]
	if !known {
		is = reflect.PointerTo(t).Implements(reflect.TypeFor[Checked]())
		d.checked[t] = is
	}
	if !is {
		return
	}
	if err := v.Addr().Interface().(Checked).CheckState(); err != nil {
		panic(fault(err.Error()))
	}
}

func (d *decoder) uvarint() uint64 {
	if len(d.rest) > 0 && d.rest[0] < 0x80 { // most numbers
		x := d.rest[0]
		d.rest = d.rest[1:]
		return uint64(x)
	}
	x, n := binary.Uvarint(d.rest)
	if n <= 0 {
		panic(fault("cut short"))
	}
	d.rest = d.rest[n:]
	return x
}

// varint reads what binary.AppendVarint writes.
func (d *decoder) varint() int64 {
	x := d.uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		panic(fault("cut short"))
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// length reads a number of elements, each of which takes a byte at least.
func (d *decoder) length() int {
	n := d.uvarint()
	if n > uint64(len(d.rest)) {
		panic(fault("cut short"))
	}
	return int(n)
}

func (d *decoder) float() float64 { return math.Float64frombits(bits.ReverseBytes64(d.uvarint())) }

func (d *decoder) value(v reflect.Value) {
	v = settable(v)
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.byte() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x := d.varint()
		if v.OverflowInt(x) {
			panic(fault("a number that is too large"))
		}
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x := d.uvarint()
		if v.OverflowUint(x) {
			panic(fault("a number that is too large"))
		}
		v.SetUint(x)
	case reflect.Float64:
		v.SetFloat(d.float())
	case reflect.String:
		n := d.length()
		v.SetString(string(d.rest[:n]))
		d.rest = d.rest[n:]
	case reflect.Pointer:
		if d.byte() == 0 {
			v.SetZero()
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(v.Elem())
	case reflect.Slice:
		d.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map:
		d.entries(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if !left(v.Type().Field(i)) {
				d.value(v.Field(i))
			}
		}
		d.check(v)
	default:
		panic("state: a value of type " + v.Type().String())
	}
}

// slice reads a slice. Elements that stand there already keep what is left out.
func (d *decoder) slice(v reflect.Value) {
	n := d.uvarint()
	if n == 0 {
		v.SetZero()
		return
	}
	if n--; n > uint64(len(d.rest)) {
		panic(fault("cut short"))
	}
	switch v.Type().Elem().Kind() {
	case reflect.Float64:
		v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
		to := sliceOf[float64](v)
		for i := range to {
			to[i] = d.float()
		}
		return
	case reflect.Int:
		v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
		to := sliceOf[int](v)
		for i := range to {
			x := d.varint()
			if to[i] = int(x); int64(to[i]) != x {
				panic(fault("a number that is too large"))
			}
		}
		return
	case reflect.Uint8:
		v.SetBytes(bytes.Clone(d.rest[:n]))
		d.rest = d.rest[n:]
		return
	}
	if v.IsNil() || v.Len() != int(n) {
		v.Set(reflect.MakeSlice(v.Type(), 0, min(int(n), 1<<16))) // elements may be far larger than their bytes
	}
	zero := reflect.Zero(v.Type().Elem())
	for i := range int(n) {
		if i == v.Len() {
			v.Set(reflect.Append(v, zero))
		}
		d.value(v.Index(i))
	}
}

func (d *decoder) entries(v reflect.Value) {
	n := d.uvarint()
	if n == 0 {
		v.SetZero()
		return
	}
	if n--; n > uint64(len(d.rest)) {
		panic(fault("cut short"))
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		d.value(key)
		d.value(value)
		v.SetMapIndex(key, value)
	}
}

// settable is a field, exported or not, as one that can be set.
func settable(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
