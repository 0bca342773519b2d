package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// schema is what openapi.json uses of JSON Schema.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"` // one, or several
	Const      any                `json:"const"`
	Enum       []any              `json:"enum"`
	Format     string             `json:"format"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	OneOf      []*schema          `json:"oneOf"`
}

// check returns what of a value is not as the schema says. A member that the schema does
// not name is a fault.
func (d *document) check(s *schema, at string, v any) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, at+": "+fmt.Sprintf(format, args...))
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return d.check(d.Components.Schemas[name], at, v)
	}
	if len(s.OneOf) > 0 && s.Properties == nil {
		fits := 0
		for _, one := range s.OneOf {
			if len(d.check(one, at, v)) == 0 {
				fits++
			}
		}
		if fits != 1 {
			fault("%d of %d schemas fit %v", fits, len(s.OneOf), v)
		}
		return faults
	}
	types := s.types()
	if slices.Contains(types, "number") {
		types = append(types, "integer")
	}
	if !slices.Contains(types, typeOf(v)) && s.Const == nil {
		fault("saw %s, want %v", typeOf(v), s.types())
		return faults
	}
	if s.Const != nil && v != s.Const {
		fault("saw %v, want %v", v, s.Const)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		fault("saw %v, want %v", v, s.Enum)
	}
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339Nano, v); s.Format == "date-time" && err != nil {
			fault("%v", err)
		}
	case []any:
		for i, item := range v {
			faults = append(faults, d.check(s.Items, fmt.Sprintf("%s[%d]", at, i), item)...)
		}
	case map[string]any:
		if s.Properties == nil {
			return faults // any object
		}
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				fault("no %s", name)
			}
		}
		for name, member := range v {
			p := s.Properties[name]
			if p == nil {
				fault("%s is not in the schema", name)
				continue
			}
			faults = append(faults, d.check(p, at+"."+name, member)...)
		}
	}
	return faults
}

func (s *schema) types() []string {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []any:
		var all []string
		for _, one := range t {
			all = append(all, one.(string))
		}
		return all
	}
	return nil
}

// typeOf names the type of a value.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
