package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ReadPlan reads a study file and prepares the study. It is Decode and Prepare, but errors about
// the study's inputs too have their place in the file.
func ReadPlan(ctx context.Context, path string) (*Plan, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	s, d, err := decode(path, text)
	if err != nil {
		return nil, err
	}
	p, err := Prepare(ctx, s)
	if err != nil {
		return nil, d.locate(err)
	}
	return p, nil
}

func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileFault(path, "read", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fileFault(path, "read", err)
	}
	return text, nil
}

// Decode reads a study in YAML or JSON and validates it. Files in it are relative to
// the folder of the study's path, from which it has its name where it names none. An error is a
// *workload.InputError with line and column.
//
//	name:       of the study
//	logs:       files, or {file, name, processors, timezone, as}
//	models:     files or names of published models, or {model, name, processors}
//	workloads:  twins (default), scaled or log
//	method:     of scaled: thin, replicate or interarrival
//	days, jobs: length of twins and models' workloads
//	loads:      offered loads
//	seeds:      their number, or a list
//	processors: sizes of the machine (default: each workload's own)
//	policies, estimates, feedback
//	runtime, classes, wait: predictors, in place of policies
func Decode(path string, text []byte) (*Study, error) {
	s, _, err := decode(path, text)
	return s, err
}

func decode(path string, text []byte) (*Study, *decoder, error) {
	d := &decoder{file: path, keys: map[string]*yaml.Node{}}
	if len(text) > MaxFile {
		return nil, nil, &workload.InputError{File: path, Saw: fmt.Sprintf("more than %d bytes", MaxFile), Want: "a study file"}
	}
	var err error
	if d.root, err = d.parse(text); err != nil {
		return nil, nil, err
	}
	s := &Study{Folder: filepath.Dir(path), Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	if err := d.object(d.root, "", d.keysOf(reflect.ValueOf(s).Elem(), "key")); err != nil {
		return nil, nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, nil, d.locate(err)
	}
	return s, d, nil
}

// decoder reads nodes of a file, and keeps where keys are.
type decoder struct {
	file string
	root *yaml.Node
	keys map[string]*yaml.Node // values, by key of the study
}

// fault is an error at a node.
func (d *decoder) fault(n *yaml.Node, key, saw, want string) *workload.InputError {
	field := fmt.Sprintf("column %d", n.Column)
	if key != "" {
		field += ": " + key
	}
	return &workload.InputError{File: d.file, Line: int64(n.Line), Field: field, Saw: saw, Want: want}
}

// lineOf is a line of a text, from 1.
func lineOf(text []byte, number int64) []byte {
	for line := range bytes.Lines(text) {
		if number--; number == 0 {
			return line
		}
	}
	return nil
}

// checkText finds what is not UTF-8, of which the parser does not say the line. Text with a
// mark of UTF-16 is left to it.
func (d *decoder) checkText(text []byte) error {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil
	}
	number := int64(0)
	for line := range bytes.Lines(text) {
		number++
		if !utf8.Valid(line) {
			return &workload.InputError{File: d.file, Line: number, Saw: workload.Shorten(bytes.TrimSpace(line)), Want: "text in UTF-8"}
		}
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlFault takes an error of the parser apart; the line is 0 where it names none.
func yamlFault(err error) (line int64, saw string) {
	if err == nil {
		return 0, ""
	}
	if match := yamlLine.FindStringSubmatch(err.Error()); match != nil {
		line, _ = strconv.ParseInt(match[1], 10, 64)
		return line, strings.TrimPrefix(err.Error(), match[0])
	}
	return 0, err.Error()
}

// parse returns the document's root.
func (d *decoder) parse(text []byte) (*yaml.Node, error) {
	if json.Valid(text) { // where tabs are spaces
		text = bytes.ReplaceAll(text, []byte{'\t'}, []byte{' '})
	}
	if err := d.checkText(text); err != nil {
		return nil, err
	}
	in := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	err := in.Decode(&document)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(document.Content) != 1:
		return nil, &workload.InputError{File: d.file, Saw: "an empty file", Want: "a study: see 'loadstone help sweep'"}
	case err != nil:
		fault := &workload.InputError{File: d.file, Want: "YAML or JSON"}
		if fault.Line, fault.Saw = yamlFault(err); fault.Line == 0 { // the parser does not name the first line
			if line, saw := yamlFault(yaml.Unmarshal(slices.Concat([]byte{'\n'}, text), new(yaml.Node))); line == 2 && saw == fault.Saw {
				fault.Line = 1
			}
		}
		object := bytes.HasPrefix(bytes.TrimSpace(text), []byte{'{'}) // damaged
		if line := lineOf(text, fault.Line); !object && bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte{'\t'}) {
			fault.Saw, fault.Want = "a tab at the beginning of the line", "spaces, as YAML has it"
		}
		return nil, fault
	}
	switch err := in.Decode(&more); {
	case err == nil:
		return nil, d.fault(&more, "", "a second document", "one study a file")
	case !errors.Is(err, io.EOF): // of no YAML, whose place is not known
		return nil, &workload.InputError{File: d.file, Saw: "a second document", Want: "one study a file"}
	}
	return document.Content[0], nil
}

// studyKey is a key, and what reads its value.
type studyKey struct {
	name string
	read func(key string, n *yaml.Node) error
}

// object reads a mapping with known keys.
func (d *decoder) object(n *yaml.Node, of string, keys []studyKey) error {
	if n.Kind != yaml.MappingNode {
		return d.fault(n, of, kind(n), "keys and values")
	}
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := slices.Index(names, key.Value)
		switch {
		case key.Kind != yaml.ScalarNode || at < 0:
			return d.fault(key, of, "unknown key "+shown(key), "one of "+strings.Join(names, ", "))
		case seen[key.Value]:
			return d.fault(key, of, "key "+shown(key)+" a second time", "each key once")
		}
		seen[key.Value] = true
		if of == "" {
			d.keys[key.Value] = value
		}
		if err := keys[at].read(key.Value, value); err != nil {
			return err
		}
	}
	return nil
}

// locate puts an error of Validate or Prepare where the value is in the file.
func (d *decoder) locate(err error) error {
	var k *KeyError
	if !errors.As(err, &k) {
		return err
	}
	n, key := d.keys[k.Key], k.Key
	if n == nil {
		n = d.root
	}
	if k.Item >= 0 {
		key = fmt.Sprintf("%s[%d]", key, k.Item)
		if k.Item < len(n.Content) {
			n = n.Content[k.Item]
		}
	}
	fault := d.fault(n, key, k.Saw, k.Want)
	fault.Err = k.Err
	return fault
}

func shown(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return workload.Shorten([]byte(n.Value))
	}
	return kind(n)
}

func kind(n *yaml.Node) string {
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
