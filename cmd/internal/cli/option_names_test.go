package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
)

// optionsOf names, for each package of the module with options, the commands that
// pass its errors on to a user, who is to read names of flags.
var optionsOf = map[string][]string{
	"cmd/internal/report":  {"report"},
	"cmd/internal/serve":   {"serve"},
	"evaluate":             {"runtime", "predict", "simulate", "compare"},
	"evaluate/predictions": {"score"},
	"fit":                  {"fit", "lifetimes"},
	"fit/lifetimes":        {"lifetimes"},
	"fit/population":       {"fit"},
	"fit/site":             {"fit"},
	"fit/survey":           {"fit"},
	"generate":             {"generate"},
	"generate/population":  {"generate"},
	"internal/extent":      {"generate"},
	"live":                 {"serve"},
	"live/forecast":        {"wait"},
	"live/plan":            {"serve"},
	"predict":              {"predict", "wait"},
	"runtime":              {"runtime"},
	"runtime/outside":      {"runtime"},
	"sched":                {"simulate"},
	"study/allocate":       {"allocate"},
	"study/grid":           {"grid"},
	"workload":             {"describe", "predict", "fit"},
	"workload/batsim":      {"convert"},
	"workload/inspect":     {"describe", "validate"},
	"workload/resample":    {"generate"},
	"workload/mapping":     {"convert"},
	"workload/reshape":     {"sample", "scale", "split"},
	"workload/sessions":    {"convert"},
}

// ofCallers are options that no flag sets: a user cannot meet an error of theirs.
var ofCallers = map[string]string{
	"evaluate.bootstraps":            "the command uses the default",
	"evaluate.bounds":                "a caller's own",
	"evaluate.measures":              "a caller's own",
	"evaluate.own":                   "a caller's own",
	"workload/inspect.description":   "the command always has one",
	"workload/inspect.top":           "the command uses the default",
	"fit.families":                   "a caller's own",
	"runtime.rules":                  "a caller's own",
	"fit.resolution":                 "the command uses the default",
	"fit.stages":                     "the command has them chosen",
	"fit.transform":                  "the family has its own",
	"fit.trim":                       "the command uses the default",
	"live/forecast.quantiles":        "the command uses the default",
	"live/forecast.state":            "the command always reads one",
	"generate.by":                    "the command's version",
	"generate.exact":                 "for tests of fits",
	"generate.workers":               "the command uses all cores",
	"cmd/internal/serve.connections": "the command uses the default",
	"cmd/internal/serve.grace":       "the command uses the default",
	"cmd/internal/serve.size":        ofRequests,
	"cmd/internal/serve.state":       ofRequests,
	"live.memory":                    ofRequests,
	"live.run-times":                 ofRequests,
	"live.spread":                    ofRequests,
	"live.quantiles":                 "the command uses the default",
	"live.size":                      ofRequests,
	"live.state":                     ofRequests,
	"live.time":                      ofRequests,
	"live.user":                      ofRequests,
	"live/plan.limits":               ofRequests,
	"live/plan.machines":             "the service makes them",
	"live/plan.partition":            ofRequests,
	"live/plan.policy":               "the command uses the default",
	"live/plan.quantiles":            "the command uses the default",
	"live/plan.run-times":            ofRequests,
	"live/plan.size":                 ofRequests,
	"live/plan.sizes":                ofRequests,
	"workload/reshape.times":         "--load 1.2x",
	"study/allocate.day":             "a field of a job",
	"workload/sessions.history":      "the command uses the default",
}

const ofRequests = "a parameter of HTTP requests"

// TestOptionsHaveFlags reads the source of the packages with options for their
// errors, and looks for a flag of each name, and of each name in backquotes in
// their texts.
func TestOptionsHaveFlags(t *testing.T) {
	commandOf := map[string]*cobra.Command{}
	a := &app{}
	for _, cmd := range a.root().Commands() {
		commandOf[cmd.Name()] = cmd
	}
	met := map[string]bool{}
	for dir, found := range optionNames(t, filepath.Join("..", "..", "..")) {
		commands, ok := optionsOf[dir]
		if !ok {
			t.Errorf("package %s has errors of options %v: which commands pass them on?", dir, found)
		}
		for _, option := range found {
			if _, ok := ofCallers[dir+"."+option]; ok {
				met[dir+"."+option] = true
				continue
			}
			if !slices.ContainsFunc(commands, func(name string) bool { return commandOf[name].Flag(flags.OfOption(option)) != nil }) {
				t.Errorf("package %s, option %s: there is no --%s in %v", dir, option, flags.OfOption(option), commands)
			}
		}
	}
	for name := range ofCallers {
		if !met[name] {
			t.Errorf("%s is no option any more", name)
		}
	}
}

// optionNames returns the names of options of which each package makes errors.
func optionNames(t *testing.T, root string) map[string][]string {
	t.Helper()
	all, makes := map[string][]string{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		names := map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && (calledName(e) == "OptionError" || calledName(e) == "OptionFault") {
				makes[filepath.ToSlash(dir)] = true
			}
			for _, name := range optionNamesIn(n) {
				names[name] = true
			}
			return true
		})
		dir = filepath.ToSlash(dir)
		all[dir] = append(all[dir], slices.Sorted(maps.Keys(names))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, names := range all {
		slices.Sort(names)
		if all[dir] = slices.Compact(names); len(names) == 0 || !makes[dir] || dir == "cmd/internal/cli" {
			delete(all, dir)
		}
	}
	return all
}

// optionArgument says which argument is an option's name in calls, with so many
// arguments at least, that make its error.
var optionArgument = map[string]struct{ position, of int }{
	"OptionFault": {0, 3}, "fault": {0, 3}, "fail": {0, 3}, "optionError": {0, 3}, "oneOf": {0, 3}, "CheckScored": {0, 4}, "OptionNamed": {0, 2}, "check": {1, 4},
}

// optionNamesIn returns the names of options in an error that a node makes, if it
// makes one: the option's own, and those in backquotes.
func optionNamesIn(n ast.Node) (names []string) {
	var made []ast.Expr // the expressions of the error
	switch n := n.(type) {
	case *ast.CallExpr:
		at, ok := optionArgument[calledName(n.Fun)]
		if !ok || len(n.Args) < at.of {
			return nil
		}
		if option := literal(n.Args[at.position]); option != "" {
			names = append(names, option)
		}
		made = n.Args
	case *ast.CompositeLit:
		if calledName(n.Type) != "OptionError" || len(n.Elts) == 0 {
			return nil
		}
		first := n.Elts[0]
		if pair, ok := first.(*ast.KeyValueExpr); ok {
			first = pair.Value
		}
		if option := literal(first); option != "" {
			names = append(names, option)
		}
		made = n.Elts
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !optionForm.MatchString(name) })
	for _, e := range made {
		ast.Inspect(e, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				for _, m := range optionInText.FindAllStringSubmatch(literal(e), -1) {
					names = append(names, m[1])
				}
			}
			return true
		})
	}
	return names
}

// optionForm tells names of options from other words.
var optionForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// optionInText finds options in the texts of errors.
var optionInText = regexp.MustCompile("`([a-z-]+)`")

// calledName is the last part of the name of a function or a type.
func calledName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			return text
		}
	}
	return ""
}
