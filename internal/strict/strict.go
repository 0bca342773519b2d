// Package strict decodes small files written by people, in YAML or JSON, into structs that
// declare their keys by the tags of package opt: a key has the same name, range, choices and
// relations to other keys as an option with the same tags.
//
//	type Cluster struct {
//		Name       string  `opt:"name" required:"true"`
//		Processors int64   `opt:"processors" in:"[1,)" required:"true"`
//		Speed      float64 `opt:"speed" in:"[1e-6,1e6]" default:"1"`
//	}
//	type Grid struct {
//		Clusters []Cluster `opt:"clusters" required:"true"`
//	}
//
// A field may be a struct or a pointer to one, a list or array of numbers, of structs or of
// lists, or a map. In a map or a list of lists, a single text or struct stands for a list with
// one item. The tag required may contain keys, separated by |: the field is required if one of
// these is given. The tag repeats is "true" if a list may have a value twice.
//
// Unknown and repeated keys, values of the wrong kind, null and aliases are errors. Every error
// has the line and the path of the value: grid.yaml:4: clusters[1].speed: saw 0, want ...
package strict

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// File is a decoded file, with the positions of its values.
type File struct {
	name  string
	root  *yaml.Node
	codec Codec
}

// Codec converts values that are not declared by tags, such as the laws of a model.
type Codec interface {
	// Forms returns the structs that a field of an interface type can hold.
	Forms(part reflect.Type) []Form
	// Decode decodes JSON into the value that into points to; known is false if its type is
	// not one of the codec's. The option of a *workload.OptionError is a path within the value.
	Decode(text func() ([]byte, error), into any) (known bool, err error)
	// Encode returns the JSON form of a value; known is false if its type is not one of the
	// codec's.
	Encode(value any) (text []byte, known bool, err error)
}

// Form is one of the structs that a field of an interface type can hold.
type Form struct {
	Key  string // the key that identifies this form; no other form has it
	Into any    // a pointer to a new struct
}

// Decode decodes a file into the struct that into points to. If two fields have the same name, a
// list is decoded into the one that is a slice, and any other value into the other. An element
// of a list of structs that is neither a list nor an object is the value of its first key.
//
// Decode sets the defaults in tags and then calls the method Check() error, if any, of each
// struct. If Check returns a *workload.OptionError, its option must be a key of the struct or a
// path such as "clusters[1].speed". All errors are of type *workload.InputError.
func Decode(name string, text []byte, into any) (*File, error) {
	return DecodeWith(nil, name, text, into)
}

// DecodeWith is Decode with a codec.
func DecodeWith(codec Codec, name string, text []byte, into any) (*File, error) {
	f := &File{name: name, codec: codec}
	var err error
	if f.root, err = f.parse(text); err != nil {
		return nil, err
	}
	if err := f.object("", f.root, into); err != nil {
		return nil, err
	}
	return f, nil
}

// Fault returns a *workload.InputError about the value at a path, with its line and the cause err.
// If err is a *workload.OptionError, its Saw and Want are used instead of the cause.
func (f *File) Fault(path string, err error) error {
	fault := &workload.InputError{File: f.name, Field: path, Err: err}
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		fault.Saw, fault.Want, fault.Err = option.Saw, strings.ReplaceAll(option.Want, "`", ""), nil
	}
	fault.Line = int64(locate(f.root, path).Line)
	return fault
}

// locate returns the node at a path below n, such as "clusters[1].speed", or the last existing
// node on the way to it.
func locate(n *yaml.Node, path string) *yaml.Node {
	if n.Kind == yaml.SequenceNode {
		place, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		if i, err := strconv.Atoi(place); err == nil && i >= 0 && i < len(n.Content) {
			return locate(n.Content[i], strings.TrimPrefix(rest, "."))
		}
		return n
	}
	for i := len(n.Content) - 2; i >= 0; i -= 2 { // of repeated keys, the last is at fault
		rest, ok := strings.CutPrefix(path, n.Content[i].Value)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return locate(n.Content[i+1], strings.TrimPrefix(rest, "."))
		}
	}
	return n
}

func (f *File) fault(path, saw, want string) error {
	return f.Fault(path, &workload.OptionError{Saw: saw, Want: want})
}

