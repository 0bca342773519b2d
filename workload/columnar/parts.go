package columnar

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// partition is a column that the path of a part file gives: the folder site=kth.
type partition struct {
	name, value string
	null        bool
}

// part is a file of a table, with the partitions on the way to it. It is opened
// for its columns and counts, and each time that the table is read.
type part struct {
	name       string
	open       func() (*parquetFile, func() error, error)
	partitions []partition
}

// maxPartitions bounds how deep folders of partitions may be nested.
const maxPartitions = 16

// OpenSourceFolder opens the Parquet files in a folder as the parts of one table, in the
// order of PartFiles. A subfolder of a Hive partition, such as site=kth, adds a column (site)
// with that value (kth) to the files below it. The source is nil if there are no Parquet
// files. The error is a *workload.InputError, for example where columns differ between
// parts.
func OpenSourceFolder(name, path string, o workload.Options) (*Source, error) {
	parts, err := partFiles(path, nil, maxPartitions)
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return openSource(name, parts, o)
}

// OpenSourceFiles opens Parquet files as the parts of one table, in the given order. The
// error is a *workload.InputError, for example where columns differ between parts.
func OpenSourceFiles(name string, files []string, o workload.Options) (*Source, error) {
	parts := make([]part, len(files))
	for i, path := range files {
		parts[i] = partAt(path, nil)
	}
	return openSource(name, parts, o)
}

func partAt(path string, partitions []partition) part {
	open := func() (*parquetFile, func() error, error) { return openPart(path) }
	return part{path, open, partitions}
}

// PartFiles returns the paths of the Parquet files in a folder, sorted by name with numbers
// compared as numbers: part.2 before part.10. Subfolders are ignored. It returns none and
// no error if the folder does not exist.
func PartFiles(dir string) ([]string, error) {
	parts, err := partFiles(dir, nil, 0)
	files := make([]string, len(parts))
	for i, p := range parts {
		files[i] = p.name
	}
	return files, err
}

// partFiles lists the Parquet files of a folder and, up to a depth, those of its
// folders of partitions.
func partFiles(dir string, above []partition, depth int) ([]part, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Or(cmp.Compare(numbered(a.Name()), numbered(b.Name())), cmp.Compare(a.Name(), b.Name()))
	})
	var files []part
	for _, e := range entries {
		// Spark writes marker and checksum files such as _SUCCESS and .part-0.parquet.crc.
		name, path := e.Name(), filepath.Join(dir, e.Name())
		if name[0] == '.' || name[0] == '_' {
			continue
		}
		if !e.IsDir() {
			if filepath.Ext(name) == ".parquet" {
				files = append(files, partAt(path, above))
			}
			continue
		}
		if p, ok := partitionOf(name); ok && depth > 0 {
			below, err := partFiles(path, append(slices.Clip(above), p), depth-1)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		}
	}
	return files, nil
}

// partitionOf reads the name of a folder, as Hive and Spark write it.
func partitionOf(folder string) (p partition, ok bool) {
	name, value, ok := strings.Cut(folder, "=")
	if name == "" || !ok {
		return p, false
	}
	unescape := func(text string) string {
		if plain, err := url.PathUnescape(text); err == nil {
			return plain
		}
		return text
	}
	return partition{unescape(name), unescape(value), value == "__HIVE_DEFAULT_PARTITION__"}, true
}

// numbered is a name by which files sort with the numbers in them as numbers.
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

// withPartitions are the names of a file's columns, without those that its path
// gives, and the names of these.
func withPartitions(names []string, partitions []partition) []string {
	for i, name := range names {
		if isPartition(partitions, name) {
			names[i] = ""
		}
	}
	for _, p := range partitions {
		names = append(names, p.name)
	}
	return names
}

// isPartition reports whether one of the partitions gives a column.
func isPartition(partitions []partition, column string) bool {
	return slices.ContainsFunc(partitions, func(p partition) bool { return strings.EqualFold(p.name, column) })
}

// addPartitions adds the columns that the paths of the parts give: whole numbers
// where all are, else texts.
func (s *Source) addPartitions() {
	for i, first := range s.parts[0].partitions {
		c := sourceColumn{FileColumn: workload.FileColumn{Name: first.name, Kind: workload.TableWhole}, values: s.rows}
		for _, part := range s.parts {
			p := part.partitions[i]
			if _, err := strconv.ParseInt(p.value, 10, 64); err != nil && !p.null {
				c.Kind = workload.TableText
			}
		}
		s.columns = append(s.columns, c)
	}
}

// fill makes n rows of the partition's value.
func (p *partition) fill(to *workload.TableValues, kind workload.TableKind, n int) {
	whole, number, text := workload.Unknown, math.NaN(), p.value
	if p.null {
		text = ""
	} else if n, err := strconv.ParseInt(p.value, 10, 64); err == nil {
		whole, number = n, float64(n)
	}
	switch kind {
	case workload.TableWhole:
		to.Whole = slices.Repeat([]int64{whole}, n)
	case workload.TableText:
		to.Piece, to.Spans = text, slices.Repeat([]workload.Span{{To: uint32(len(text))}}, n)
	default:
		to.Number = slices.Repeat([]float64{number}, n)
	}
}

// join adds the counts of another part, whose columns must be those of the first: the same
// names, with values of the same kind. A column of nulls alone matches any kind.
func (s *Source) join(p *parquetFile, partitions []partition, columns []sourceColumn) error {
	first := s.parts[0]
	if saw, want := partitionNames(partitions), partitionNames(first.partitions); saw != want {
		return p.fault("partitions", saw, fmt.Sprintf("%s, as %s has", want, first.name), nil)
	}
	named := func(columns []sourceColumn, name string) *sourceColumn {
		if at := slices.IndexFunc(columns, func(c sourceColumn) bool { return c.Name == name }); at >= 0 {
			return &columns[at]
		}
		return nil
	}
	for i := range s.columns {
		a := &s.columns[i]
		b, saw := named(columns, a.Name), "no such column"
		if b != nil {
			saw = b.what()
		}
		if b == nil || !b.null && !a.null && (a.Nested != b.Nested || a.Kind != b.Kind) {
			return p.fault(a.Name, saw, fmt.Sprintf("%s, as %s has", a.what(), first.name), nil)
		}
		if a.null {
			a.FileColumn, a.null = b.FileColumn, b.null
		}
		a.values += b.values
		a.blank = a.blank && b.blank
	}
	for _, b := range columns {
		if named(s.columns, b.Name) == nil {
			return p.fault(b.Name, b.what(), fmt.Sprintf("no such column, as in %s", first.name), nil)
		}
	}
	return nil
}

// what describes a column, for a message.
func (c *sourceColumn) what() string {
	if c.Nested {
		return c.Type
	}
	return c.Kind.String()
}

func partitionNames(partitions []partition) string {
	names := withPartitions(nil, partitions)
	if len(names) == 0 {
		return "none"
	}
	return parse.QuoteNames(names)
}
