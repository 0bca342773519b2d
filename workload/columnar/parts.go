package columnar

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// part is a file of a table. It is opened for its columns and counts, and again each time that the
// table is read.
type part struct {
	name string
	open func() (*parquetFile, func() error, error)
}

// OpenParquetFolder opens the Parquet files in a folder as the parts of one table, sorted by name
// with numbers compared as numbers: part.2 before part.10. Subfolders are ignored. The source is
// nil if there are no such files. The error is a *workload.InputError, for example if columns
// differ between parts.
func OpenParquetFolder(name, path string, workers int) (*Source, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Or(cmp.Compare(numbered(a.Name()), numbered(b.Name())), cmp.Compare(a.Name(), b.Name()))
	})
	var parts []part
	for _, e := range entries {
		// Spark writes marker and checksum files such as _SUCCESS and .part-0.parquet.crc.
		if name := e.Name(); !e.IsDir() && name[0] != '.' && name[0] != '_' && filepath.Ext(name) == ".parquet" {
			file := filepath.Join(path, name)
			parts = append(parts, part{file, func() (*parquetFile, func() error, error) { return openPart(file) }})
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return openParts(parts, workers)
}

// numbered returns the sort key of a file name, in which numbers are padded with zeros to be
// compared as numbers.
func numbered(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string {
		n = strings.TrimLeft(n, "0")
		return strings.Repeat("0", max(0, 40-len(n))) + n
	})
}

var digits = regexp.MustCompile("[0-9]+")

// openPart opens a file of a folder.
func openPart(path string) (p *parquetFile, done func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = parse.InputFault(path, err)
	case !info.Mode().IsRegular():
		err = &workload.InputError{File: path, Saw: "not a regular file", Want: "a Parquet file", Err: fs.ErrInvalid}
	default:
		p, err = openParquetFile(path, f, info.Size())
	}
	if err != nil {
		f.Close()
	}
	return p, f.Close, err
}

// orOneFile is the hint for a folder that holds several tables.
const orOneFile = " (or name one file of the folder, such as tasks.parquet)"

// join checks that the columns of another part are those of the first: the same names, with values
// of the same kind. A column of nulls alone matches any kind.
func (t *parquetTable) join(p *parquetFile, columns []workload.FileColumn) error {
	first := t.parts[0].name
	named := func(columns []workload.FileColumn, name string) *workload.FileColumn {
		if at := slices.IndexFunc(columns, func(c workload.FileColumn) bool { return c.Name == name }); at >= 0 {
			return &columns[at]
		}
		return nil
	}
	for i := range t.Columns {
		a := &t.Columns[i]
		b, saw := named(columns, a.Name), "no such column"
		if b != nil {
			saw = kindOf(b)
		}
		if b == nil || !b.Empty && !a.Empty && (a.Nested != b.Nested || a.Kind != b.Kind) {
			return p.fault(a.Name, saw, fmt.Sprintf("%s, as %s has"+orOneFile, kindOf(a), first), nil)
		}
		if a.Empty {
			*a = *b
		}
	}
	for _, b := range columns {
		if named(t.Columns, b.Name) == nil {
			return p.fault(b.Name, kindOf(&b), fmt.Sprintf("no such column, as in %s"+orOneFile, first), nil)
		}
	}
	return nil
}

// kindOf describes a column, for a message.
func kindOf(c *workload.FileColumn) string {
	if c.Nested {
		return c.Type
	}
	return c.Kind.String()
}
