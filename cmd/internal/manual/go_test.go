package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// TestManualGo runs the program of the library guide in this module, and compares its output.
func TestManualGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	page := filepath.Join("..", "..", "..", "docs", "guides", "go.md")
	text := mustRead(page)
	_, rest, _ := strings.Cut(text, "```go\n")
	code, rest, ok := strings.Cut(rest, "```\n")
	before, rest, _ := strings.Cut(rest, "```text\n")
	want, _, found := strings.Cut(rest, "```\n")
	if !ok || !found {
		t.Fatalf("%s has no program with its output", page)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "main.go")
	jobtest.NoError(t, os.WriteFile(program, []byte(code), 0o666))
	binary := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(binary)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if *update {
		text = strings.Replace(text, before+"```text\n"+want, before+"```text\n"+string(out), 1)
		jobtest.NoError(t, os.WriteFile(page, []byte(text), 0o666))
	} else if string(out) != want {
		t.Errorf("%s: got\n%swant\n%s", page, out, want)
	}
}
