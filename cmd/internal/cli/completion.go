package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// completions are the shells with what loads the script: in this session, and in every
// new one.
var completions = map[string]string{
	"bash": `Prints the completion script for bash. It needs the package bash-completion.

For this session:

  source <(loadstone completion bash)

For every new session, on Linux and on macOS:

  loadstone completion bash > /etc/bash_completion.d/loadstone
  loadstone completion bash > $(brew --prefix)/etc/bash_completion.d/loadstone`,
	"zsh": `Prints the completion script for zsh. Completion has to be enabled once:

  echo "autoload -U compinit; compinit" >> ~/.zshrc

For this session:

  source <(loadstone completion zsh)

For every new session, on Linux and on macOS:

  loadstone completion zsh > "${fpath[1]}/_loadstone"
  loadstone completion zsh > $(brew --prefix)/share/zsh/site-functions/_loadstone`,
	"fish": `Prints the completion script for fish.

For this session:

  loadstone completion fish | source

For every new session:

  loadstone completion fish > ~/.config/fish/completions/loadstone.fish`,
	"powershell": `Prints the completion script for PowerShell.

For this session:

  loadstone completion powershell | Out-String | Invoke-Expression

For every new session, add the output of 'loadstone completion powershell' to
your PowerShell profile.`,
}

// describeCobras adds the commands that cobra makes, help and completion, and gives them
// texts like those of the others.
func describeCobras(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.CompletionOptions.DisableNoDescFlag = true
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		cmd.DisableFlagsInUseLine = true
		switch cmd.Name() {
		case "help":
			cmd.Use, cmd.Short = "help [COMMAND or TOPIC]", "Print the help of a command or on a topic"
			cmd.Example = "  loadstone help fit\n  loadstone help formats"
			cmd.Long = "Prints the help of a command, as 'loadstone COMMAND --help' does, or on a topic.\n'loadstone help' lists both."
		case "completion":
			cmd.Use, cmd.Short = "completion SHELL", "Print a script for completion in a shell"
			cmd.Long = "Prints a script with which a shell completes commands, flags and file names.\n'loadstone completion SHELL --help' says how to load it."
			for _, shell := range cmd.Commands() {
				long := completions[shell.Name()]
				shell.Short, _, _ = strings.Cut(long, ".")
				shell.Short = strings.Replace(shell.Short, "Prints the", "Print the", 1)
				shell.Long, shell.DisableFlagsInUseLine = long, true
			}
		}
	}
}
