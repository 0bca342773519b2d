package view

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Documents are the types whose JSON has a field "schema", by the value of that field.
type Documents map[string]reflect.Type

// JSONSchema is a JSON Schema, draft 2020-12, or a part of one.
type JSONSchema struct {
	Dialect string `json:"$schema,omitempty"`
	Title   string `json:"title,omitempty"`
	About   string `json:"description,omitempty"` // the tag "help" of the field
	Ref     string `json:"$ref,omitempty"`
	Type    types  `json:"type,omitempty"`
	Const   string `json:"const,omitempty"`
	Format  string `json:"format,omitempty"`

	Items      *JSONSchema            `json:"items,omitempty"`
	Properties map[string]*JSONSchema `json:"properties,omitempty"`
	Required   []string               `json:"required,omitempty"`
	Values     *JSONSchema            `json:"additionalProperties,omitempty"` // for an object whose keys are data

	AnyOf []*JSONSchema          `json:"anyOf,omitempty"`
	Defs  map[string]*JSONSchema `json:"$defs,omitempty"`

	nullable bool // replaced in finish by the type null
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// definition precedes the name of a definition in a reference within a schema made by Schema.
const definition = "#/$defs/"

// types are the types that a value may have. In JSON, a single type is a string, not a list.
type types []string

func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// String returns the text of the schema's file.
func (s *JSONSchema) String() string {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // cannot happen: a schema has only strings, maps and lists
	}
	return listOfTwo.ReplaceAllString(string(text), `["$1", "null"]`) + "\n"
}

// listOfTwo matches a type and null as a list, which String puts on one line.
var listOfTwo = regexp.MustCompile(`\[\n\s+"(\w+)",\n\s+"null"\n\s+\]`)

// SchemaFile returns the name of the file with the schema of a document.
func SchemaFile(document string) string {
	name, _, _ := strings.Cut(document, "/")
	return name + ".json"
}

// Schema returns the schema of a document, from the json tags of its type. A document within
// it is a reference to that document's file.
//
// A type that writes its own JSON is a number or null if its kind is a number; otherwise it
// needs a method JSONShape() any that returns a value of a type with the same JSON. The keys of
// a map returned by JSONShape are the names of the object's fields.
func (d Documents) Schema(document string) *JSONSchema {
	b := builder{documents: d, path: definition, uses: map[string]int{}, definitions: map[string]*JSONSchema{}}
	s := b.structure(d[document])
	s.Dialect, s.Title = dialect, document
	s.Properties["schema"] = &JSONSchema{Type: types{"string"}, Const: document}
	b.finish(s)
	s.Defs = map[string]*JSONSchema{}
	for name, of := range b.definitions {
		if b.uses[name] > 1 {
			b.finish(of)
			s.Defs[name] = of
		}
	}
	return s
}

// Components returns the schemas of the documents and of all structs in them, by the names of
// their types. References to them begin with path.
func (d Documents) Components(path string) map[string]*JSONSchema {
	b := builder{path: path, uses: map[string]int{}, definitions: map[string]*JSONSchema{}}
	for document, t := range d {
		b.named(t)
		b.definitions[t.Name()].Properties["schema"] = &JSONSchema{Type: types{"string"}, Const: document}
	}
	for _, s := range b.definitions {
		b.finish(s)
	}
	return b.definitions
}

// builder makes schemas. Each named struct is a definition. In the schema of one document, finish
// replaces the reference to a definition that is used only once by the definition.
type builder struct {
	documents   Documents // documents with separate schemas; nil to define all types together
	path        string    // prefix of references to definitions
	uses        map[string]int
	definitions map[string]*JSONSchema
}

type shaped interface{ JSONShape() any }

// of returns the schema of a type. omitted is set for a field with omitempty or omitzero, which is
// left out, not null, when it is nil.
func (b *builder) of(t reflect.Type, omitted bool) *JSONSchema {
	switch t.Kind() {
	case reflect.Pointer:
		s := b.of(t.Elem(), false)
		s.nullable = s.nullable || !omitted
		return s
	case reflect.Interface:
		return &JSONSchema{}
	}
	switch zero := reflect.Zero(t).Interface().(type) {
	case time.Time:
		return &JSONSchema{Type: types{"string"}, Format: "date-time"}
	case shaped:
		return b.shape(reflect.ValueOf(zero.JSONShape()))
	case json.Marshaler:
		_, canBeZero := zero.(interface{ IsZero() bool })
		s := &JSONSchema{Type: types{kinds[t.Kind()]}, nullable: !(omitted && canBeZero)}
		if k := s.Type[0]; k != "number" && k != "integer" {
			panic(fmt.Sprintf("view: %v writes its own JSON: it needs a method JSONShape", t))
		}
		return s
	case encoding.TextMarshaler:
		return &JSONSchema{Type: types{"string"}}
	}
	switch t.Kind() {
	case reflect.Array:
		return &JSONSchema{Type: types{"array"}, Items: b.of(t.Elem(), false)}
	case reflect.Slice:
		return &JSONSchema{Type: types{"array"}, Items: b.of(t.Elem(), false), nullable: !omitted}
	case reflect.Map:
		return &JSONSchema{Type: types{"object"}, Values: b.of(t.Elem(), false), nullable: !omitted}
	case reflect.Struct:
		return b.named(t)
	}
	return &JSONSchema{Type: types{kinds[t.Kind()]}}
}

