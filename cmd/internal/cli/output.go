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

// resultOptions specify the destination and the format of a result.
type resultOptions struct {
	Format string `opt:"format" common:"true" help:"format on standard output (default table)"`
	Output string `opt:"output,o" file:"write" common:"true" help:"write the result to this <file>: .json, .csv, or .txt for the table"`
	page   bool   // whether the result can be written as a page, .html
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (resultOptions) Choices(option string) []string {
	if option == "format" {
		return view.Forms()
	}
	return nil
}

// Check returns an error if the output's name and --format do not determine a format.
func (o resultOptions) Check() error {
	if o.Output == "" {
		return nil
	}
	_, err := resultFormat(o)
	return err
}

// put writes a result to the destination in o.
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

// resultFormat returns the format that the output's extension stands for.
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

// checkFiles returns an error for outputs that would replace an input or each other, or that
// cannot be written. It finds what it can before the work is done, which may take hours.
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
		for _, name := range outputs { // a file, which cannot be a parent of the folder
			if strings.HasPrefix(output.Place(folder)+string(filepath.Separator), output.Place(name)+string(filepath.Separator)) {
				return flags.Usagef("%s %s: %s %s is another output too: want another folder for the pictures", flagOf[folder], folder, flagOf[name], name)
			}
		}
	}
	return nil
}

// notOver returns an error for outputs that would replace an input (including a file of
// --class) or each other.
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

// samePath reports whether two names refer to the same regular file, which need not exist.
// "-" refers to the file that standard input is read from.
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

// errDash is the error for -o -, which in other programs is standard output.
var errDash = errors.New("-o -: want a file; without -o, results go to standard output")

// stream returns standard output or standard error if path is its name as a file, such as
// /dev/stdout, and nil otherwise. If the stream is redirected to a file, opening path would
// overwrite what has been written.
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

// writeNamed is like writeFile, but also notes that the file was written.
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

// writeSecret writes a file of the command's outputs that only its owner can read.
func (a *app) writeSecret(path string, write func(io.Writer) error) error {
	f, err := logfile.NewSecretFile(path)
	if err != nil {
		return err
	}
	return a.write(f, write)
}
