package field

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Value returns the value of the column in a row. It is the zero reflect.Value if there is none.
func (f Field) Value(row Row) reflect.Value {
	if f.level >= len(row) {
		return reflect.Value{}
	}
	v := at(row[f.level], f.path)
	if f.named == "" || !v.IsValid() {
		return v
	}
	for i := range v.Len() {
		if x := v.Index(i); fmt.Sprint(x.Field(0)) == f.named {
			return x.Field(1)
		}
	}
	return reflect.Value{}
}

// Number returns the number of the column in a row, or NaN if there is none.
func (f Field) Number(row Row) float64 { return number(f.Value(row)) }

func number(v reflect.Value) float64 {
	switch {
	case !v.IsValid() || !known(v):
	case v.CanFloat():
		if share, ok := v.Interface().(interface{ Percent() float64 }); ok {
			return share.Percent()
		}
		return v.Float()
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return math.NaN()
}

// known reports whether a value is known.
func known(v reflect.Value) bool {
	x, ok := v.Interface().(interface{ Known() bool })
	return !ok || x.Known()
}

// Text returns the value of the column in a row as text for programs, with numbers in full
// precision. It is "" if there is no value.
func (f Field) Text(row Row) string {
	v := f.Value(row)
	switch {
	case !v.IsValid() || !known(v):
		return ""
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.Kind() == reflect.Slice:
		return strings.Join(v.Interface().([]string), " ")
	}
	return Full(number(v))
}

// Full formats a number in full precision, as encoding/json does. It returns "" for NaN and
// infinities.
func Full(x float64) string {
	text, err := json.Marshal(x)
	if err != nil { // NaN or infinite
		return ""
	}
	return string(text)
}

// IsNumber reports whether the values of the column are numbers. of is the type of the row.
func (f Field) IsNumber(of reflect.Type) bool {
	t := deref(of)
	for _, i := range f.path {
		t = deref(t).Field(i).Type
	}
	k := deref(t).Kind()
	return k >= reflect.Int && k <= reflect.Float64
}

// Number returns the number in the named column of a row, which is a struct, and false if there is
// no such column of numbers.
func Number(row any, name string) (float64, bool) {
	v := reflect.ValueOf(row)
	rows := reflect.Append(reflect.MakeSlice(reflect.SliceOf(v.Type()), 0, 1), v)
	for _, f := range slices.Concat(columns(v.Type(), 0), namedColumns(rows)) {
		if f.Name == name && f.level == 0 && (f.named != "" || f.IsNumber(v.Type())) {
			return f.Number(Row{v}), true
		}
	}
	return 0, false
}

// Numbers returns the names of a type's columns of numbers.
func Numbers[T any]() (names []string) {
	t := reflect.TypeFor[T]()
	for _, f := range columns(t, 0) {
		if f.Name != "" && f.level == 0 && f.IsNumber(t) {
			names = append(names, f.Name)
		}
	}
	return names
}

// at returns the value at a path, or the zero reflect.Value if the path leads through a nil
// pointer.
func at(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v = indirect(v); !v.IsValid() {
			return v
		}
		v = v.Field(i)
	}
	return indirect(v)
}

// indirect returns the value that a pointer points to, and other values unchanged.
func indirect(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func scalar(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}
