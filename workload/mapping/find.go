package mapping

import (
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

//go:embed sources/*.json
var sources embed.FS

// builtIn are the mappings of published sources, in the order of their names.
var builtIn = sync.OnceValue(func() []*Mapping {
	entries, err := sources.ReadDir("sources")
	if err != nil {
		panic("mapping: " + err.Error())
	}
	var all []*Mapping
	for _, e := range entries {
		data, err := sources.ReadFile(path.Join("sources", e.Name()))
		var m *Mapping
		if err == nil {
			m, err = decode(e.Name(), data)
		}
		if err != nil {
			panic("mapping: " + err.Error())
		}
		all = append(all, m)
	}
	return all
})

// List returns the built-in mappings, sorted by name. The caller must not modify them.
func List() []*Mapping { return slices.Clone(builtIn()) }

// Source returns the JSON file of the built-in mapping with the given name, or nil if there
// is none.
func Source(name string) []byte {
	if !slices.Contains(Names(), name) {
		return nil
	}
	data, _ := sources.ReadFile(path.Join("sources", name+".json")) // nil on an error
	return data
}

// Names returns the names of the built-in mappings, sorted.
func Names() []string {
	var names []string
	for _, m := range builtIn() {
		names = append(names, m.Name)
	}
	return names
}

// Check returns an error if the mapping in Options.As or Options.MapFile does not exist or
// is invalid: a *workload.OptionError or a *workload.InputError.
func Check(o workload.Options) error {
	_, err := find(o)
	return err
}

// find returns the mapping that the options name, or nil where they name none.
func find(o workload.Options) (*Mapping, error) {
	switch {
	case o.As != "" && o.MapFile != "":
		return nil, workload.OptionFault("as", o.As, "this or the file of a mapping, not both")
	case o.As != "":
		for _, m := range builtIn() {
			if m.Name == o.As {
				return m, nil
			}
		}
		return nil, workload.OptionFault("as", fmt.Sprintf("%q", o.As), "one of %s", list(Names()))
	case o.MapFile != "":
		return Read(o.MapFile)
	}
	return nil, nil
}

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

// recognise returns the built-in mapping of the published source that has exactly
// those columns, or nil. In a text their order counts too.
func recognise(columns []string, ordered bool) *Mapping {
	sorted := slices.Sorted(slices.Values(columns))
	for _, m := range builtIn() {
		if m.Exactly == nil {
			continue
		}
		if slices.Equal(m.Exactly, columns) || !ordered && slices.Equal(slices.Sorted(slices.Values(m.Exactly)), sorted) {
			return m
		}
	}
	return nil
}

// own reports that a table has the columns of a job table that this program wrote, which
// needs no mapping: a published source's has no effect, one of the user's has.
func own(columns []string) bool {
	const least = workload.ColStatus // columns that every version has
	if len(columns) < least {
		return false
	}
	return slices.Equal(columns[:least], workload.ColumnNames([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}[:least]))
}
