package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
	"go.yaml.in/yaml/v3"
)

// asJSON returns the JSON form of a value.
func asJSON(n *yaml.Node) ([]byte, error) {
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, errors.New(strings.Join(strings.Fields(err.Error()), " ")) // one line
	}
	return json.Marshal(value)
}

// join returns the path of a key, or of [i], within the value at path.
func join(path, key string) string {
	if path == "" || key == "" || key[0] == '[' {
		return path + key
	}
	return path + "." + key
}

// isScalar reports whether a value is a scalar other than null that a field can have: a field
// that is not text cannot have a value in quotes.
func isScalar(n *yaml.Node, field *opt.Field) bool {
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
	return n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" && !(quoted && field.IsNumeric())
}

// shown returns a description of a value for a message.
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

// yamlLine matches the beginning of the parser's error messages.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// parse returns the value of a file, which must have one document.
func (f *File) parse(text []byte) (*yaml.Node, error) {
	fault := &workload.InputError{File: f.name, Want: "one document in YAML or JSON"}
	if json.Valid(text) { // JSON may have tabs, and only between values; YAML may not
		text = bytes.ReplaceAll(text, []byte{'\t'}, []byte{' '})
	}
	if at := bytes.IndexRune(text, utf8.RuneError); at >= 0 { // the parser's error has no line
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
