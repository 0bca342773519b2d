package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/serve"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/capacity"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// The names that pipelines rely on are in testdata/frozen, one per line. A name changes only
// together with its line there and, once released, a line in CHANGELOG.md. With -update the files
// are rewritten; review the differences.

// frozen compares lines with a file of testdata/frozen.
func frozen(t *testing.T, name string, got []string) {
	t.Helper()
	frozenFile(t, filepath.Join("testdata", "frozen", name), strings.Join(got, "\n")+"\n")
}

// TestFlagsAreFrozen pins the flags of every command: name, short form, type and default value.
func TestFlagsAreFrozen(t *testing.T) {
	var got []string
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			line := fmt.Sprintf("%s --%s", cmd.CommandPath(), f.Name)
			if f.Shorthand != "" {
				line += " -" + f.Shorthand
			}
			line += fmt.Sprintf(" %s %q", f.Value.Type(), f.DefValue)
			got = append(got, line)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	a := &app{}
	walk(a.root())
	slices.Sort(got)
	frozen(t, "flags.txt", got)
}

// results are all results in JSON.
var results = documents(view.Documents{
	allocate.ResultSchema:     reflect.TypeFor[allocate.Result](),
	capacity.ResultSchema:     reflect.TypeFor[capacity.Result](),
	board.Schema:              reflect.TypeFor[board.Board](),
	evaluate.RunTimesSchema:   reflect.TypeFor[evaluate.RunTimesResult](),
	evaluate.ScheduleSchema:   reflect.TypeFor[evaluate.ScheduleResult](),
	evaluate.WaitsSchema:      reflect.TypeFor[evaluate.WaitsResult](),
	grid.ResultSchema:         reflect.TypeFor[grid.Result](),
	inspect.DescriptionSchema: reflect.TypeFor[inspect.Description](),
	inspect.ValidationSchema:  reflect.TypeFor[inspect.Validation](),
	lifetimes.Schema:          reflect.TypeFor[lifetimes.Result](),
	model.CatalogSchema:       reflect.TypeFor[model.List](),
	reshape.FiltersSchema:     reflect.TypeFor[reshape.FilterList](),
	reshape.SplitSchema:       reflect.TypeFor[reshape.Splitting](),
	score.CompareSchema:       reflect.TypeFor[score.Compared](),
	site.ReportSchema:         reflect.TypeFor[site.Report](),
	site.AverageSchema:        reflect.TypeFor[site.AverageResult](),
	site.Schema:               reflect.TypeFor[site.Result](),
	site.SeveralSchema:        reflect.TypeFor[site.Several](),
	sweep.SummarySchema:       reflect.TypeFor[sweep.Summary](),
	workload.SchemaVersion:    jobsType(),
})

func documents(of view.Documents) view.Documents {
	maps.Copy(of, serve.Documents())
	return of
}

