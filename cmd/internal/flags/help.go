package flags

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// 'loadstone COMMAND --help' is one screen: at most 45 lines of 80 columns, with the
// flags that most users need. All others are in --help-all and in the manual pages.

// Details is the annotation of a command whose text follows its Long in
// --help-all and in the manual page.
const Details = "details"

// Annotations: the flags of a command that --help shows, a line about those of all, and a flag's usage there,
// where it is shorter than in --help-all.
const (
	commonFlags = "common"
	globalFlags = "global"
	shortUsage  = "short"
)

// helpWidth is the number of columns in which help is laid out.
const helpWidth = 80

// flagGroup is some of a command's flags, for its help.
type flagGroup struct {
	title string
	flags []string
}

// annotate gives a command an annotation.
func annotate(cmd *cobra.Command, key, text string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = text
}

// Mention ends the --help of a command, but not its --help-all, with a line about flags
// that every command has.
func Mention(cmd *cobra.Command, text string) { annotate(cmd, globalFlags, text) }

// AddHelp gives root and its commands their help. fill completes a text that is shown.
func AddHelp(root *cobra.Command, fill func(text string) string) {
	annotate(root, commonFlags, "")
	root.PersistentFlags().Bool("help-all", false, "help with every flag and all details")
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd, nil) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		if more := cmd.Annotations[Details]; more != "" && helpAll(cmd) {
			text += "\n\n" + more
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", strings.TrimSpace(fill(text)))
		if cmd.Runnable() || cmd.HasSubCommands() { // and is no topic
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s", cmd.UsageString())
		}
	})
	for _, cmd := range append(root.Commands(), root) {
		cmd.DisableFlagsInUseLine = true
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if helpAll(cmd) {
				return pflag.ErrHelp // as --help: before anything is checked
			}
			if check == nil {
				return nil
			}
			return check(cmd, args)
		}
	}
}

// helpAll says whether --help-all is given.
func helpAll(cmd *cobra.Command) bool {
	all, err := cmd.Flags().GetBool("help-all")
	return err == nil && all
}

// writeUsage writes what a command's help says below its description.
func writeUsage(cmd *cobra.Command, groups []flagGroup) error {
	u := helpText{cmd: cmd, all: helpAll(cmd), listed: map[string]bool{}}
	u.heading()
	if common, ok := cmd.Annotations[commonFlags]; ok && !u.all {
		u.group("Flags", strings.Fields(common))
	} else {
		for _, g := range groups {
			u.group(g.title, g.flags)
		}
		u.rest(len(groups) > 0)
	}
	u.ending()
	_, err := io.WriteString(cmd.OutOrStderr(), u.b.String())
	return err
}

// helpText lays out the help of one command.
type helpText struct {
	cmd    *cobra.Command
	all    bool // for --help-all
	b      strings.Builder
	listed map[string]bool // flags in a group so far
}

// heading writes the form of the command line, examples and subcommands.
func (u *helpText) heading() {
	fmt.Fprintf(&u.b, "Usage:\n  %s\n", u.cmd.UseLine())
	if u.cmd.HasExample() {
		fmt.Fprintf(&u.b, "\nExamples:\n%s\n", u.cmd.Example)
	}
	ungrouped := "Commands"
	for _, g := range u.cmd.Groups() {
		ungrouped = "Other commands"
		u.commands(g.Title, func(sub *cobra.Command) bool { return sub.IsAvailableCommand() && sub.GroupID == g.ID })
	}
	u.commands(ungrouped, func(sub *cobra.Command) bool { return sub.IsAvailableCommand() && sub.GroupID == "" })
	u.commands("Help topics", (*cobra.Command).IsAdditionalHelpTopicCommand)
}

// commands lists some of the subcommands.
func (u *helpText) commands(title string, of func(*cobra.Command) bool) {
	any := false
	for _, sub := range u.cmd.Commands() {
		if !of(sub) {
			continue
		}
		if !any {
			fmt.Fprintf(&u.b, "\n%s:\n", title)
			any = true
		}
		fmt.Fprintf(&u.b, "  %-11s %s\n", sub.Name(), sub.Short)
	}
}

// group writes flags under a title.
func (u *helpText) group(title string, names []string) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range names {
		f := *u.cmd.Flag(name)
		u.listed[name] = true
		long := len(f.DefValue) > 40
		if text := f.Annotations[shortUsage]; text != nil && !u.all {
			f.Usage = text[0]
			if long { // it is a list as well
				f.DefValue = ""
			}
		}
		if long { // lines are broken at blanks
			f.DefValue = strings.ReplaceAll(f.DefValue, ",", ", ")
		}
		nameValue(&f)
		set.AddFlag(&f)
	}
	if text := set.FlagUsagesWrapped(helpWidth); text != "" {
		fmt.Fprintf(&u.b, "\n%s:\n%s", title, text)
	}
}

// named is a flag's value whose type pflag prints as it is.
type named struct {
	pflag.Value
	name string
}

func (n named) Type() string { return n.name }

// nameValue gives a flag of the help the name of its value in capitals: what its usage has in
// backquotes, or what its type is called.
func nameValue(f *pflag.Flag) {
	text, usage := pflag.UnquoteUsage(f)
	if text == "" { // takes no value
		return
	}
	if usage == f.Usage {
		if short, ok := map[string]string{"int": "N", "uint": "N", "float": "NUM", "string": "TEXT", "strings": "TEXT,...", "int64Slice": "N,..."}[text]; ok {
			text = short
		}
	}
	switch f.DefValue { // which pflag knows to be empty by the type
	case "[]", "0s":
		f.DefValue = ""
	}
	f.Value, f.Usage = named{f.Value, strings.ToUpper(text)}, usage
}

// rest writes the flags that are in no group.
func (u *helpText) rest(grouped bool) {
	own, shared := u.unlisted()
	title := "Flags"
	if grouped {
		title = "Other flags"
	}
	u.group(title, own)
	if u.all {
		u.group("Flags of every command", shared)
	}
}

// ending says where there is more.
func (u *helpText) ending() {
	path := u.cmd.CommandPath()
	switch {
	case u.all:
	case u.cmd.HasParent():
		if text := u.cmd.Annotations[globalFlags]; text != "" {
			fmt.Fprintf(&u.b, "\n%s", text)
		}
		fmt.Fprintf(&u.b, "\nAll flags and details: %s --help-all\n", path)
	default:
		fmt.Fprintf(&u.b, "\nHelp on a command: %s COMMAND --help\nAll flags and details: %s --help-all\n", path, path)
	}
}

// unlisted are the names of the flags not written so far: the command's own, and
// those that every command has.
func (u *helpText) unlisted() (own, shared []string) {
	if u.cmd.HasParent() {
		shared = []string{"help"} // which every command has for itself
	}
	u.cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !u.listed[f.Name] && !f.Hidden && !slices.Contains(shared, f.Name) {
			own = append(own, f.Name)
		}
	})
	u.cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { shared = append(shared, f.Name) })
	return own, shared
}
