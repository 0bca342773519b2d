package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
)

// fieldWords returns the commands to suggest for a common word of the field that is not the name
// of a command.
func fieldWords(word string) []string {
	file, _ := helpTexts.ReadFile("help/words")
	for line := range strings.Lines(string(file)) {
		if name, commands, _ := strings.Cut(strings.TrimSpace(line), ": "); name == word {
			return strings.Split(commands, ", ")
		}
	}
	return nil
}

// unknownCommand returns the error for a first word that is not a command; nil without words.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := cmd.SuggestionsFor(args[0])
	if !cmd.HasParent() {
		for _, name := range fieldWords(strings.ToLower(args[0])) {
			if !slices.Contains(near, name) {
				near = append(near, name)
			}
		}
	}
	err := fmt.Errorf("unknown command %q", args[0])
	if len(near) == 0 && !cmd.HasParent() && isFile(args[0]) {
		err = fmt.Errorf("%q is a file, not a command: want a command before it, such as 'loadstone describe %s'", args[0], args[0])
	}
	if len(near) > 0 {
		err = fmt.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return &flags.UsageError{Cmd: cmd, Err: err}
}

// isFile reports whether a word of the command line names a file.
func isFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}

// refuseUnknownHelp makes it an error to ask for the help of a command that does not
// exist, for which cobra would show the help of all commands. It also prints a source for
// 'help sources NAME'.
func (a *app) refuseUnknownHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		words := cmd.Flags().Args()
		for _, c := range root.Commands() {
			if c.Name() == "help" && len(words) == 0 && (cmd == root || cmd.Name() == flags.SourcesTopic) {
				words = c.Flags().Args()
			}
		}
		if cmd.Name() == flags.SourcesTopic && len(words) > 1 {
			a.unknown = a.showSource(cmd, words[1:])
			return
		}
		// "-h fit" asks for the help of fit: cobra takes the word for the value of -h.
		if cmd == root && len(words) == 1 && slices.Contains(a.args, "-h") {
			if of, _, err := root.Find(words); err == nil && of != root {
				help(of, nil)
				return
			}
		}
		if cmd.HasAvailableSubCommands() {
			if a.unknown = unknownCommand(cmd, words); a.unknown != nil {
				return
			}
		}
		help(cmd, args)
	})
}