var kinds = map[reflect.Kind]string{
	reflect.Bool: "boolean", reflect.String: "string", reflect.Float32: "number", reflect.Float64: "number",
	reflect.Int: "integer", reflect.Int8: "integer", reflect.Int16: "integer", reflect.Int32: "integer", reflect.Int64: "integer",
	reflect.Uint: "integer", reflect.Uint8: "integer", reflect.Uint16: "integer", reflect.Uint32: "integer", reflect.Uint64: "integer",
}

// shape returns the schema of a value returned by JSONShape.
func (b *builder) shape(example reflect.Value) *JSONSchema {
	if example.Kind() != reflect.Map || example.Len() == 0 {
		return b.of(example.Type(), example.Kind() != reflect.Pointer)
	}
	s := &JSONSchema{Type: types{"object"}, Properties: map[string]*JSONSchema{}}
	for _, key := range example.MapKeys() {
		s.Properties[key.String()] = b.of(example.Type().Elem(), false)
		s.Required = append(s.Required, key.String())
	}
	slices.Sort(s.Required)
	return s
}

// named returns a reference to a struct.
func (b *builder) named(t reflect.Type) *JSONSchema {
	for document, of := range b.documents {
		if of == t {
			return &JSONSchema{Ref: SchemaFile(document)}
		}
	}
	if t.Name() == "" {
		return b.structure(t)
	}
	name := t.String()
	if b.documents == nil {
		name = t.Name()
	}
	b.uses[name]++
	if b.uses[name] == 1 { // counted before its fields, which may refer to it
		b.definitions[name] = b.structure(t)
	}
	return &JSONSchema{Ref: b.path + name}
}

func (b *builder) structure(t reflect.Type) *JSONSchema {
	s := &JSONSchema{Type: types{"object"}, Properties: map[string]*JSONSchema{}}
	optional := map[string]bool{}
	b.fields(t, false, s.Properties, optional)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !optional[name] {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// fields adds the fields of a struct, which are optional if it is embedded by a pointer. Fields of
// embedded structs are added first, so that a field of the struct itself replaces one of the same
// name.
func (b *builder) fields(t reflect.Type, canBeNil bool, properties map[string]*JSONSchema, optional map[string]bool) {
	if t.Kind() == reflect.Pointer {
		t, canBeNil = t.Elem(), true
	}
	var named []reflect.StructField
	for f := range t.Fields() {
		if f.Anonymous && f.Tag.Get("json") == "" {
			b.fields(f.Type, canBeNil, properties, optional)
		} else if f.IsExported() && f.Tag.Get("json") != "-" {
			named = append(named, f)
		}
	}
	for _, f := range named {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			panic(fmt.Sprintf("view: %v.%s has no name in JSON", t, f.Name))
		}
		omitted := strings.Contains(options, "omit")
		properties[name], optional[name] = b.of(f.Type, omitted), omitted || canBeNil
		properties[name].About = f.Tag.Get("help")
	}
}

// finish replaces references to structs that are used once, and adds the type null where a value is
// nullable.
func (b *builder) finish(s *JSONSchema) {
	if name, ok := strings.CutPrefix(s.Ref, definition); ok && b.uses[name] == 1 {
		nullable, about := s.nullable, s.About
		*s = *b.definitions[name]
		s.nullable, s.About = nullable, about
	}
	for _, p := range s.Properties {
		b.finish(p)
	}
	for _, p := range []*JSONSchema{s.Items, s.Values} {
		if p != nil {
			b.finish(p)
		}
	}
	switch {
	case !s.nullable:
	case s.Ref != "":
		s.AnyOf, s.Ref = []*JSONSchema{{Ref: s.Ref}, {Type: types{"null"}}}, ""
	case s.Type != nil:
		s.Type = types{s.Type[0], "null"}
	}
}
