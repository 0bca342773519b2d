package mapping

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

//go:embed sources/*.json
var sources embed.FS

// builtIn is a mapping of a published source or of another batch system.
type builtIn struct {
	name string
	Signs
	begins  *regexp.Regexp // nil for none
	within  *regexp.Regexp
	text    []byte
	mapping func() *Mapping
}

// all returns the built-in mappings, sorted by name. Each is decoded when it is first used.
var all = sync.OnceValue(func() (all []*builtIn) {
	for _, name := range Names() {
		b := &builtIn{name: name}
		var err error
		if b.text, err = sources.ReadFile(path.Join("sources", name+".json")); err == nil {
			err = json.Unmarshal(b.text, &b.Signs)
		}
		if err != nil {
			panic("mapping: " + err.Error())
		}
		if b.Begins != "" {
			b.begins = regexp.MustCompile(b.Begins)
		}
		if b.Within != "" {
			b.within = regexp.MustCompile("(?m)" + b.Within)
		}
		b.mapping = sync.OnceValue(func() *Mapping {
			m, err := decode(name+".json", b.text)
			if err != nil {
				panic("mapping: " + err.Error()) // the tests decode every built-in mapping
			}
			return m
		})
		all = append(all, b)
	}
	return all
})

// List returns the built-in mappings, sorted by name. The caller must not modify them.
func List() (list []*Mapping) {
	for _, b := range all() {
		list = append(list, b.mapping())
	}
	return list
}

// Source returns the JSON file of the built-in mapping with the given name, or nil if there
// is none.
func Source(name string) []byte {
	if i := slices.Index(Names(), name); i >= 0 {
		return all()[i].text
	}
	return nil
}

// Names returns the names of the built-in mappings, sorted.
func Names() (names []string) {
	entries, _ := sources.ReadDir("sources") // embedded, so that there is no error
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Check returns an error if the mapping in Options.As or Options.MapFile does not exist or
// is invalid: a *workload.OptionError or a *workload.InputError.
func Check(o workload.Options) error {
	_, err := find(o)
	return err
}

// find returns the mapping that the options name, or nil if they name none.
func find(o workload.Options) (*Mapping, error) {
	switch {
	case o.As != "" && o.MapFile != "":
		return nil, workload.OptionFault("as", o.As, "this or the file of a mapping, not both")
	case o.As != "":
		if i := slices.Index(Names(), o.As); i >= 0 {
			return all()[i].mapping(), nil
		}
		return nil, workload.OptionFault("as", fmt.Sprintf("%q", o.As), "one of %s", strings.Join(Names(), ", "))
	case o.MapFile != "":
		return Read(o.MapFile)
	}
	return nil, nil
}

// maxMapping is the largest size of a mapping file, in bytes.
const maxMapping = 1 << 20

// Read reads a mapping from a JSON file of at most 1 MiB. The error is a
// *workload.InputError, with the line and the path of the offending value, such as
// columns.run_time_s.unit.
func Read(file string) (*Mapping, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxMapping {
		return nil, &workload.InputError{File: file, Saw: fmt.Sprintf("%d bytes", info.Size()), Want: fmt.Sprintf("a mapping of at most %d", maxMapping)}
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, parse.InputFault(file, err)
	}
	m, err := decode(file, data)
	if err == nil && m.Name == "" {
		m.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return m, err
}

// recognise returns the built-in mapping of a published table with the given columns, or nil. The
// columns are exactly those of Signs.Exactly (for a text, in that order) or, except for a text,
// include one name of each column in Signs.Among.
func recognise(columns []string, isText bool) *Mapping {
	sorted := slices.Sorted(slices.Values(columns))
	for _, b := range all() {
		if b.Exactly != nil && (slices.Equal(b.Exactly, columns) || !isText && slices.Equal(slices.Sorted(slices.Values(b.Exactly)), sorted)) {
			return b.mapping()
		}
	}
	for _, b := range all() {
		if !isText && hasEach(b.Among, columns) {
			return b.mapping()
		}
	}
	return nil
}

// recogniseText returns the built-in mapping for a text with the given file name and beginning, or
// nil.
func recogniseText(name string, head []byte) *Mapping {
	if isJSON(head) {
		columns, _ := jsonColumns(head)
		return recognise(namesOf(columns), false)
	}
	if m := recognise(delimited.Columns(head), true); m != nil {
		return m
	}
	ext, first := parse.Extension(name), firstLine(head)
	for _, b := range all() {
		isNamed := b.Extension != "" && ext == b.Extension
		ofOther := b.Extension != "" && ext == ".swf"
		if isNamed && !bytes.HasPrefix(bytes.TrimSpace(head), []byte{';'}) || b.begins != nil && !ofOther && b.begins.Match(first) || b.within != nil && b.within.Match(head[:min(len(head), 16<<10)]) {
			return b.mapping()
		}
	}
	return nil
}

// hasEach reports whether names has at least one name of each column. It is false if there are no
// columns.
func hasEach(columns [][]string, names []string) bool {
	for _, any := range columns {
		if !slices.ContainsFunc(any, func(name string) bool { return slices.Contains(names, name) }) {
			return false
		}
	}
	return len(columns) > 0
}

// notJobs returns an error if names are the columns of a known table of a published trace that has
// no jobs.
func notJobs(file string, names []string) error {
	for _, b := range all() {
		for _, t := range b.Others {
			if hasEach(t.Among, names) {
				return &workload.InputError{File: file, Field: "columns", Saw: t.Title, Want: t.Instead}
			}
		}
	}
	return nil
}
