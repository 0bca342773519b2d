package layers

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of warnings into the manual")

// readers are the packages whose warnings the manual lists: those that read logs.
var readers = []string{".", "internal/parse", "swf", "gwf", "slurm", "delimited", "columnar", "mapping", "batsim", "logfile"}

// The manual lists the warnings of the readers: the rules and texts that the code has.
func TestWarningsAreListed(t *testing.T) {
	rules := map[string]map[string]bool{}
	for _, folder := range readers {
		files, err := filepath.Glob(filepath.Join(root, "workload", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				readRules(t, file, rules)
			}
		}
	}
	table := "| rule | what |\n|---|---|\n"
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		table += "| `" + rule + "` | " + strings.Join(slices.Sorted(maps.Keys(rules[rule])), "<br>") + " |\n"
	}
	const begin, end = "<!-- warnings, by go test ./internal/layers -run Warnings -update -->\n", "<!-- end of warnings -->\n"
	name := filepath.Join(root, "docs", "reference", "formats.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Fatalf("%s: no place for the table of warnings", name)
	case old == table:
	case *update:
		if err := os.WriteFile(name, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: the table of warnings is not that of the code: run go test ./internal/layers -run Warnings -update", name)
	}
}

var (
	ruleName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*(-…)?$`)
	verb     = regexp.MustCompile(`%[.0-9]*[a-z]`)
)

// readRules takes the warnings of a file: calls with a rule and its text in a row, results
// with both, and literals with Rule and Text or of a rule's own type. A text that is not
// in the same place is empty.
func readRules(t *testing.T, file string, rules map[string]map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(rule, text ast.Expr) {
		name, what := constant(rule), constant(text)
		if !ruleName.MatchString(name) || !strings.Contains(what, " ") {
			return
		}
		if rules[name] == nil {
			rules[name] = map[string]bool{}
		}
		rules[name][strings.ReplaceAll(what, "|", "\\|")] = true
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Add", "warn", "odd"}, f.Sel.Name) {
				break
			}
			for i := range min(2, len(n.Args)-1) {
				add(n.Args[i], n.Args[i+1])
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 2 {
				add(n.Results[0], n.Results[1])
			}
		case *ast.CompositeLit:
			if isNamed(n.Type, "OptionError") {
				break
			}
			var rule, text ast.Expr
			for i, e := range n.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				switch {
				case !ok && i == 0:
					rule = e
				case !ok && i == 1:
					text = e
				case ok && isNamed(kv.Key, "Rule"):
					rule = kv.Value
				case ok && isNamed(kv.Key, "Text"):
					text = kv.Value
				}
			}
			if rule != nil && text != nil {
				add(rule, text)
			}
		}
		return true
	})
}

func isNamed(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

// constant returns a text, with … for what is put into it.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return s
		}
	case *ast.BinaryExpr:
		return constant(e.X) + constant(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return strings.ReplaceAll(verb.ReplaceAllString(constant(e.Args[0]), "…"), "%%", "%")
		}
	}
	return "…"
}
