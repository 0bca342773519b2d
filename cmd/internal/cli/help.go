package cli

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// helpTexts holds the texts of the help, one file for each command and topic: the form of the
// command line, a summary in one line and, after an empty line, the description; then the details
// and the examples, each after a mark. A name in double braces stands for an insert.
//
//go:embed help
var helpTexts embed.FS

const (
	detailsMark  = "\n-- details --\n"
	examplesMark = "\n-- examples --\n"
)

var insertName = regexp.MustCompile(`{{.*}}`)

// inserts are the parts of the texts that are generated from the program's tables.
var inserts = map[string]func() string{
	"{{filter syntax}}": func() string { return tables.FilterSyntax },
	"{{published}}":     func() string { return "  " + strings.Join(append(model.Presets(), model.Demo), "\n  ") },
	"{{rules}}": func() string {
		var lines []string
		for _, r := range inspect.Rules() {
			if strings.HasPrefix(r.Rule, "negative-") { // one for each column
				continue
			}
			lines = append(lines, fmt.Sprintf("  %-6s  %-29s  %s", r.Severity, r.Rule, r.Words))
		}
		return strings.Join(append(lines, "  oddity  reader-...                     what only the reader of a format sees"), "\n")
	},
	"{{parameters}}": func() string {
		var lines []string
		for _, r := range runtime.Rules() {
			for _, p := range opt.Parameters(r) {
				lines = append(lines, fmt.Sprintf("  %-25s  %s; %s", r.Name()+"("+p.Name+"="+p.String()+")", p.Help, p.Expected()))
			}
		}
		return strings.Join(lines, "\n")
	},
	"{{sources}}": func() string {
		var lines []string
		for _, m := range mapping.List() {
			lines = append(lines, fmt.Sprintf("  %-20s  %s", m.Name, m.Title))
		}
		return strings.Join(lines, "\n")
	},
}

// filled returns a text with the inserts filled in. It is called only when a text is shown, since
// most runs show none.
func filled(text string) string {
	return insertName.ReplaceAllStringFunc(text, func(name string) string { return inserts[name]() })
}

// document sets the texts of a command from the file of the given name.
func document(cmd *cobra.Command, name string) *cobra.Command {
	file, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic("cli: " + err.Error()) // cannot happen: tests check that each command has a file
	}
	text, example, _ := strings.Cut(strings.TrimSuffix(string(file), "\n"), examplesMark)
	cmd.Example = example
	text, details, _ := strings.Cut(text, detailsMark)
	cmd.Use, text, _ = strings.Cut(text, "\n")
	cmd.Short, cmd.Long, _ = strings.Cut(text, "\n")
	cmd.Long = strings.TrimSpace(cmd.Long)
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[flags.Details] = strings.TrimSuffix(details, "\n")
	cmd.DisableFlagsInUseLine = true
	return cmd
}

// describeCobras adds the commands that cobra provides, help and completion, and sets their
// texts.
func describeCobras(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.CompletionOptions.DisableNoDescFlag = true
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			for _, cmd := range append(cmd.Commands(), cmd) {
				document(cmd, cmd.Name())
			}
		}
	}
}
