package logfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestRefused reads texts that are not logs, and checks that texts of batch systems are recognised
// whatever the file's name. Each of the lines that follow a text occurs in its error.
func TestRefused(t *testing.T) {
	archive := jobtest.Must(txtar.ParseFile("testdata/refused.txt"))
	for i := 0; i < len(archive.Files); i += 2 {
		text, want := archive.Files[i], archive.Files[i+1]
		names := []string{text.Name, "x.csv"}
		if text.Name == "note.txt" { // its name has no known extension
			names = names[:1]
		}
		for _, name := range names {
			_, err := read(logfile.OpenReader(name, strings.NewReader(string(text.Data)), workload.Options{}))
			for line := range strings.Lines(string(want.Data)) {
				part := strings.TrimSpace(line)
				var e *workload.InputError
				if !errors.As(err, &e) || !strings.Contains(err.Error(), part) {
					t.Errorf("%s %q: error %v, want %s", text.Name, text.Data, err, part)
				}
			}
		}
	}
}
