package flags

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Mapping specifies how tables of other programs are read.
type Mapping struct {
	Map Map    `opt:"map" help:"<column=name,...> of a CSV, Parquet or Arrow file, such as submit_time=Submitted,end_time=Ended; or FILE.json, a mapping of other programs' tables"`
	As  Source `opt:"as" help:"<name> of the published source of a table ('loadstone help sources')"`
}

// Check returns an error if both are given.
func (m Mapping) Check() error {
	if m.As != "" && m.Map.String() != "" {
		return fmt.Errorf("--as: want this or --map, not both")
	}
	return nil
}

// Options returns the options for opening a log.
func (m Mapping) Options(timezone string) workload.Options {
	return workload.Options{TimeZone: timezone, Map: m.Map.columns, As: string(m.As), MapFile: m.Map.file}
}

// Args returns the flags as they are typed.
func (m Mapping) Args() (args []string) {
	if text := m.Map.String(); text != "" {
		args = append(args, "--map", text)
	}
	if m.As != "" {
		args = append(args, "--as", string(m.As))
	}
	return args
}

// Unused returns a message if a flag has no effect on a log of the given format, or else "".
func (m Mapping) Unused(format string) string {
	switch {
	case len(m.Map.columns) > 0 && !slices.Contains([]string{"csv", "parquet", "arrow"}, format):
		return "--map has no effect: it is for CSV, Parquet and Arrow of other programs, and this is " + format
	case m.Map.file != "" && format != m.Map.name:
		return "--map has no effect: a mapping is for CSV, JSON lines, Parquet and Arrow of other programs, and this is " + format
	case m.As != "" && format != string(m.As):
		return "--as has no effect: it is for CSV, JSON lines, Parquet and Arrow of other programs, and this is " + format
	}
	return ""
}

// SourcesTopic is the help topic on mappings and the built-in sources.
const SourcesTopic = "sources"

// mappingFault is an error of a mapping, for which SourcesTopic is more helpful than the help
// of the command.
type mappingFault struct{ error }

func (f *mappingFault) Unwrap() error { return f.error }

// Map is the value of --map: a mapping from columns of the job table to those of a table of another
// program, or the file of a mapping. The former are pairs column=name separated by commas; a pair
// whose name contains a comma is quoted. Repeated flags add pairs.
type Map struct {
	columns map[string]string
	file    string
	name    string // of the mapping in file
}

// String implements pflag.Value.
func (m *Map) String() string {
	if m.file != "" {
		return m.file
	}
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m.columns)) {
		pairs = append(pairs, key+"="+m.columns[key])
	}
	return strings.Join(pairs, ",")
}

// Type implements pflag.Value.
func (m *Map) Type() string { return "column=name,..." }

// Set implements pflag.Value.
func (m *Map) Set(s string) error {
	file := filepath.Ext(s) == ".json" || !strings.Contains(s, "=") && strings.ContainsAny(s, `./\`)
	switch {
	case m.file != "" || file && len(m.columns) > 0:
		return fmt.Errorf("want columns or one mapping's file, not both")
	case !file:
		return m.add(s)
	}
	read, err := mapping.Read(s)
	if err != nil {
		return &mappingFault{err}
	}
	m.file, m.name = s, read.Name
	return nil
}

func (m *Map) add(s string) error {
	if s == "" {
		return fmt.Errorf("saw nothing, want column=name separated by commas")
	}
	pairs, err := csv.NewReader(strings.NewReader(s)).Read()
	if err != nil {
		return fmt.Errorf("want column=name separated by commas: %w", err)
	}
	all := maps.Clone(m.columns)
	if all == nil {
		all = map[string]string{}
	}
	for _, pair := range pairs {
		key, name, _ := strings.Cut(pair, "=")
		key, name = strings.TrimSpace(key), strings.TrimSpace(name)
		if key == "" || name == "" {
			return fmt.Errorf("saw %q, want column=name, such as submit_time=Submitted", pair)
		}
		if _, ok := all[key]; ok {
			return fmt.Errorf("%q is mapped twice", key)
		}
		all[key] = name
	}
	if err := mapping.CheckPairs(all); err != nil {
		return err
	}
	m.columns = all
	return nil
}

// Source is the name of a published source of tables.
type Source string

// String implements pflag.Value.
func (s *Source) String() string { return string(*s) }

// Type implements pflag.Value.
func (s *Source) Type() string { return "name" }

// Set implements pflag.Value.
func (s *Source) Set(name string) error {
	err := mapping.Check(workload.Options{As: name})
	if fault := new(workload.OptionError); errors.As(err, &fault) {
		return &mappingFault{fmt.Errorf("saw %s, want %s", fault.Saw, fault.Want)}
	}
	*s = Source(name)
	return err
}