// jobsType returns the type of jobs in JSON, which are written column by column.
func jobsType() reflect.Type {
	var fields []reflect.StructField
	for i, c := range workload.Columns() {
		of := reflect.TypeFor[int64]()
		if c.Float() {
			of = reflect.TypeFor[float64]()
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Column%d", i), Type: of, Tag: reflect.StructTag(fmt.Sprintf(`json:"%s,omitempty"`, c.Name))})
	}
	return reflect.StructOf([]reflect.StructField{
		{Name: "Schema", Type: reflect.TypeFor[string](), Tag: `json:"schema"`},
		{Name: "Jobs", Type: reflect.SliceOf(reflect.StructOf(fields)), Tag: `json:"jobs"`},
	})
}

// resolve returns the definition to which a part of a schema refers, or the part itself if it is
// not a reference.
func resolve(s, part *view.JSONSchema) *view.JSONSchema {
	if part == nil {
		return nil
	}
	if len(part.AnyOf) > 0 { // a reference or null
		part = part.AnyOf[0]
	}
	return cmp.Or(s.Defs[strings.TrimPrefix(part.Ref, "#/$defs/")], part)
}

// eachObject calls visit for each object of a schema that has named fields, with its path: x[] is
// an element of a list, and x.* the value of a key that is data. An object that occurs several
// times is visited once, at the first of its paths.
func eachObject(s *view.JSONSchema, visit func(path string, object *view.JSONSchema)) {
	visited := map[*view.JSONSchema]bool{}
	var walk func(path string, part *view.JSONSchema)
	walk = func(path string, part *view.JSONSchema) {
		part = resolve(s, part)
		if part == nil || visited[part] {
			return
		}
		visited[part] = true
		walk(path+"[]", part.Items)
		walk(path+".*", part.Values)
		if part.Properties != nil {
			visit(path, part)
		}
		for _, name := range slices.Sorted(maps.Keys(part.Properties)) {
			walk(path+"."+name, part.Properties[name])
		}
	}
	walk("", s)
}

// TestFrozenFields pins the names of the fields of every result in JSON, and the schemas and the
// reference page that contain them.
func TestFrozenFields(t *testing.T) {
	var fields []string
	var page strings.Builder
	columns := lines(mustRead(filepath.Join("testdata", "frozen", "csv.txt")))
	for _, document := range slices.Sorted(maps.Keys(results)) {
		s := results.Schema(document)
		fmt.Fprintf(&page, "## %s\n\n[Schema](schema/%s)\n\n| object | fields |\n|---|---|\n", document, view.SchemaFile(document))
		paths := map[*view.JSONSchema]string{}
		eachObject(s, func(path string, object *view.JSONSchema) {
			for name := range object.Properties {
				fields = append(fields, document+" "+path+"."+name)
			}
			paths[object] = path
		})
		eachObject(s, func(path string, object *view.JSONSchema) {
			if isInterval(object) || path == ".warnings[]" {
				return // described with the field that it belongs to, or in the page's head
			}
			var names []string
			for _, name := range slices.Sorted(maps.Keys(object.Properties)) {
				of, own := resolve(s, object.Properties[name]), path+"."+name
				for ; of.Items != nil; own += "[]" {
					of = resolve(s, of.Items)
				}
				for ; of.Values != nil; own += ".*" {
					of = resolve(s, of.Values)
				}
				if at, ok := paths[of]; isInterval(of) {
					name += " ±"
				} else if ok && at != own {
					name += " (as `" + strings.TrimPrefix(at, ".") + "`)"
				}
				names = append(names, name)
			}
			name := "the document"
			if path != "" {
				name = "`" + strings.TrimPrefix(path, ".") + "`"
			}
			fmt.Fprintf(&page, "| %s | %s |\n", name, strings.Join(names, ", "))
		})
		for _, line := range columns {
			if names, ok := strings.CutPrefix(line, document+" "); ok {
				fmt.Fprintf(&page, "\nCSV: %s\n", columnsInPage(s, strings.Split(names, ",")))
			}
		}
		page.WriteString("\n")
		frozenFile(t, filepath.Join(reference, "schema", view.SchemaFile(document)), s.String())
	}
	frozenFile(t, filepath.Join(reference, "schema", "openapi.json"), string(serve.OpenAPI()))
	slices.Sort(fields)
	frozen(t, "json.txt", fields)
	frozenPage(t, "fields.md", strings.TrimSuffix(page.String(), "\n"))
}

// columnsInPage names the columns of a CSV: by the object of a result that has most of them as
// fields, if it has at least half, and the others individually.
func columnsInPage(s *view.JSONSchema, columns []string) string {
	others, of := columns, ""
	eachObject(s, func(path string, object *view.JSONSchema) {
		rest := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return object.Properties[name] != nil })
		if len(rest) < len(others) && !isInterval(object) {
			others, of = rest, path
		}
	})
	if 2*len(others) > len(columns) {
		return strings.Join(columns, ", ")
	}
	text := "fields of `" + strings.TrimPrefix(of, ".") + "`"
	if len(others) > 0 {
		text += "; " + strings.Join(others, ", ")
	}
	return text
}

func isInterval(object *view.JSONSchema) bool {
	return slices.Equal(slices.Sorted(maps.Keys(object.Properties)), []string{"high", "low", "mean"})
}

