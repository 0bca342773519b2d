package jsonfault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Fault describes an error in a JSON file.
type Fault struct {
	Line int    // from 1
	Path string // of the field, such as "clusters[1].speed"; empty for the whole file
	Saw  string // what the file has
	Want string // what was expected; may be empty
}

// Error returns the path, what was seen and what was expected, without the line.
func (f *Fault) Error() string {
	text := "saw " + f.Saw
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Want != "" {
		text += ", want " + f.Want
	}
	return text
}

// Strict decodes a file that is one JSON object with the given schema into a pointer to a
// struct. It returns a *Fault for an unknown or repeated key, a value of the wrong type,
// null, and a missing field without "omitempty" in its tag. The fault says that a field's
// tag "want" was expected, or its type if it has no such tag.
func Strict(data []byte, schema string, into any) error {
	s := strict{data}
	if f := s.syntax(); f != nil {
		return f
	}
	var head struct{ Schema json.RawMessage }
	json.Unmarshal(data, &head) // else it is a fault below
	if x, err := strconv.Unquote(string(head.Schema)); err == nil && x != schema {
		return &Fault{s.line(bytes.Index(data, head.Schema)), "schema", strconv.Quote(x), schema}
	}
	whole := bytes.TrimSpace(data)
	if f := s.check(whole, bytes.Index(data, whole), reflect.TypeOf(into).Elem(), "", "a JSON object"); f != nil {
		return f
	}
	return json.Unmarshal(data, into)
}

type strict struct{ data []byte }

func (s strict) line(at int) int { return 1 + bytes.Count(s.data[:max(0, at)], []byte("\n")) }

// syntax returns a fault if the data are not exactly one JSON value.
func (s strict) syntax() *Fault {
	const want = "a JSON object"
	d := json.NewDecoder(bytes.NewReader(s.data))
	var whole json.RawMessage
	err := d.Decode(&whole)
	rest := bytes.TrimSpace(s.data[min(int(d.InputOffset()), len(s.data)):])
	switch line, ok := Line(s.data, err); {
	case err == io.EOF:
		return &Fault{1, "", "nothing", want}
	case ok:
		return &Fault{line, "", fmt.Sprintf("line %d, which is not JSON (%v)", line, err), want}
	case err != nil:
		return &Fault{s.line(len(s.data)), "", "a text that ends in the middle of the object", want}
	case len(rest) > 0:
		return &Fault{s.line(len(s.data) - len(rest)), "", short(rest) + " behind the last brace", "the end of the file"}
	}
	return nil
}

// check checks a value, at offset at of the file, against the type that it is decoded into.
func (s strict) check(raw []byte, at int, t reflect.Type, path, want string) *Fault {
	d := json.NewDecoder(bytes.NewReader(raw))
	next := func() (value json.RawMessage, from int) {
		d.Decode(&value) // valid JSON
		return value, at + int(d.InputOffset()) - len(value)
	}
	_, own := reflect.New(t).Interface().(json.Unmarshaler)
	switch {
	case !own && t.Kind() == reflect.Struct && raw[0] == '{':
		return s.object(d, next, at, t, path)
	case !own && t.Kind() == reflect.Slice && raw[0] == '[':
		d.Token()
		for i := 0; d.More(); i++ {
			element, from := next()
			if f := s.check(element, from, t.Elem(), fmt.Sprintf("%s[%d]", path, i), kindOf(t.Elem())); f != nil {
				return f
			}
		}
	case string(raw) == "null" || json.Unmarshal(raw, reflect.New(t).Interface()) != nil:
		return &Fault{s.line(at), path, short(raw), want}
	}
	return nil
}

// object checks the fields of an object.
func (s strict) object(d *json.Decoder, next func() (json.RawMessage, int), at int, t reflect.Type, path string) *Fault {
	inner := func(key string) string {
		if !plainKey.MatchString(key) {
			key = strconv.Quote(key)
		}
		return strings.TrimPrefix(path+"."+key, ".")
	}
	var known, required []string
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if known = append(known, name); option == "" {
			required = append(required, name)
		}
	}
	wants := func(i int) string {
		if want := t.Field(i).Tag.Get("want"); want != "" {
			return want
		}
		return kindOf(t.Field(i).Type)
	}
	var seen []string
	for d.Token(); d.More(); {
		token, _ := d.Token()
		key := token.(string)
		i := slices.Index(known, key)
		line := s.line(at + int(d.InputOffset()) - 1)
		switch {
		case i < 0:
			return &Fault{line, inner(key), "an unknown key", "one of " + strings.Join(known, ", ")}
		case slices.Contains(seen, key):
			return &Fault{line, inner(key), "a second time", "one value"}
		}
		seen = append(seen, key)
		value, from := next()
		if f := s.check(value, from, t.Field(i).Type, inner(key), wants(i)); f != nil {
			return f
		}
	}
	for _, key := range required {
		if !slices.Contains(seen, key) {
			return &Fault{s.line(at), inner(key), "no such field", wants(slices.Index(known, key))}
		}
	}
	return nil
}

func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Struct {
		return "a JSON object"
	}
	return wordsOf(t)
}

// plainKey matches keys that a path shows without quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// short quotes a text, cut to a line.
func short(b []byte) string {
	const most = 40
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%q... (%d bytes)", b[:most], len(b))
}
