// Package longtest has what tests of all packages share: their size, a small form for every run
// and a whole form for go test -tags long, the folder of the repository, the words of a command, and
// files of expected values and tables of cases.
package longtest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// began is the folder of the package that is tested: a test may change to another one.
var began, errBegan = os.Getwd()

// Root returns the repository's folder, the one of go.mod above the package that is tested.
func Root() (string, error) {
	dir, err := began, errBegan
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Size returns how much a test does: ordinary, or with -tags long the whole.
func Size(ordinary, whole int) int {
	if enabled {
		return whole
	}
	return ordinary
}

// ReadJSON reads a file of expected values, of which there are to be some.
func ReadJSON[T any](t testing.TB, path string) (values T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &values)
	}
	if err != nil || reflect.ValueOf(values).IsZero() {
		t.Fatal(path, err)
	}
	return values
}

// Rows are the cells of a table of test cases, which have bars between them.
func Rows(table string) (rows [][]string) {
	for line := range strings.Lines(strings.TrimSpace(table)) {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// Only skips a test that is run with -tags long alone.
func Only(t testing.TB) {
	t.Helper()
	if !enabled {
		t.Skip("run with -tags long")
	}
}

// ShellWords splits a command as a shell does, as far as single quotes go.
func ShellWords(command string) []string {
	var args []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}