// object decodes an object into a struct, in the order of the struct's fields.
func (f *File) object(path string, n *yaml.Node, into any) error {
	if n.Kind != yaml.MappingNode {
		return f.fault(path, shown(n), "keys and values")
	}
	inner := func(key string) string { return join(path, key) }
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if values[key.Value] != nil {
			return f.fault(inner(key.Value), "the key a second time", "each key once")
		}
		values[key.Value] = n.Content[i+1]
	}
	fields := opt.Fields(into)
	var known []string
	for _, field := range fields {
		value := values[field.Name]
		if value != nil && fieldOf(fields, field.Name, value) == field {
			if err := f.value(inner(field.Name), value, field); err != nil {
				return err
			}
		}
		if !slices.Contains(known, field.Name) {
			known = append(known, field.Name)
		}
	}
	if err := f.unknown(path, n, known); err != nil {
		return err
	}
	given := func(key string) bool { return values[key] != nil }
	for _, field := range fields {
		if err := field.Missing(given); err != nil && !given(field.Name) {
			return f.Fault(inner(field.Name), err)
		}
	}
	err := opt.CheckGiven(fields, given)
	if opt.Fill(into); err == nil {
		err = opt.CheckParts(into)
	}
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		return f.Fault(inner(option.Option), option)
	}
	return err
}

// unknown returns an error about the first key of an object that is not in known, or nil.
func (f *File) unknown(path string, n *yaml.Node, known []string) error {
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; !slices.Contains(known, key) {
			return f.fault(join(path, key), "an unknown key", "one of "+strings.Join(known, ", ")+words.Meant(key, known))
		}
	}
	return nil
}

// form returns a pointer to a new struct for a field of the interface type part. The keys of the
// object identify the form.
func (f *File) form(path string, n *yaml.Node, part reflect.Type) (any, error) {
	if n.Kind != yaml.MappingNode {
		return nil, f.fault(path, shown(n), "keys and values")
	}
	var into any
	var telling, given, known []string
	for _, form := range f.codec.Forms(part) {
		telling = append(telling, form.Key)
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == form.Key && !slices.Contains(given, form.Key) {
				given, into = append(given, form.Key), form.Into
			}
		}
		for _, field := range opt.Fields(form.Into) {
			known = append(known, field.Name)
		}
	}
	switch len(given) {
	case 1:
		return into, nil
	case 0:
		if err := f.unknown(path, n, known); err != nil {
			return nil, err
		}
		return nil, f.fault(path, "none of the keys that identify its form", strings.Join(telling, " or "))
	}
	return nil, f.fault(path, strings.Join(given, " and "), "either "+strings.Join(given, " or "))
}

// fieldOf returns the field into which a value is decoded.
func fieldOf(fields []*opt.Field, name string, value *yaml.Node) *opt.Field {
	var found *opt.Field
	for _, field := range fields {
		if field.Name == name && (found == nil || field.IsList() == (value.Kind == yaml.SequenceNode)) {
			found = field
		}
	}
	return found
}

// value decodes the value of a key.
func (f *File) value(path string, n *yaml.Node, field *opt.Field) error {
	v := reflect.ValueOf(field.Pointer()).Elem()
	if n.Kind == yaml.SequenceNode && v.Kind() == reflect.Slice && isScalarType(v.Type().Elem()) && !field.Repeats() && len(n.Content) > 0 {
		return f.items(path, n.Content, field)
	}
	return f.read(path, n, v, field)
}

