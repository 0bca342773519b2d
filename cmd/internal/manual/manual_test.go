// Package manual tests the README and the pages in docs: the output of their commands, their
// programs, pictures and links.
package manual

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/loadstone-hpc/loadstone/cmd/internal/cli"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// update rewrites the outputs in the manual except those with a "..." line: go test
// ./cmd/internal/manual -update, then review the differences.
var update = flag.Bool("update", false, "rewrite the manual's outputs")

// TestMain puts the command loadstone on the PATH.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"loadstone": func() { os.Exit(cli.Main(os.Args[1:], cli.Standard())) }})
}

func mustRead(path string) string { return string(jobtest.Must(os.ReadFile(path))) }

// step is a command of the manual and the output printed below it.
type step struct {
	line    int
	command string
	want    []string
}

// steps finds the commands of a Markdown file: lines "$ loadstone ..." in ```console blocks. The
// lines up to the next command or the end of the block are its output, standard output and standard
// error together.
func steps(text string) []step {
	var all []step
	inside := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			all = append(all, step{line: i + 1, command: strings.TrimPrefix(line, "$ ")})
		case len(all) > 0:
			all[len(all)-1].want = append(all[len(all)-1].want, line)
		}
	}
	return all
}

// rewrite replaces the output below a command in a file. Files are rewritten from the end, so that
// the line numbers of earlier steps remain valid.
func (s step) rewrite(t *testing.T, file string, output []string) {
	t.Helper()
	all := strings.Split(mustRead(file), "\n")
	all = slices.Concat(all[:s.line], output, all[s.line+len(s.want):])
	jobtest.NoError(t, os.WriteFile(file, []byte(strings.Join(all, "\n")), 0o666))
}

// same compares output with the manual's; a line "..." there stands for any number of lines.
func same(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for skip := range len(got) + 1 {
			if same(got[skip:], want[1:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && strings.TrimRight(got[0], " ") == strings.TrimRight(want[0], " ") && same(got[1:], want[1:])
}

func lines(s string) []string {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// manualFiles returns the README and the pages in docs and its subdirectories.
func manualFiles(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	files := []string{filepath.Join(root, "README.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestManual runs every command of the README and the docs, in a separate directory for each file,
// and compares its output. Without -tags long it runs only the commands of the README.
func TestManual(t *testing.T) {
	root := jobtest.Must(filepath.Abs("../../.."))
	found := 0
	for _, file := range manualFiles(t) {
		file := jobtest.Must(filepath.Abs(file))
		text := mustRead(file)
		name := jobtest.Must(filepath.Rel(root, file))
		found += len(steps(text))
		t.Run(name, func(t *testing.T) {
			if name != "README.md" {
				longtest.Only(t)
			}
			t.Parallel()
			dir := t.TempDir()
			// The output of a Slurm 22.05, which the manual shows.
			jobtest.NoError(t, os.CopyFS(filepath.Join(dir, "slurm-22.05"), os.DirFS(filepath.Join(root, "workload", "slurm", "testdata", "slurm-22.05"))))
			jobtest.NoError(t, os.CopyFS(filepath.Join(dir, "sweep"), os.DirFS(filepath.Join(root, "examples", "sweep"))))
			var rewrites []func()
			var inBackground string
			for _, s := range steps(text) {
				args := longtest.ShellWords(s.command)
				var got []string
				switch {
				case args[0] == "loadstone" && args[len(args)-1] == "&":
					inBackground = s.background(t, dir)
				case args[0] == "loadstone":
					got = s.loadstone(t, dir, args[1:])
				case args[0] == "curl":
					got = s.curl(t, inBackground)
				default:
					t.Fatalf("line %d: %q: the manual runs loadstone and curl only", s.line, s.command)
				}
				if *update && !slices.Contains(s.want, "...") {
					rewrites = append(rewrites, func() { s.rewrite(t, file, got) })
					continue
				}
				if !same(got, s.want) {
					t.Errorf("line %d: $ %s\ngot\n%s\nwant\n%s", s.line, s.command, strings.Join(got, "\n"), strings.Join(s.want, "\n"))
				}
			}
			for _, rewrite := range slices.Backward(rewrites) {
				rewrite()
			}
		})
	}
	if found < 80 {
		t.Errorf("%d commands found in the manual: are its blocks marked console?", found)
	}
}

// loadstone runs a command in a directory, and returns its output.
func (s step) loadstone(t *testing.T, dir string, args []string) []string {
	t.Helper()
	var out bytes.Buffer
	p := exec.CommandContext(t.Context(), "loadstone", args...)
	p.Dir, p.Stdout, p.Stderr = dir, &out, &out
	if err := p.Run(); err != nil {
		t.Fatalf("line %d: $ %s\n%v\n%s", s.line, s.command, err, out.String())
	}
	return lines(out.String())
}
