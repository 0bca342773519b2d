package flags

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Mapping is how tables of other programs are read: the values of --map and --as.
type Mapping struct {
	Columns Map    // --map column=name,...
	File    string // --map FILE
	As      string // --as NAME

	name string // of the mapping of File
}

// Add adds the flags.
func (m *Mapping) Add(f *pflag.FlagSet) {
	f.Var((*mapFlag)(m), "map", "`column=name,...` of a CSV or Parquet file, such as submit_time=Submitted,end_time=Ended; or FILE.json, a mapping of other programs' tables")
	f.Var((*asFlag)(m), "as", "`name` of the published source of a table ('loadstone help sources')")
}

// Options are those of a log that is opened.
func (m *Mapping) Options(timezone string) workload.Options {
	return workload.Options{TimeZone: timezone, Map: m.Columns, As: m.As, MapFile: m.File}
}

// Args are the flags as they are typed.
func (m *Mapping) Args() []string {
	var args []string
	if text := (*mapFlag)(m).String(); text != "" {
		args = append(args, "--map", text)
	}
	if m.As != "" {
		args = append(args, "--as", m.As)
	}
	return args
}

// Unused says what has no effect on a log that was opened as that format; "" where all
// has.
func (m *Mapping) Unused(format string) string {
	switch {
	case len(m.Columns) > 0 && format != "csv" && format != "table":
		return "--map has no effect: it is for CSV and Parquet of other programs, and this is " + format
	case m.File != "" && format != m.name:
		return "--map has no effect: a mapping is for CSV, JSON lines and Parquet of other programs, and this is " + format
	case m.As != "" && format != m.As:
		return "--as has no effect: it is for CSV, JSON lines and Parquet of other programs, and this is " + format
	}
	return ""
}

// SourcesTopic is the help topic on mappings and on those that are built in.
const SourcesTopic = "sources"

// mappingFault is a fault of a mapping, for which SourcesTopic helps more than the help of
// the command.
type mappingFault struct{ error }

func (f *mappingFault) Unwrap() error { return f.error }

type mapFlag Mapping

func (m *mapFlag) String() string {
	if m.File != "" {
		return m.File
	}
	return m.Columns.String()
}

func (m *mapFlag) Type() string { return m.Columns.Type() }

func (m *mapFlag) Set(s string) error {
	file := filepath.Ext(s) == ".json" || !strings.Contains(s, "=") && strings.ContainsAny(s, `./\`)
	switch {
	case m.As != "":
		return fmt.Errorf("want this or --as, not both")
	case m.File != "" || file && len(m.Columns) > 0:
		return fmt.Errorf("want columns or one mapping's file, not both")
	case !file:
		return m.Columns.Set(s)
	}
	read, err := mapping.Read(s)
	if err != nil {
		return &mappingFault{err}
	}
	m.File, m.name = s, read.Name
	return nil
}

type asFlag Mapping

func (m *asFlag) String() string { return m.As }

func (m *asFlag) Type() string { return "name" }

func (m *asFlag) Set(s string) error {
	if m.File != "" || len(m.Columns) > 0 {
		return fmt.Errorf("want this or --map, not both")
	}
	err := mapping.Check(workload.Options{As: s})
	var fault *workload.OptionError
	if errors.As(err, &fault) {
		return &mappingFault{fmt.Errorf("saw %s, want %s", fault.Saw, fault.Want)}
	}
	m.As = s
	return err
}
