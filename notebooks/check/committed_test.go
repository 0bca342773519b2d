package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The committed notebooks have been run from top to bottom, end in a picture, and
// tell of no machine and of no time of day.
func TestCommittedNotebooks(t *testing.T) {
	names, err := filepath.Glob("../*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 5 {
		t.Fatalf("saw %q, want five notebooks or more", names)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n, err := read(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults(b, n) {
				t.Error(f)
			}
		})
	}
}
