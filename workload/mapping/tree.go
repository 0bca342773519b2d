package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// node is a JSON value and where it stands.
type node struct {
	file string
	path string // "columns.run_time_s.unit", "" for the whole
	line int64

	kind    string // "an object", "a list", "a text", "a number", "true or false", "null"
	text    string // of a text or a number
	keys    []string
	members map[string]*node
	items   []*node
}

const (
	isObject = "an object"
	isList   = "a list"
	isText   = "a text"
	isNumber = "a number"
	isBool   = "true or false"
	isNull   = "null"
)

const (
	maxMapping = 1 << 20 // bytes of a mapping
	maxDepth   = 8
)

// tree reads JSON. A key that is given twice is an error.
func tree(file string, data []byte) (*node, error) {
	fault := func(at int64, saw, want string) *workload.InputError {
		line := int64(1 + bytes.Count(data[:min(at, int64(len(data)))], []byte{'\n'}))
		return &workload.InputError{File: file, Line: line, Saw: saw, Want: want}
	}
	if len(data) > maxMapping {
		return nil, fault(0, fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("a mapping of at most %d", maxMapping))
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	r := treeReader{file: file, data: data, d: d}
	n, err := r.value("", 0)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return nil, fault(d.InputOffset(), "more behind the mapping", "the end of the file")
		}
		return n, nil
	}
	var input *workload.InputError
	if errors.As(err, &input) {
		return nil, input
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, fault(int64(len(data)), "JSON that ends in the middle", "a mapping")
	}
	e := fault(d.InputOffset(), "no JSON", "a mapping")
	e.Err = err
	return nil, e
}

type treeReader struct {
	file string
	data []byte
	d    *json.Decoder
}

func (r *treeReader) value(path string, depth int) (*node, error) {
	t, err := r.d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{file: r.file, path: path, line: int64(1 + bytes.Count(r.data[:r.d.InputOffset()], []byte{'\n'}))}
	if depth > maxDepth {
		return nil, n.fault(fmt.Sprintf("values nested %d deep", depth), fmt.Sprintf("at most %d", maxDepth))
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return n, r.object(n, depth)
		}
		return n, r.list(n, depth)
	case string:
		n.kind, n.text = isText, t
	case json.Number:
		n.kind, n.text = isNumber, t.String()
	case bool:
		n.kind, n.text = isBool, fmt.Sprint(t)
	default:
		n.kind = isNull
	}
	return n, nil
}

func (r *treeReader) object(n *node, depth int) error {
	n.kind, n.members = isObject, map[string]*node{}
	for r.d.More() {
		t, err := r.d.Token()
		if err != nil {
			return err
		}
		key := t.(string)
		path := key
		if n.path != "" {
			path = n.path + "." + key
		}
		member, err := r.value(path, depth+1)
		if err != nil {
			return err
		}
		if n.members[key] != nil {
			return member.fault("a key that is given twice", "it once")
		}
		n.keys, n.members[key] = append(n.keys, key), member
	}
	_, err := r.d.Token()
	return err
}

func (r *treeReader) list(n *node, depth int) error {
	n.kind = isList
	for r.d.More() {
		item, err := r.value(fmt.Sprintf("%s[%d]", n.path, len(n.items)), depth+1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := r.d.Token()
	return err
}

func (n *node) fault(saw, want string) error {
	return &workload.InputError{File: n.file, Line: n.line, Field: n.path, Saw: saw, Want: want}
}

// says describes the value, for a message.
func (n *node) says() string {
	switch n.kind {
	case isText:
		return workload.Shorten([]byte(n.text))
	case isNumber, isBool:
		return n.text
	}
	return n.kind
}

// only returns an error if the object has a key other than those given.
func (n *node) only(keys ...string) error {
	if n.kind != isObject {
		return n.fault(n.says(), isObject)
	}
	for _, key := range n.keys {
		if !slices.Contains(keys, key) {
			return n.members[key].fault("an unknown key", "one of "+list(keys))
		}
	}
	return nil
}

// string reads a text that is not empty, which may be missing: then it is "".
func (n *node) string(key string) (string, error) {
	m := n.members[key]
	switch {
	case m == nil:
		return "", nil
	case m.kind != isText || m.text == "":
		return "", m.fault(m.says(), isText)
	}
	return m.text, nil
}

// strings reads a text, or a list of them.
func (n *node) strings(key string) ([]string, error) {
	m := n.members[key]
	if m == nil {
		return nil, nil
	}
	if m.kind == isText && m.text != "" {
		return []string{m.text}, nil
	}
	if m.kind != isList || len(m.items) == 0 {
		return nil, m.fault(m.says(), "a text or a list of texts")
	}
	var all []string
	for _, item := range m.items {
		switch {
		case item.kind != isText || item.text == "":
			return nil, item.fault(item.says(), isText)
		case slices.Contains(all, item.text):
			return nil, item.fault(item.says()+" twice", "it once")
		}
		all = append(all, item.text)
	}
	return all, nil
}

// bool reads true or false; false where it is missing.
func (n *node) bool(key string) (bool, error) {
	m := n.members[key]
	if m == nil {
		return false, nil
	}
	if m.kind != isBool {
		return false, m.fault(m.says(), isBool)
	}
	return m.text == "true", nil
}
