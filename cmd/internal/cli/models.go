package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// publishedNames returns the names of the published models: the presets and the model of users.
func publishedNames() (names []string) {
	for _, e := range model.Catalog().Models {
		names = append(names, e.Name)
	}
	return names
}

// loadModel reads a model of distributions. name is a file, a published model, or "-" for standard
// input.
func (a *app) loadModel(name string) (site model.Site, err error) {
	m, err := a.readModel(name, nil)
	if err != nil {
		return site, err
	}
	site, ok := m.(model.Site)
	if !ok {
		err = fmt.Errorf("%s: saw a model of users, want one of distributions: 'loadstone fit LOG --form lublin2003 -o model.json' writes one ('loadstone models --help' says which commands take which)", name)
	}
	return site, err
}

// readModel reads a model of either form. sets are assignments "path=value" to fields of the
// file.
func (a *app) readModel(name string, sets []string) (model.Model, error) {
	text, err := a.modelText(name)
	if err != nil {
		return nil, err
	}
	if text, err = withSet(text, sets); err != nil {
		return nil, err
	}
	m, err := population.Read(name, text)
	if err == nil {
		return m, nil
	}
	if head := bytes.TrimLeft(text, " \t\r\n"); len(head) > 0 && head[0] != '{' {
		return nil, fmt.Errorf("%s: want a model file, as 'loadstone fit LOG -o model.json' writes it: saw text that is no JSON", name)
	}
	return nil, err
}

// modelText returns the text of a model file or of a published model. A file is
// read only once in a run, because it may be a pipe.
func (a *app) modelText(name string) ([]byte, error) {
	if text, read := a.models[name]; read {
		return text, nil
	}
	text, err := a.readFile(name)
	if err == nil {
		if a.models == nil {
			a.models = map[string][]byte{}
		}
		a.models[name] = text
	}
	return text, err
}

// publishedName returns the name of a published model in its usual case; any other name, and the
// name of a file, is returned unchanged.
func publishedName(name string) string {
	for _, published := range publishedNames() {
		if strings.EqualFold(published, name) && !isFile(name) {
			return published
		}
	}
	return name
}

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return flags.ReadAll(a.In, "standard input")
	}
	if of := publishedName(name); slices.Contains(publishedNames(), of) {
		return publishedText(of), nil
	}
	text, err := flags.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such model file, and none of the published models %s%s", name, strings.Join(publishedNames(), ", "), words.Meant(name, publishedNames()))
	}
	gzip := bytes.HasPrefix(text, []byte("\x1f\x8b"))
	if err == nil && (gzip || bytes.IndexByte(text[:min(len(text), 512)], 0) >= 0) {
		return nil, fmt.Errorf("%s: saw binary data, want a model file, which is JSON; if it is a job log, fit a model to it ('loadstone fit %s -o model.json'), or resample it with 'loadstone generate --like %s'", name, name, name)
	}
	return text, err
}

// publishedText returns the file of a published model.
func publishedText(name string) []byte {
	if name == model.Demo {
		return population.DemoFile()
	}
	return model.PresetFile(name)
}

// writeModel writes a model to a file.
func (a *app) writeModel(output string, m model.Model) error {
	return a.writeFile(output, func(w io.Writer) error {
		text, err := m.Encode()
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
}

// showModel writes the file of a published model to output, or to standard output if it is "".
func (a *app) showModel(name, output string) error {
	write := func(w io.Writer) error {
		_, err := w.Write(publishedText(name))
		return err
	}
	if output != "" {
		return a.writeNamed(output, write)
	}
	return write(a.Out)
}

// isModel reports whether an input is a model, not a log: a file with a JSON object that
// is not a log or, if it cannot be opened, a published name or a name that ends in .json.
func (a *app) isModel(input string) bool {
	f, err := os.Open(input)
	if err != nil {
		return slices.Contains(publishedNames(), input) || strings.EqualFold(filepath.Ext(input), ".json")
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	return logfile.OtherJSON(f, a.readOptions())
}

// modelsOptions are the options of the command for published models.
type modelsOptions struct {
	Format string `opt:"format" help:"format of the list on standard output (default table)"`
	Output string `opt:"output,o" file:"write" help:"write the list or the model to this <file>"`

	show string // model to print; "" to list all
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (modelsOptions) Choices(option string) []string {
	if option == "format" {
		return view.Forms()
	}
	return nil
}

func (o *modelsOptions) args(args []string) error {
	switch {
	case len(args) == 0 || len(args) == 1 && args[0] == "list":
		return nil
	case len(args) != 2 || args[0] != "show":
		hint := ""
		if name := publishedName(args[0]); len(args) == 1 && slices.Contains(publishedNames(), name) {
			hint = "; 'loadstone models show " + name + "' prints this model"
		}
		return fmt.Errorf("want list, or show and the name of a model, saw %q%s", strings.Join(args, " "), hint)
	}
	if o.show = publishedName(args[1]); !slices.Contains(publishedNames(), o.show) {
		return fmt.Errorf("%q is none of %s%s", args[1], strings.Join(publishedNames(), ", "), words.Meant(args[1], publishedNames()))
	}
	return nil
}

func (*modelsOptions) readsNoLog() {}

// complete returns the completions of the next argument.
func (*modelsOptions) complete(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"list", "show"}
	case len(args) == 1 && args[0] == "show":
		return publishedNames()
	}
	return nil
}

func (o *modelsOptions) check(*app) error {
	if o.show != "" && o.Format != "" {
		return flags.Usagef("--format is for list: show prints a model file")
	}
	return nil
}

func (o *modelsOptions) run(_ context.Context, a *app) (*findings, error) {
	if o.show == "" {
		return &findings{result: tables.Models(), to: resultOptions{Format: o.Format, Output: o.Output}}, nil
	}
	return nil, a.showModel(o.show, o.Output)
}

// withSet returns the text of a model file with fields changed by --set.
func withSet(text []byte, sets []string) (_ []byte, err error) {
	for _, set := range sets {
		path, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, flags.Usagef("--set %s: want PATH=VALUE", set)
		}
		if text, err = model.Edit(text, path, value); err != nil {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
	}
	return text, nil
}
