package columnar

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// PartFiles lists the Parquet files of a folder in the order of their names, in
// which part.2 stands before part.10; none where there is no folder.
func PartFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	var files []string
	for _, e := range entries {
		// Spark writes its own notes as _SUCCESS and .part-0.parquet.crc.
		if name := e.Name(); filepath.Ext(name) == ".parquet" && name[0] != '.' && name[0] != '_' && !e.IsDir() {
			files = append(files, filepath.Join(dir, name))
		}
	}
	slices.SortFunc(files, compareNumbered)
	return files, nil
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
		return nil, nil, &workload.InputError{File: path, Saw: "no regular file", Want: "a Parquet file", Err: fs.ErrInvalid}
	}
	p, err = newParquetReader(path, f, info.Size(), o)
	return p, f.Close, err
}
