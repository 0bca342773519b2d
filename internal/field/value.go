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

// Value is what a row has in the column; invalid where it has nothing.
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

// Number is the number that a row has in the column, NaN where it has none.
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

// known says whether a value that may be unknown is.
func known(v reflect.Value) bool {
	x, ok := v.Interface().(interface{ Known() bool })
	return !ok || x.Known()
}

// Text is what a row has in the column, for programs: numbers in full, empty where it has
// nothing.
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

// Full writes a number in full, as encoding/json does; "" where it has no value.
func Full(x float64) string {
	text, err := json.Marshal(x)
	if err != nil { // NaN or infinite
		return ""
	}
	return string(text)
}

// IsNumber says whether the column has numbers.
func (f Field) IsNumber(of reflect.Type) bool {
	t := deref(of)
	for _, i := range f.path {
		t = deref(t).Field(i).Type
	}
	k := deref(t).Kind()
	return k >= reflect.Int && k <= reflect.Float64
}

// Number is the number that a row, a struct, has in the column of a name; false where there is
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

// Numbers are the names of the columns of numbers of a type.
func Numbers[T any]() (names []string) {
	t := reflect.TypeFor[T]()
	for _, f := range columns(t, 0) {
		if f.Name != "" && f.level == 0 && f.IsNumber(t) {
			names = append(names, f.Name)
		}
	}
	return names
}

// at is the value at a path; invalid behind a nil pointer.
func at(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v = indirect(v); !v.IsValid() {
			return v
		}
		v = v.Field(i)
	}
	return indirect(v)
}

// indirect follows a pointer.
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
