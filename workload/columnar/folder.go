package columnar

import (
	"cmp"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// partition is a column that the path of a part file gives: the folder site=kth.
type partition struct {
	name, value string
	null        bool
}

// partFile is a file of a folder, with the partitions on the way to it.
type partFile struct {
	path       string
	partitions []partition
}

// maxPartitions bounds how deep folders of partitions may be nested.
const maxPartitions = 16

// PartFiles returns the paths of the Parquet files in a folder, sorted by name with numbers
// compared as numbers: part.2 before part.10. Subfolders are ignored. It returns none and
// no error if the folder does not exist.
func PartFiles(dir string) ([]string, error) {
	parts, err := partFiles(dir, nil, 0)
	files := make([]string, len(parts))
	for i, p := range parts {
		files[i] = p.path
	}
	return files, err
}

// partFiles lists the Parquet files of a folder and, up to a depth, those of its
// folders of partitions.
func partFiles(dir string, above []partition, depth int) ([]partFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compareNumbered(a.Name(), b.Name()) })
	var files []partFile
	for _, e := range entries {
		// Spark writes marker and checksum files such as _SUCCESS and .part-0.parquet.crc.
		name, path := e.Name(), filepath.Join(dir, e.Name())
		if name[0] == '.' || name[0] == '_' {
			continue
		}
		if !e.IsDir() {
			if filepath.Ext(name) == ".parquet" {
				files = append(files, partFile{path, above})
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
	if !ok || name == "" {
		return p, false
	}
	p.null = value == "__HIVE_DEFAULT_PARTITION__"
	for to, text := range map[*string]string{&p.name: name, &p.value: value} {
		*to = text
		if plain, err := url.PathUnescape(text); err == nil {
			*to = plain
		}
	}
	return p, true
}

// warnPartitions counts the columns of a file that its path gives too.
func (p *parquetReader) warnPartitions(partitions []partition, w *workload.Warnings) {
	for _, f := range partitions {
		for _, name := range p.columnNames() {
			if strings.EqualFold(name, f.name) {
				w.Add("partition-column", "columns of the files that the names of their folders also give: those of the folders are used", 0, workload.Shorten([]byte(name)))
			}
		}
	}
}

// compareNumbered compares names with the numbers in them as numbers.
func compareNumbered(a, b string) int {
	whole := cmp.Compare(a, b)
	digits := func(s string) int {
		return len(s) - len(strings.TrimLeft(s, "0123456789"))
	}
	for a != "" && b != "" {
		n, m := digits(a), digits(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// openPart opens a file of a folder.
func openPart(path string, o workload.Options) (p *parquetReader, done func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, parse.InputFault(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &workload.InputError{File: path, Saw: "not a regular file", Want: "a Parquet file", Err: fs.ErrInvalid}
	}
	p, err = newParquetReader(path, f, info.Size(), o)
	return p, f.Close, err
}
