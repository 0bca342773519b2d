package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// generatedBelow precedes the part of a reference page that -update writes.
const generatedBelow = "<!-- From here on written by: go test ./cmd/internal/cli -run Frozen -update -->\n"

// frozenPage compares the generated part of a page in docs/reference.
func frozenPage(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join(reference, name)
	head, _, ok := strings.Cut(mustRead(path), generatedBelow)
	if !ok {
		t.Fatalf("%s has no line %q", path, generatedBelow)
	}
	frozenFile(t, path, head+generatedBelow+"\n"+want)
}

// reference is the directory of the reference pages.
var reference = filepath.Join("..", "..", "..", "docs", "reference")

// frozenFile compares the content of a file.
func frozenFile(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		jobtest.NoError(t, os.WriteFile(path, []byte(want), 0o666))
	} else if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is out of date: go test ./cmd/internal/cli -run Frozen -update writes\n%s", path, cmp.Diff(lines(string(got)), lines(want)))
	}
}

// onceInPage are flags of many commands, which the page describes once, and the examples, which are
// in the guides; noFlags is a heading without remaining flags.
var (
	onceInPage = regexp.MustCompile(`(?m)^ {2,6}(?:-o, )?--(?:output|format|plots|plot-format|class|exec-timeout|baseline|max-drop|allow-missing|wait-from|seed|procs) .*\n(?: {16,}.*\n)*|^Examples:\n(?:  .*\n)*\n`)
	noFlags    = regexp.MustCompile(`(?m)^(?:Flags|Machine|Output|Results|The result):\n(?:\n|\z)`)
)

// TestFrozenCommandsPage checks that the manual's page of commands has the first paragraph of each
// command's help, and its flags.
func TestFrozenCommandsPage(t *testing.T) {
	var b strings.Builder
	for _, cmd := range (&app{}).root().Commands() {
		if cmd.Hidden || !cmd.Runnable() || cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		help := loadstone(t, "", cmd.Name(), "--help-all").out
		help, _, _ = strings.Cut(help, "\nFlags of every command:")
		help = noFlags.ReplaceAllString(onceInPage.ReplaceAllString(help, ""), "")
		about, usage, _ := strings.Cut(help, "\nUsage:")
		about, _, _ = strings.Cut(about, "\n\n")
		help = strings.TrimSpace(about) + "\n\nUsage:" + usage
		fmt.Fprintf(&b, "## %s\n\n```text\n%s\n```\n\n", cmd.Name(), strings.TrimSpace(help))
	}
	frozenPage(t, "commands.md", strings.TrimSuffix(b.String(), "\n"))
}