// mismatches returns the parts of a value that do not conform to a part of the schema s. A field
// that is not in the schema is a mismatch: programs must accept new fields, but we must not write
// any by accident.
func mismatches(s, part *view.JSONSchema, path string, value any) (all []string) {
	if len(part.AnyOf) > 0 {
		if value == nil {
			return nil
		}
		part = part.AnyOf[0]
	}
	for document := range results {
		if part.Ref == view.SchemaFile(document) {
			s = results.Schema(document)
			part = s
		}
	}
	part = resolve(s, part)
	if len(part.Type) == 0 { // anything
		return nil
	}
	kind := map[reflect.Kind]string{reflect.Invalid: "null", reflect.Bool: "boolean", reflect.Float64: "number", reflect.String: "string", reflect.Slice: "array", reflect.Map: "object"}[reflect.ValueOf(value).Kind()]
	if x, ok := value.(float64); ok && x == math.Trunc(x) && !slices.Contains(part.Type, kind) {
		kind = "integer"
	}
	if !slices.Contains(part.Type, kind) || part.Const != "" && value != part.Const {
		return []string{fmt.Sprintf("%s: saw %v, want %v %s", path, value, part.Type, part.Const)}
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			all = append(all, mismatches(s, part.Items, path+"[]", item)...)
		}
	case map[string]any:
		for _, name := range part.Required {
			if _, ok := value[name]; !ok {
				all = append(all, fmt.Sprintf("%s.%s: missing", path, name))
			}
		}
		for name, of := range value {
			if at := cmp.Or(part.Properties[name], part.Values); at != nil {
				all = append(all, mismatches(s, at, path+"."+name, of)...)
			} else {
				all = append(all, fmt.Sprintf("%s.%s: not in the schema", path, name))
			}
		}
	}
	return all
}

// mostWide is the maximum width of a line of a table or legend; lines with a command may be longer.
const mostWide = 120

// TestFrozenOutput checks the output of commands against the schemas, and pins the columns of CSV
// and the width of output for people.
func TestFrozenOutput(t *testing.T) {
	here := jobtest.Must(os.Getwd())
	archive, err := txtar.ParseFile(filepath.Join("testdata", "frozen", "runs.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	jobtest.NoError(t, txtar.Write(archive, dir))
	parts := strings.Split(string(archive.Comment), "\n\n")
	for _, command := range lines(parts[1]) {
		if got := loadstone(t, "", append(longtest.ShellWords(command), "-q")...); got.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", command, got.code, got.err)
		}
	}
	columns, ran := map[string]bool{}, map[string]bool{}
	for _, command := range lines(parts[2]) {
		args := longtest.ShellWords(command)
		ran[args[0]] = true
		for line := range strings.Lines(loadstone(t, "", append(slices.Clone(args), "-q")...).out) {
			if n := utf8.RuneCountInString(line) - 1; n > mostWide && !strings.Contains(line, "loadstone ") {
				t.Errorf("%q: a line of %d characters for people, want %d at most: %s", args, n, mostWide, line)
			}
		}
		got := loadstone(t, "", slices.Concat(args, []string{"-q", "--format", "json"})...)
		if got.code != exitDone {
			t.Errorf("%q: exit code %d: %s", args, got.code, got.err)
			continue
		}
		var result map[string]any
		if err := json.Unmarshal([]byte(got.out), &result); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		document, _ := result["schema"].(string)
		if results[document] == nil {
			t.Errorf("%q: the schema %q is not one of results", args, document)
			continue
		}
		s := results.Schema(document)
		for _, text := range mismatches(s, s, "", result) {
			t.Errorf("%q: %s", args, text)
		}
		got = loadstone(t, "", slices.Concat(args, []string{"-q", "--format", "csv"})...)
		head, _, _ := strings.Cut(got.out, "\n")
		if got.code != exitDone || head == "" {
			t.Errorf("%q as CSV: exit code %d: %s", args, got.code, got.err)
		}
		columns[document+" "+head] = true
	}
	everyOption(func(cmd *cobra.Command, option *opt.Field) {
		if option.Name == "format" && slices.Equal(option.Choices, view.Forms()) && !ran[cmd.Name()] {
			t.Errorf("%s: no run in runs.txtar", cmd.Name())
		}
	})
	t.Chdir(here)
	frozen(t, "csv.txt", slices.Sorted(maps.Keys(columns)))
}
