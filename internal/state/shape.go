package state

import (
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
)

// Shape is 16 hexadecimal digits that name the form of the type that v points to: its
// fields, their names and types, all the way down.
func Shape(v any) string {
	h := sha256.New()
	shape(h, reflect.TypeOf(v).Elem(), map[reflect.Type]bool{})
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

func shape(w io.Writer, t reflect.Type, seen map[reflect.Type]bool) {
	fmt.Fprintf(w, "%s %s;", t, t.Kind())
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		shape(w, t.Elem(), seen)
	case reflect.Map:
		shape(w, t.Key(), seen)
		shape(w, t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !left(f) {
				fmt.Fprintf(w, "%s:", f.Name)
				shape(w, f.Type, seen)
			}
		}
	}
}
