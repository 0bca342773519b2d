package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// showSource prints the mapping of a built-in source.
func (a *app) showSource(cmd *cobra.Command, names []string) error {
	text := mapping.Source(names[0])
	if text == nil || len(names) > 1 {
		return &flags.UsageError{Cmd: cmd, Err: fmt.Errorf("saw %q, want one of %s", strings.Join(names, " "), strings.Join(mapping.Names(), ", "))}
	}
	_, err := a.Out.Write(text)
	return err
}

// manOptions are the options of the command that writes the manual pages.
type manOptions struct{ folder string }

func (o *manOptions) args(args []string) error {
	if len(args) != 1 || args[0] == "" {
		return fmt.Errorf("want one folder, saw %q", args)
	}
	o.folder = args[0]
	return nil
}

func (*manOptions) readsNoLog() {}

func (o *manOptions) run(_ context.Context, a *app) (*findings, error) {
	return nil, a.writeManual(a.cmd.Root(), o.folder)
}

// writeManual writes the manual pages. The same version gives the same bytes.
func (a *app) writeManual(root *cobra.Command, folder string) error {
	if err := a.makeFolder(folder); err != nil {
		return err
	}
	n := 0
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		section := "1"
		switch {
		case cmd.IsAdditionalHelpTopicCommand():
			section = "7"
		case cmd != root && !cmd.IsAvailableCommand() || cmd.Name() == "help":
			continue
		}
		page := *cmd
		page.DisableAutoGenTag, page.Long = true, manualText(filled(cmd.Long+"\n\n"+cmd.Annotations[flags.Details]))
		header := doc.GenManHeader{Section: section, Source: "Loadstone " + version.Number, Manual: "Loadstone", Date: &released}
		path := filepath.Join(folder, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+"."+section)
		if err := a.writeFile(path, func(w io.Writer) error { return writePage(w, &page, &header) }); err != nil {
			return err
		}
		n++
	}
	a.note("%s: %d manual pages", folder, n)
	return nil
}

// writePage writes a page with ragged-right lines: the long names of flags leave too few
// gaps to justify lines.
func writePage(w io.Writer, cmd *cobra.Command, header *doc.GenManHeader) error {
	var b bytes.Buffer
	if err := doc.GenMan(cmd, header, &b); err != nil {
		return err
	}
	title, body, _ := bytes.Cut(b.Bytes(), []byte("\n\n")) // title ends with the line .TH
	_, err := fmt.Fprintf(w, "%s\n.ad l\n\n%s", title, body)
	return err
}

// released is the release date of this version, for the manual.
var released = time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)

// manualText makes indented lines, which are tables, code blocks of Markdown.
func manualText(long string) string {
	var b strings.Builder
	table := false
	for line := range strings.Lines(long) {
		indented := strings.HasPrefix(line, "  ")
		if indented && !table {
			b.WriteByte('\n')
		}
		if table = indented; indented {
			line = "    " + line
		}
		b.WriteString(line)
	}
	return b.String()
}