// read decodes the value of a field, or a part of it, into v.
func (f *File) read(path string, n *yaml.Node, v reflect.Value, field *opt.Field) error {
	if f.codec != nil && !isScalarType(v.Type()) {
		known, err := f.codec.Decode(func() ([]byte, error) { return asJSON(n) }, v.Addr().Interface())
		if option := (*workload.OptionError)(nil); errors.As(err, &option) {
			return f.Fault(join(path, option.Option), option)
		}
		if err != nil {
			return f.Fault(path, err)
		}
		if known {
			return nil
		}
	}
	isText := n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null"
	_, readsText := v.Addr().Interface().(interface{ Set(string) error })
	isField := v.Addr().Interface() == field.Pointer()
	switch kind := v.Kind(); {
	case readsText && isText:
	case kind == reflect.Pointer && !isScalarType(v.Type().Elem()):
		v.Set(reflect.New(v.Type().Elem()))
		return f.read(path, n, v.Elem(), field)
	case kind == reflect.Struct && isText:
		key := &yaml.Node{Kind: yaml.ScalarNode, Line: n.Line, Value: opt.Fields(v.Addr().Interface())[0].Name}
		return f.object(path, &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Content: []*yaml.Node{key, n}}, v.Addr().Interface())
	case kind == reflect.Struct:
		return f.object(path, n, v.Addr().Interface())
	case kind == reflect.Interface:
		part, err := f.form(path, n, v.Type())
		if err != nil {
			return err
		}
		v.Set(reflect.ValueOf(part))
		return f.object(path, n, part)
	case kind == reflect.Map:
		return f.keyed(path, n, v, field)
	case kind == reflect.Slice && n.Kind == yaml.SequenceNode, kind == reflect.Array:
		return f.list(path, n, v, field)
	case kind == reflect.Slice && !isField && (v.Type().Elem().Kind() == reflect.Struct || v.Type().Elem().Kind() == reflect.String):
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return f.read(path, n, v.Index(0), field)
	case kind == reflect.Slice && (!isScalarType(v.Type().Elem()) || field.Repeats() || !isField):
		return f.fault(path, shown(n), "a list")
	case !isScalar(n, field):
		return f.fault(path, shown(n), field.Expected())
	}
	var err error
	if isField {
		err = field.Set(n.Value)
	} else {
		err = field.SetItem(v, n.Value)
	}
	if err != nil {
		return f.Fault(path, err)
	}
	return nil
}

// list decodes a list into a slice or an array.
func (f *File) list(path string, n *yaml.Node, v reflect.Value, field *opt.Field) error {
	switch size := len(n.Content); {
	case n.Kind != yaml.SequenceNode:
		return f.fault(path, shown(n), "a list")
	case v.Kind() == reflect.Array && size != v.Len():
		return f.fault(path, fmt.Sprintf("a list of %d", size), fmt.Sprintf("one of %d", v.Len()))
	case size == 0:
		return f.fault(path, "an empty list", "one item or more")
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), size, size))
	}
	for i, item := range n.Content {
		if err := f.read(fmt.Sprintf("%s[%d]", path, i), item, v.Index(i), field); err != nil {
			return err
		}
	}
	return nil
}

// keyed decodes an object into a map.
func (f *File) keyed(path string, n *yaml.Node, v reflect.Value, field *opt.Field) error {
	if n.Kind != yaml.MappingNode {
		return f.fault(path, shown(n), "keys and values")
	}
	v.Set(reflect.MakeMap(v.Type()))
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		inner := join(path, key)
		if seen[key] {
			return f.fault(inner, "the key a second time", "each key once")
		}
		seen[key] = true
		k, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if k.Kind() == reflect.String {
			k.SetString(key)
		} else if whole, err := strconv.ParseInt(key, 10, 64); err == nil {
			k.SetInt(whole)
		} else {
			return f.fault(inner, strconv.Quote(key), "a whole number as the key")
		}
		if err := f.read(inner, n.Content[i+1], element, field); err != nil {
			return err
		}
		v.SetMapIndex(k, element)
	}
	return nil
}

// items decodes a list of texts or numbers without duplicates.
func (f *File) items(path string, list []*yaml.Node, field *opt.Field) error {
	texts := make([]string, len(list))
	at := func(i int) string { return fmt.Sprintf("%s[%d]", path, i) }
	for i, n := range list {
		if !isScalar(n, field) {
			return f.fault(at(i), shown(n), field.Expected())
		}
		texts[i] = n.Value
	}
	set := func(n int) error { return field.SetItems(strings.Join(texts[:n], ","), texts[:n]...) }
	if set(len(texts)) == nil {
		return nil
	}
	i := sort.Search(len(texts), func(i int) bool { return set(i+1) != nil }) // the first at fault
	return f.Fault(at(i), set(i+1))
}

// isScalarType reports whether values of a type are single texts, numbers or bools.
func isScalarType(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}
