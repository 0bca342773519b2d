package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// plotOptions specify the folder and the format of the pictures of a result.
type plotOptions struct {
	Folder string `opt:"plots" file:"folder" common:"true" help:"draw %s into this <folder>"`
	Format string `opt:"plot-format" default:"svg" for:"plots" help:"format of the pictures"`
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (plotOptions) Choices(option string) []string {
	if option == plotFormatFlag {
		return figure.Formats
	}
	return nil
}

const plotFormatFlag = "plot-format"

// drawAll writes the pictures of a result. It warns of a picture without anything to
// show and writes the others.
func (a *app) drawAll(o plotOptions, all []figure.Spec) error {
	var drawn []string
	for i := range all {
		p := &all[i]
		path := filepath.Join(o.Folder, p.Name+"."+o.Format)
		why, err := a.draw(path, o.Format, p)
		if err != nil {
			return err
		}
		if why != "" {
			a.warn("%s: not drawn: %s", path, why)
		}
		if why == "" {
			drawn = append(drawn, path)
		}
	}
	switch more := len(drawn) - 1; {
	case more == 0:
		a.note("%s: written", drawn[0])
	case more > 0:
		a.note("%s and %s: written", drawn[0], words.Counted(more, "other picture"))
	}
	return nil
}

// draw writes one picture, or returns the reason why there is nothing to show.
func (a *app) draw(path, format string, p *figure.Spec) (why string, err error) {
	var picture bytes.Buffer
	if err := p.Draw(&picture, format); err != nil {
		return strings.TrimPrefix(err.Error(), "figure: "), nil
	}
	if err := a.notOver(a.cmd.Flags().Args(), path); err != nil {
		return "", err
	}
	if err := a.makeFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	return "", a.writeFile(path, func(w io.Writer) error { _, err := picture.WriteTo(w); return err })
}

// makeFolder makes a folder for outputs, which is removed if the command fails or is
// interrupted.
func (a *app) makeFolder(path string) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	return a.outputs.MakeFolder(path)
}

// saveRows calls run with a function that saves a row of a table in a CSV file, which is
// complete when run returns. If path is "", save is nil.
func saveRows[R any](a *app, path string, run func(save func(R) error) error) error {
	if path == "" {
		return run(nil)
	}
	return a.writeNamed(path, func(w io.Writer) error { return tables.WriteRows(w, run) })
}
