// Package strict reads small files that people write, in YAML or JSON, into structs that
// declare their keys by the tags of package opt: a key has the name, range, choices and
// relations to other keys that an option with the same tags has.
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
// Unknown and repeated keys, values of another kind, null and aliases are errors. Every error
// has the line and the path of the value: grid.yaml:4: clusters[1].speed: saw 0, want ...
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// File is a decoded file, which knows where its values are.
type File struct {
	name   string
	values map[string]*yaml.Node // by path, such as "clusters[1].speed"; that of "" is the whole file
}

// Decode reads a file into the struct that into points to. Where fields have the same name, a
// list is read into the one that is a slice, and another value into the other one. An element
// of a list of structs that is neither a list nor an object is the value of its first key.
//
// The defaults of tags are filled in. A struct's method Check() error, if it has one, is called
// after that; a *workload.OptionError of it has a key of the struct as its option, or a path
// such as "clusters[1].speed". All errors are *workload.InputError.
func Decode(name string, text []byte, into any) (*File, error) {
	f := &File{name: name, values: map[string]*yaml.Node{}}
	root, err := f.parse(text)
	if err != nil {
		return nil, err
	}
	if err := f.object("", root, into); err != nil {
		return nil, err
	}
	return f, nil
}

// Fault returns the error that the value of a path has, with its line. If err is a
// *workload.OptionError, its words are those of the error.
func (f *File) Fault(path string, err error) error {
	fault := &workload.InputError{File: f.name, Field: path, Err: err}
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		fault.Saw, fault.Want, fault.Err = option.Saw, strings.ReplaceAll(option.Want, "`", ""), nil
	}
	for n := f.values[path]; ; n = f.values[path] {
		if n != nil {
			fault.Line = int64(n.Line)
			return fault
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))] // what the value is in
	}
}

func (f *File) fault(path, saw, want string) error {
	return f.Fault(path, &workload.OptionError{Saw: saw, Want: want})
}

// object reads the keys of an object, in the order of the struct.
func (f *File) object(path string, n *yaml.Node, into any) error {
	f.values[path] = n
	if n.Kind != yaml.MappingNode {
		return f.fault(path, shown(n), "keys and values")
	}
	inner := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		f.values[inner(key.Value)] = key
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
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(known, key.Value) {
			return f.fault(inner(key.Value), "an unknown key", "one of "+strings.Join(known, ", ")+words.Meant(key.Value, known))
		}
	}
	for _, field := range fields {
		if err := field.Missing(); err != nil && values[field.Name] == nil {
			return f.Fault(inner(field.Name), err)
		}
	}
	err := opt.CheckGiven(fields, func(key string) bool { return values[key] != nil })
	if opt.Fill(into); err == nil {
		err = opt.CheckParts(into)
	}
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		return f.Fault(inner(option.Option), option)
	}
	return err
}

// fieldOf is the field that a value is read into.
func fieldOf(fields []*opt.Field, name string, value *yaml.Node) *opt.Field {
	var found *opt.Field
	for _, field := range fields {
		if field.Name == name && (found == nil || field.IsList() == (value.Kind == yaml.SequenceNode)) {
			found = field
		}
	}
	return found
}

// value reads the value of a key.
func (f *File) value(path string, n *yaml.Node, field *opt.Field) error {
	f.values[path] = n
	v := reflect.ValueOf(field.Pointer()).Elem()
	var err error
	switch isList := n.Kind == yaml.SequenceNode && v.Kind() == reflect.Slice; {
	case isList && len(n.Content) == 0:
		return f.fault(path, "an empty list", "one item or more")
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		if !isList {
			return f.fault(path, shown(n), "a list")
		}
		return f.objects(path, n.Content, v)
	case isList:
		return f.items(path, n.Content, field)
	case !isScalar(n, field):
		return f.fault(path, shown(n), field.Expected())
	default:
		err = field.Set(n.Value)
	}
	if err != nil {
		return f.Fault(path, err)
	}
	return nil
}

// items reads a list of texts or numbers.
func (f *File) items(path string, list []*yaml.Node, field *opt.Field) error {
	texts := make([]string, len(list))
	at := func(i int) string { return fmt.Sprintf("%s[%d]", path, i) }
	for i, n := range list {
		if !isScalar(n, field) {
			f.values[at(i)] = n
			return f.fault(at(i), shown(n), field.Expected())
		}
		texts[i] = n.Value
	}
	set := func(n int) error { return field.SetItems(strings.Join(texts[:n], ","), texts[:n]...) }
	if set(len(texts)) == nil {
		return nil
	}
	i := sort.Search(len(texts), func(i int) bool { return set(i+1) != nil }) // the first at fault
	f.values[at(i)] = list[i]
	return f.Fault(at(i), set(i+1))
}

// objects reads a list of structs.
func (f *File) objects(path string, list []*yaml.Node, into reflect.Value) error {
	into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
	for i, n := range list {
		element := into.Index(i).Addr().Interface()
		if n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
			key := &yaml.Node{Kind: yaml.ScalarNode, Line: n.Line, Value: opt.Fields(element)[0].Name}
			n = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Content: []*yaml.Node{key, n}}
		}
		if err := f.object(fmt.Sprintf("%s[%d]", path, i), n, element); err != nil {
			return err
		}
	}
	return nil
}

// isScalar reports whether a value is a text or, where the field is no text, has no quotes.
func isScalar(n *yaml.Node, field *opt.Field) bool {
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
	return n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" && !(quoted && field.IsNumeric())
}

// shown is a value for a message.
func shown(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys and values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.ShortTag() == "!!null":
		return "nothing"
	}
	return workload.Shorten([]byte(n.Value))
}

// yamlLine matches the beginning of an error of the parser.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// parse returns the value of a file with one document.
func (f *File) parse(text []byte) (*yaml.Node, error) {
	fault := &workload.InputError{File: f.name, Want: "one document in YAML or JSON"}
	if json.Valid(text) { // where tabs are spaces
		text = bytes.ReplaceAll(text, []byte{'\t'}, []byte{' '})
	}
	if at := bytes.IndexRune(text, utf8.RuneError); at >= 0 { // of which the parser does not say the line
		fault.Line, fault.Saw, fault.Want = int64(1+bytes.Count(text[:at], []byte{'\n'})), "a character that is not UTF-8", "text in UTF-8"
		return nil, fault
	}
	var document yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&document)
	switch {
	case err == io.EOF || err == nil && len(document.Content) != 1:
		fault.Saw = "an empty file"
	case err != nil:
		fault.Saw = "a text that is not YAML (" + yamlLine.ReplaceAllString(err.Error(), "") + ")"
		fault.Line, _ = strconv.ParseInt(yamlLine.FindStringSubmatch(err.Error())[1], 10, 64)
		if lines := bytes.Split(text, []byte{'\n'}); fault.Line > 0 && fault.Line <= int64(len(lines)) && bytes.HasPrefix(bytes.TrimLeft(lines[fault.Line-1], " "), []byte{'\t'}) {
			fault.Saw, fault.Want = "a tab at the beginning of the line", "spaces, as YAML has it"
		}
	case d.Decode(new(yaml.Node)) != io.EOF:
		fault.Saw = "a second document"
	default:
		return document.Content[0], nil
	}
	return nil, fault
}
