package population

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// unknownField is the path of the first field of a JSON value that its Go type does
// not have, in alphabetical order; "" where there is none. Types that read
// themselves are not looked into.
func unknownField(data []byte, t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer:
		return unknownField(data, t.Elem())
	case reflect.Slice:
		var items []json.RawMessage
		json.Unmarshal(data, &items)
		for i, item := range items {
			if at := unknownField(item, t.Elem()); at != "" {
				return fmt.Sprintf("[%d]%s", i, at)
			}
		}
	case reflect.Struct:
		var fields map[string]json.RawMessage
		json.Unmarshal(data, &fields)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			f, ok := t.FieldByNameFunc(func(field string) bool {
				f, _ := t.FieldByName(field)
				tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return strings.EqualFold(tag, name)
			})
			if !ok {
				return "." + name
			}
			if at := unknownField(fields[name], f.Type); at != "" {
				return "." + name + at
			}
		}
	}
	return ""
}
