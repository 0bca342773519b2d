package cli

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// optionsOf lists, for each package of the module with options, the commands that pass its errors
// on to users, who must see the names of flags in them.
const optionsOf = `
cmd/internal/report: report
cmd/internal/serve: serve
evaluate: runtime predict simulate compare
evaluate/predictions: score
fit: fit lifetimes
fit/lifetimes: lifetimes
fit/population: fit
fit/site: fit
generate: generate
generate/population: generate
internal/extent: generate
live: serve wait
predict: predict wait
predict/standing: predict wait serve
runtime: runtime
runtime/outside: runtime
sched: simulate
study/allocate: allocate
study/capacity: capacity
study/grid: grid
workload: describe predict fit
workload/batsim: convert
workload/inspect: describe validate
workload/resample: generate
workload/mapping: convert
workload/reshape: sample scale split
workload/sessions: convert
`

// ofCallers are options that no flag sets, so that users never see errors about them.
const ofCallers = `
evaluate.bounds: a caller's own
fit.families: a caller's own
study/grid.clusters: a key of a grid's file
fit.resolution: the command uses the default
fit.stages: the command has them chosen
fit.trim: the command uses the default
live.state: the command always reads one
live.quantiles: the command uses the default
live.size: a parameter of HTTP requests
live.time: a parameter of HTTP requests
sched.pools: a key of the file of --machine
internal/opt.nothing: a fault of a tag
`

// table parses lines, each with a name and the text that belongs to it.
func table(text string) map[string]string {
	all := map[string]string{}
	for _, line := range lines(strings.TrimSpace(text)) {
		name, rest, _ := strings.Cut(line, ": ")
		all[name] = rest
	}
	return all
}

// optionFault matches the option in a call or literal that creates its error, and optionInText the
// options in backquotes in a text.
var (
	optionFault  = regexp.MustCompile(`\b(?:(?:OptionFault|OptionNamed|fault|fail|optionError|oneOf|CheckScored)\(|check\(\w[^,"]*, |OptionError\{(?:\w+: )?)"([a-z-]+)",`)
	optionInText = regexp.MustCompile("`([a-z-]+)`")
)

// TestOptionsHaveFlags searches the source of the packages with options for their errors, and
// checks that there is a flag for each name, including each name in backquotes in their texts.
func TestOptionsHaveFlags(t *testing.T) {
	commands, without, command := table(optionsOf), table(ofCallers), (&app{}).root()
	met := map[string]bool{}
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || strings.HasSuffix(path, "cmd/internal/cli") {
			return err
		}
		dir, err := filepath.Rel(root, path)
		if slices.Contains([]string{"study/sweep", "model", "model/population", "workload/mapping"}, filepath.ToSlash(dir)) { // their options are the keys of a file
			return err
		}
		text := sourceOf(t, path)
		if !strings.Contains(text, "OptionFault(") && !strings.Contains(text, "OptionError{") {
			return err
		}
		for _, line := range lines(text) {
			found := optionFault.FindAllStringSubmatch(line, -1)
			if found == nil {
				continue
			}
			for _, match := range append(found, optionInText.FindAllStringSubmatch(line, -1)...) {
				option := match[1]
				met[dir+"."+option] = true
				hasFlag := slices.ContainsFunc(strings.Fields(commands[dir]), func(name string) bool {
					cmd, _, err := command.Find([]string{name})
					return err == nil && cmd.Flag(flags.OfOption(option)) != nil
				})
				if !hasFlag && without[dir+"."+option] == "" {
					t.Errorf("package %s, option %s: there is no --%s in %q", dir, option, flags.OfOption(option), commands[dir])
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range without {
		if !met[name] {
			t.Errorf("%s is no option any more", name)
		}
	}
}

// sourceOf returns the code in a directory, without its tests.
func sourceOf(t *testing.T, dir string) string {
	paths := jobtest.Must(filepath.Glob(filepath.Join(dir, "*.go")))
	text := ""
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			text += mustRead(path)
		}
	}
	return text
}

// Twins support or refuse each option of models.
func TestOptionsOfTwins(t *testing.T) {
	values := map[string]string{"method": "stationary", "estimates": "exact", "max-estimate": "3600"}
	refused := 0
	for f := range reflect.TypeFor[generate.Options]().Fields() {
		name := f.Tag.Get("opt")
		if _, ok := reflect.TypeFor[resample.Options]().FieldByName(f.Name); ok || name == "" {
			continue
		}
		refused++
		got := loadstone(t, "", "generate", "--like", "absent.swf", "--"+name, cmp.Or(values[name], "1"))
		if got.code != exitUsage || !strings.Contains(got.err, "--"+name) {
			t.Errorf("--%s: exit code %d: %s", name, got.code, got.err)
		}
	}
	if refused != len(values) {
		t.Errorf("%d options are refused, want %d", refused, len(values))
	}
}
