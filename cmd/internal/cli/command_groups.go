package cli

import (
	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
)

// commandGroups sorts the commands by task, for the help of the root. The first group
// has those that most users begin with; what is in no group is under Other commands.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Most used", []string{"demo", "describe", "fit", "generate", "report"}},
	{"Prepare logs", []string{"anonymise", "clean", "convert", "sample", "scale", "split", "validate"}},
	{"Compare and model", []string{"compare", "lifetimes", "models"}},
	{"Simulate", []string{"allocate", "grid", "simulate", "sweep"}},
	{"Predict", []string{"predict", "runtime", "score", "serve", "wait"}},
}

// group puts the commands of root into their groups.
func group(root *cobra.Command) {
	groupOf := map[string]string{}
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, name := range g.commands {
			groupOf[name] = g.title
		}
	}
	for _, cmd := range root.Commands() {
		cmd.GroupID = groupOf[cmd.Name()]
		if cmd.GroupID != "" && cmd.Name() != "models" { // which reads no log
			flags.Mention(cmd, "Global flags: -q, --quiet (no warnings or notes), --timezone ZONE (of the log)")
		}
	}
}
