// Package longtest contains helpers for the tests of all packages. It selects the size of a test,
// which is small by default and full with go test -tags long, finds the folder of the repository,
// splits commands into words, and reads files of expected values and tables of cases.
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

// began is the folder of the package under test. It is saved because a test may change the
// working directory.
var began, errBegan = os.Getwd()

// Root returns the repository's folder, the closest folder with a go.mod at or above the package
// under test.
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

// Size returns ordinary, or whole with -tags long.
func Size(ordinary, whole int) int {
	if enabled {
		return whole
	}
	return ordinary
}

// ReadJSON reads a JSON file of expected values. It ends the test if the file cannot be read or
// has no values.
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

// Rows returns the cells of each line of a table of test cases, which are separated by bars.
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

// Only skips the test unless it is run with -tags long.
func Only(t testing.TB) {
	t.Helper()
	if !enabled {
		t.Skip("run with -tags long")
	}
}

// ShellWords splits a command into words. Like a shell, it does not split text in single quotes;
// it supports no other quoting.
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
