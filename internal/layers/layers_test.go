package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

const root = "../.."

// arrow lists the packages that may import Arrow.
var arrow = []string{"workload", "workload/columnar", "workload/internal/parse", "workload/internal/logtest"}

// module is the module path, a prefix of all its packages' import paths.
const module = "github.com/loadstone-hpc/loadstone"

// plan returns the layer of each package, from the table in docs/architecture.md. A row covers the
// packages below its paths that have no row themselves.
var plan = sync.OnceValue(func() map[string]int {
	plan := map[string]int{}
	for line := range strings.Lines(read("docs/architecture.md")) {
		cells := strings.Split(line, "|")
		layer, err := strconv.Atoi(strings.TrimSpace(cells[min(1, len(cells)-1)]))
		if err != nil || len(cells) != 5 {
			continue
		}
		for _, name := range strings.Split(strings.ReplaceAll(cells[3], ";", ","), ",") {
			plan[strings.TrimSpace(name)] = layer
		}
	}
	return plan
})

// row returns the directory whose row covers a package: its own, or the nearest parent.
func row(dir string) (string, bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := plan()[dir]; ok {
			return dir, true
		}
	}
	return "", false
}

// faults checks one file against the plan.
func faults(name string) []string {
	file := parse(token.NewFileSet(), name, parser.SkipObjectResolution)
	at, ok := row(path.Dir(name))
	if !ok {
		return []string{name + " has no row in the plan"}
	}
	var out []string
	fault := func(what string) { out = append(out, name+": "+what) }
	command := at == "cmd" || strings.HasPrefix(at, "cmd/")
	test := strings.HasSuffix(name, "_test.go")
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if inner, ok := strings.CutPrefix(p, module+"/"); ok && !test {
			if to, ok := row(inner); !ok || to != at && plan()[to] >= plan()[at] {
				fault(at + " may not import " + inner)
			}
		}
		switch {
		case test:
		case strings.HasPrefix(p, "github.com/apache/arrow/") && !slices.Contains(arrow, at):
			fault("only the job table and its columnar formats may import Arrow, saw " + p)
		case strings.HasSuffix(p, "/parquet/pqarrow") && at != "workload/internal/logtest":
			fault("pqarrow links Arrow's compute kernels and gRPC: 20 MB of the command")
		case p == "runtime" && at != "internal/par" && at != "workload/internal/logtest":
			fault("Go's runtime is imported in internal/par only")
		case !command && (p == "flag" || p == "log" || p == "log/slog" || p == "os/signal" || strings.HasPrefix(p, "github.com/spf13/")):
			fault("only cmd may import " + p)
		}
	}
	if command || test {
		return out
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := s.X.(*ast.Ident)
		if ok && (pkg.Name == "fmt" && strings.HasPrefix(s.Sel.Name, "Print") ||
			pkg.Name == "os" && slices.Contains([]string{"Exit", "Stdout", "Stderr"}, s.Sel.Name)) {
			fault("only cmd may use " + pkg.Name + "." + s.Sel.Name)
		}
		return true
	})
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			fault("no init functions in libraries")
		}
	}
	return out
}

// eachFile visits the files of the module, by path relative to the root, except those in
// directories with the given names.
func eachFile(t *testing.T, visit func(file string), without ...string) {
	t.Helper()
	jobtest.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || strings.HasPrefix(d.Name(), "_") || slices.Contains(without, d.Name())):
			return fs.SkipDir
		case !d.IsDir():
			visit(filepath.ToSlash(jobtest.Must(filepath.Rel(root, name))))
		}
		return nil
	}))
}

// read returns the content of a file.
func read(file string) string {
	return string(jobtest.Must(os.ReadFile(filepath.Join(root, file))))
}

// parse returns the syntax tree of a file.
func parse(files *token.FileSet, file string, mode parser.Mode) *ast.File {
	return jobtest.Must(parser.ParseFile(files, filepath.Join(root, file), nil, mode))
}

func TestEveryImportKeepsToThePlan(t *testing.T) {
	files := 0
	found := map[string]bool{}
	eachFile(t, func(file string) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		files++
		covers, _ := row(path.Dir(file))
		found[covers] = true
		for _, f := range faults(file) {
			t.Error(f)
		}
	}, "testdata", "notebooks", "examples")
	if files < 10 {
		t.Fatalf("only %d files found: is the root right?", files)
	}
	for name := range plan() {
		if !found[name] {
			t.Errorf("the plan has %s, which no package is", name)
		}
	}
}
