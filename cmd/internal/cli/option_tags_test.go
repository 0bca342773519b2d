package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// everyOption calls f for the options of all commands that are declared by tags.
func everyOption(f func(cmd *cobra.Command, option *opt.Field)) {
	for _, cmd := range (&app{}).root().Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if option, ok := flag.Value.(*opt.Field); ok {
				f(cmd, option)
			}
		})
	}
}

// wrongTexts returns texts that are invalid for the option, each with text that the error must
// contain.
func wrongTexts(f *opt.Field) map[string]string {
	wrong := map[string]string{}
	kind := f.Type()
	isNumber := kind == "seconds" || kind == "duration" || strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint") || strings.HasPrefix(kind, "float")
	switch {
	case kind == "bool":
		wrong["maybe"] = `"maybe": want true or false`
	case isNumber:
		wrong["many"] = `"many": want `
	case f.Listed():
		wrong["no-such-name"] = `"no-such-name": want one of ` + f.Choices[0]
		if f.IsList() {
			wrong[f.Choices[0]+","+f.Choices[0]] = strconv.Quote(f.Choices[0]) + " twice: want each once"
		}
	case f.SortsJobs():
		wrong["user,user"] = `"user" twice: want each `
		if f.Grouping != nil { // others have their own names
			wrong["no-such-column"] = `"no-such-column": want `
		}
	}
	if kind != "bool" {
		wrong[""] = `"": want `
	}
	if !isNumber || f.Range == "" || kind == "duration" {
		return wrong
	}
	// Values beyond the ends of the range.
	parts := strings.Split(f.Range, "|")
	ends := strings.Split(strings.Trim(parts[len(parts)-1], "[]()"), ",")
	if high := ends[len(ends)-1]; high != "" {
		x, _ := strconv.ParseFloat(high, 64)
		wrong[strconv.FormatFloat(math.Trunc(x)*1.0001+1, 'f', -1, 64)] = ": want "
		if strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint") {
			delete(wrong, strconv.FormatFloat(math.Trunc(x)*1.0001+1, 'f', -1, 64))
			wrong[strconv.FormatFloat(x+1, 'f', 0, 64)] = ": want "
		}
	}
	ends = strings.Split(strings.Trim(parts[0], "[]()"), ",")
	x, _ := strconv.ParseFloat(ends[0], 64)
	wrong[strconv.FormatFloat(x-1, 'f', -1, 64)] = ": want "
	if kind == "float64" {
		wrong["NaN"] = "NaN: want "
	}
	return wrong
}

// Each option of each command refuses invalid values with an error that has its name, the value
// found and the value expected.
func TestOptionsRefuse(t *testing.T) {
	t.Parallel()
	tried := 0
	everyOption(func(cmd *cobra.Command, f *opt.Field) {
		for text, want := range wrongTexts(f) {
			tried++
			got := loadstone(t, "", cmd.Name(), "--"+f.Name+"="+text)
			if want == ": want " {
				want = text + want
			}
			want = fmt.Sprintf("loadstone: --%s %s", f.Name, want)
			if got.code != exitUsage || got.out != "" || !strings.HasPrefix(got.err, want) || !strings.HasSuffix(got.err, "See 'loadstone "+cmd.Name()+" --help'.\n") {
				t.Errorf("%s --%s=%s: exit code %d, %q, want %q", cmd.Name(), f.Name, text, got.code, got.err, want)
			}
		}
	})
	if tried < 300 {
		t.Errorf("only %d texts were tried", tried)
	}
}

// An option that requires another is refused without it.
func TestOptionsNeedOthers(t *testing.T) {
	t.Parallel()
	arguments := map[string][]string{"compare": {"a", "b"}, "score": {"a", "b"}, "serve": {"--slurm"}, "generate": {"--model", "lublin1999", "--jobs", "5"}}
	everyOption(func(cmd *cobra.Command, f *opt.Field) {
		if f.For() == "" {
			return
		}
		names, values, hasValues := strings.Cut(f.For(), "=")
		args := []string{cmd.Name()}
		if hasValues {
			other := cmd.Flag(names).Value.(*opt.Field)
			for _, value := range strings.Split(values, "|") {
				if !slices.Contains(other.Choices, value) {
					t.Errorf("%s: --%s is for --%s, which is none of %v", cmd.Name(), f.Name, f.For(), other.Choices)
				}
			}
			others := slices.DeleteFunc(slices.Clone(other.Choices), func(name string) bool {
				return name == "all" || slices.Contains(strings.Split(values, "|"), name)
			})
			args = append(args, "--"+names+"="+others[0])
		}
		text := f.String()
		switch {
		case f.Type() == "bool":
			text = "true"
		case f.SortsJobs():
			text = "user"
		case f.Choices != nil:
			text = f.Choices[0]
		case text != "" && text != "0": // the default
		case f.Range != "":
			text, _, _ = strings.Cut(strings.Trim(f.Range, "[]()"), ",")
		default:
			text = "1"
		}
		args = append(args, "--"+f.Name+"="+text)
		if more, ok := arguments[cmd.Name()]; ok {
			args = append(args, more...)
		} else {
			args = append(args, "a")
		}
		if names == "slurm" {
			args = []string{cmd.Name(), "--" + f.Name + "=" + text, "--replay", "a"}
		}
		got := loadstone(t, "", args...)
		if got.code != exitUsage || got.out != "" || !strings.HasPrefix(got.err, "loadstone: --"+f.Name+" ") || !strings.Contains(got.err, ": want --"+strings.Split(names, "|")[0]) {
			t.Errorf("%q: exit code %d, %q", args, got.code, got.err)
		}
	})
}

// Tags cannot refer to code: if a help text lists values defined in the code, it must list all of
// them.
func TestHelpListsAll(t *testing.T) {
	for _, c := range []struct {
		command, flag string
		want          []string
	}{
		{"runtime", "classes", runtime.ClassesNames()},
		{"simulate", "classes", runtime.ClassesNames()},
		{"fit", "censored", fit.CensoredFamilies()},
		{"lifetimes", "censored", fit.CensoredFamilies()},
		{"grid", "grid", grid.PresetNames()},
		{"anonymise", "key", []string{fmt.Sprintf("at least %d bytes", reshape.MinKey)}},
		{"clean", "format", []string{fmt.Sprintf("first %d jobs", tables.MostRows)}},
		{"compare", "jobs", []string{fmt.Sprintf("default: %d,", evaluate.DefaultCompareJobs)}},
	} {
		for _, cmd := range (&app{}).root().Commands() {
			if cmd.Name() != c.command {
				continue
			}
			for _, want := range c.want {
				if usage := cmd.Flag(c.flag).Usage; !strings.Contains(usage, want) {
					t.Errorf("%s --%s: no %q in %q", c.command, c.flag, want, usage)
				}
			}
		}
	}
}
