package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// resultOptions say where a result goes, and as what.
type resultOptions struct {
	Format string `opt:"format" common:"true" help:"format on standard output (default table)"`
	Output string `opt:"output,o" file:"write" common:"true" help:"write the result to this <file>: .json, .csv, or .txt for the table"`
	page   bool   // the result may be a page, .html
}

// Choices are the values of options that take one of some.
func (resultOptions) Choices(option string) []string {
	if option == "format" {
		return view.Forms()
	}
	return nil
}

// Check finds out whether the output's name asks for a form.
func (o resultOptions) Check() error {
	if o.Output == "" {
		return nil
	}
	_, err := resultFormat(o)
	return err
}

// put writes a result where the options say.
func (a *app) put(o resultOptions, r view.Result) error {
	if o.Output == "" {
		return r.Write(a.Out, o.Format)
	}
	format, err := resultFormat(o)
	if err != nil {
		return flags.Usage(err)
	}
	return a.writeNamed(o.Output, func(w io.Writer) error { return r.Write(w, format) })
}

// resultFormat is the form that the output's extension asks for.
func resultFormat(o resultOptions) (string, error) {
	format, ok := map[string]string{".json": "json", ".csv": "csv", ".txt": "table"}[strings.ToLower(filepath.Ext(o.Output))]
	if o.page && strings.EqualFold(filepath.Ext(o.Output), ".html") {
		format, ok = view.PageForm, true
	}
	switch {
	case o.Output == "-":
		return "", errDash
	case !ok && links.Direct(o.Output):
		return cmp.Or(o.Format, "table"), nil
	case !ok:
		return "", fmt.Errorf("%s: want a name that ends in .json, .csv or .txt", o.Output)
	case o.Format != "" && o.Format != format:
		return "", fmt.Errorf("%s: its extension asks for %s, --format for %s: use one of them", o.Output, format, o.Format)
	}
	return format, nil
}

// checkFiles refuses outputs that would replace an input or each other, and those that cannot be
// written, as far as can be told before the work is done: it may take hours.
func (a *app) checkFiles(inputs []string) error {
	var outputs, folders []string
	var wrong error
	flagOf := map[string]string{}
	a.cmd.Flags().Visit(func(f *pflag.Flag) {
		option, _ := f.Value.(*opt.Field)
		if option == nil {
			return
		}
		name := f.Value.String()
		switch flagOf[name] = "--" + f.Name; option.File {
		case "read":
			inputs = append(inputs, name)
		case "write":
			outputs = append(outputs, name)
		case "table":
			outputs = append(outputs, name)
			if err := output.CheckTable(f.Name, name); err != nil {
				wrong = err
			}
		case "folder":
			folders = append(folders, name)
		}
	})
	if err := cmp.Or(flags.Usage(wrong), a.notOver(inputs, outputs...)); err != nil {
		return err
	}
	for _, name := range outputs {
		if err := output.NoPlace(name); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		if err := output.FolderFault(folder); err != nil {
			return err
		}
		for _, name := range outputs { // which is no folder
			if strings.HasPrefix(output.Place(folder)+string(filepath.Separator), output.Place(name)+string(filepath.Separator)) {
				return flags.Usagef("%s %s: %s %s is another output too: want another folder for the pictures", flagOf[folder], folder, flagOf[name], name)
			}
		}
	}
	return nil
}

// notOver refuses outputs that would replace an input, a file of --class among
// them, or each other.
func (a *app) notOver(inputs []string, outputs ...string) error {
	seen := map[string]string{}
	for _, in := range slices.Concat(inputs, flags.ClassFiles(a.cmd)) {
		if in != "" {
			seen[in] = "is also the input: write to another file"
		}
	}
	for _, out := range outputs {
		if out == "" || out == "-" {
			continue
		}
		for other, what := range seen {
			if a.samePath(out, other) {
				return flags.Usage(fmt.Errorf("%s: %s", out, what))
			}
		}
		seen[out] = "is another output too: want another name for one of them"
	}
	return nil
}

// samePath says whether two names mean one regular file, whether it exists or
// not; "-" is what standard input comes from.
func (a *app) samePath(x, y string) bool {
	if x == "" || y == "" {
		return false
	}
	fx, errX := a.stat(x)
	fy, errY := a.stat(y)
	if errX == nil && errY == nil {
		return fx.Mode().IsRegular() && os.SameFile(fx, fy)
	}
	return x != "-" && y != "-" && output.Place(x) == output.Place(y)
}

func (a *app) stat(name string) (os.FileInfo, error) {
	if name != "-" {
		return os.Stat(name)
	}
	if f, ok := a.In.(*os.File); ok {
		return f.Stat()
	}
	return nil, os.ErrNotExist
}

// errDash is for those who name standard output as other programs do.
var errDash = errors.New("-o -: want a file; without -o, results go to standard output")

// stream is standard output or standard error under its name as a file, nil for another
// name. Opened anew, a file behind it would be written over what it has.
func (a *app) stream(path string) io.Writer {
	switch filepath.Clean(path) {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return a.Out
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return a.Err
	}
	return nil
}

// writeFile writes a file of the command's outputs.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		return flags.Usage(errDash)
	}
	if w := a.stream(path); w != nil {
		return write(w)
	}
	f, err := logfile.NewFile(path)
	if err != nil {
		return err
	}
	return a.write(f, write)
}

// writeNamed is writeFile with a note that names the file, for those about which there is
// nothing more to tell.
func (a *app) writeNamed(path string, write func(io.Writer) error) error {
	if err := a.writeFile(path, write); err != nil {
		return err
	}
	a.note("%s: written", path)
	return nil
}

func (a *app) write(f *logfile.File, write func(io.Writer) error) error {
	defer a.outputs.Keep(f)()
	if err := cmp.Or(write(f), a.ctx.Err()); err != nil {
		return err
	}
	return a.outputs.Finish(f)
}

// writeSecret writes a file that only its owner may read, in place of an old
// one, when the command has succeeded.
func (a *app) writeSecret(path string, write func(io.Writer) error) error {
	f, err := logfile.NewSecretFile(path)
	if err != nil {
		return err
	}
	return a.write(f, write)
}
