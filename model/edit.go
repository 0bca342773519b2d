package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Edit returns a model file with the field at path set to value. A value that is not JSON is
// taken as a string. The field may be new, as may the objects that contain it. Paths have the
// form that errors of Decode use, such as "classes[0].arrivals.interarrival.parameters.mean". A
// path that does not exist is an error. The result is not validated; Decode does that.
func Edit(file []byte, path, value string) ([]byte, error) {
	var whole any
	if err := unmarshalExact(file, &whole); err != nil {
		return nil, fmt.Errorf("%s: the file is not JSON, want a model file (%v)", path, err)
	}
	var to any
	if unmarshalExact([]byte(value), &to) != nil {
		to = value
	}
	if !utf8.ValidString(path) || !pathForm.MatchString(path) { // names in JSON are valid UTF-8
		return nil, fmt.Errorf("%s: no path of a field, want names between dots, with [0], [1], ... after those of lists", path)
	}
	if err := put(&whole, pathStep.FindAllString(path, -1), "", to); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(whole)
	return b.Bytes(), err
}

// unmarshalExact decodes one JSON value and keeps the digits of numbers.
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

// A path is a sequence of names separated by dots, in which an index in brackets may follow the
// name of a list.
var (
	pathForm = regexp.MustCompile(`^[^.\[\]]+(\[[0-9]+\])*(\.[^.\[\]]+(\[[0-9]+\])*)*$`)
	pathStep = regexp.MustCompile(`[^.\[\]]+|\[[0-9]+\]`)
)

// put sets the value that steps lead to from node. path is that of node, for errors.
func put(node *any, steps []string, path string, value any) error {
	if len(steps) == 0 {
		*node = value
		return nil
	}
	name := steps[0]
	if place, isPlace := strings.CutPrefix(name, "["); isPlace {
		path += name
		at, err := strconv.Atoi(strings.TrimSuffix(place, "]"))
		list, ok := (*node).([]any)
		if err != nil || !ok || at >= len(list) {
			return fmt.Errorf("%s: not found, want one of the %d elements of a list", path, len(list))
		}
		return put(&list[at], steps[1:], path, value)
	}
	if path != "" {
		path += "."
	}
	path += name
	object, ok := (*node).(map[string]any)
	if !ok {
		return fmt.Errorf("%s: cannot be set: its parent is not an object, want a field of the model", path)
	}
	child, there := object[name]
	if !there && len(steps) > 1 && steps[1][0] != '[' {
		child = map[string]any{}
	}
	if err := put(&child, steps[1:], path, value); err != nil {
		return err
	}
	object[name] = child
	return nil
}
