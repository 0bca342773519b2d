package population

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/model"
)

// oddField returns a fault that encoding/json ignores or reports without its path: an
// unknown field (also in other spelling; the first in alphabetical order), or null in a
// list, which would be read as 0. It returns nil if there is none. It skips types that
// implement json.Unmarshaler.
func oddField(data []byte, t reflect.Type) *model.FieldError {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return oddField(data, t.Elem())
	case reflect.Slice:
		var items []json.RawMessage
		json.Unmarshal(data, &items)
		for i, item := range items {
			f := oddField(item, t.Elem())
			if string(item) == "null" {
				f = &model.FieldError{Saw: "null", Want: "a value"}
			}
			if f != nil {
				f.Path = jsonfault.Join(fmt.Sprintf("[%d]", i), f.Path)
				return f
			}
		}
	case reflect.Struct:
		var fields map[string]json.RawMessage
		json.Unmarshal(data, &fields)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			f, ok := t.FieldByNameFunc(func(field string) bool {
				f, _ := t.FieldByName(field)
				tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return tag == name
			})
			if !ok {
				return &model.FieldError{Path: name, Saw: "an unknown field", Want: "none of that name"}
			}
			if odd := oddField(fields[name], f.Type); odd != nil {
				odd.Path = jsonfault.Join(name, odd.Path)
				return odd
			}
		}
	}
	return nil
}
