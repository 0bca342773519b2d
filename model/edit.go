package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Edit returns a model file, or a template, with the field at path set to
// value, which is JSON or else taken as a string. The field may be new, as may
// the objects that it is in. A path is as in the errors of Decode, such as
// "classes[0].arrivals.interarrival.parameters.mean". A path that does not
// exist is an error. The result is not validated; Decode does that.
func Edit(file []byte, path, value string) ([]byte, error) {
	var whole any
	if err := unmarshalExact(file, &whole); err != nil {
		return nil, fmt.Errorf("%s: no JSON to set it in, want a model file (%v)", path, err)
	}
	var to any
	if unmarshalExact([]byte(value), &to) != nil {
		to = value
	}
	steps, ok := splitPath(path)
	if !ok {
		return nil, fmt.Errorf("%s: no path of a field, want names between dots, with [0], [1], ... after those of lists", path)
	}
	if err := put(&whole, steps, "", to); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(whole)
	return b.Bytes(), err
}

// unmarshalExact keeps the digits of numbers.
func unmarshalExact(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one value")
	}
	return nil
}

// step is a field's name, or the place in a list where name is empty.
type step struct {
	name string
	at   int
}

func splitPath(path string) (steps []step, ok bool) {
	if !utf8.ValidString(path) {
		return nil, false // JSON has no such name
	}
	for _, part := range strings.Split(path, ".") {
		name, rest, list := strings.Cut(part, "[")
		if name == "" {
			return nil, false
		}
		steps = append(steps, step{name: name})
		for list {
			var index string
			index, rest, ok = strings.Cut(rest, "]")
			i, err := strconv.Atoi(index)
			if !ok || err != nil || i < 0 {
				return nil, false
			}
			steps = append(steps, step{at: i})
			var between string
			between, rest, list = strings.Cut(rest, "[")
			if between != "" {
				return nil, false
			}
		}
	}
	return steps, true
}

func put(node *any, steps []step, path string, value any) error {
	if len(steps) == 0 {
		*node = value
		return nil
	}
	s := steps[0]
	if s.name == "" {
		path = fmt.Sprintf("%s[%d]", path, s.at)
		list, ok := (*node).([]any)
		if !ok || s.at >= len(list) {
			return fmt.Errorf("%s: not there, want one of the %d of a list", path, len(list))
		}
		return put(&list[s.at], steps[1:], path, value)
	}
	object, ok := (*node).(map[string]any)
	if path != "" {
		path += "."
	}
	path += s.name
	if !ok {
		return fmt.Errorf("%s: not there: what it would be in is no object, want a field of the model", path)
	}
	child, there := object[s.name]
	if !there && len(steps) > 1 && steps[1].name != "" {
		child = map[string]any{}
	}
	if err := put(&child, steps[1:], path, value); err != nil {
		return err
	}
	object[s.name] = child
	return nil
}
