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

// Details is the key of the annotation of a command with the text that follows its Long
// in --help-all and in the manual page.
const Details = "details"

// Keys of annotations.
const (
	commonFlags = "common" // of a command: the flags that --help shows
	globalFlags = "global" // of a command: the last line of --help, about global flags
	shortUsage  = "short"  // of a flag: its usage in --help, if shorter than in --help-all
)

// helpWidth is the width of help, in characters.
const helpWidth = 80

// flagGroup is a group of a command's flags in its help.
type flagGroup struct {
	title string
	flags []string
}

// annotate sets an annotation of a command.
func annotate(cmd *cobra.Command, key, text string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = text
}

// Mention sets the line about global flags at the end of the --help (but not the --help-all) of a
// command.
func Mention(cmd *cobra.Command, text string) { annotate(cmd, globalFlags, text) }

// AddHelp sets up the help of root and its commands. fill completes a text before it is shown.
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
		if cmd.Runnable() || cmd.HasSubCommands() { // not a help topic
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s", cmd.UsageString())
		}
	})
	for _, cmd := range append(root.Commands(), root) {
		cmd.DisableFlagsInUseLine = true
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if helpAll(cmd) {
				return pflag.ErrHelp // like --help, before anything is checked
			}
			if check == nil {
				return nil
			}
			return check(cmd, args)
		}
	}
}

// helpAll reports whether --help-all is given.
func helpAll(cmd *cobra.Command) bool {
	all, err := cmd.Flags().GetBool("help-all")
	return err == nil && all
}

// writeUsage writes the part of a command's help below its description.
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
	listed map[string]bool // flags written so far
}

// heading writes the usage line, examples and subcommands.
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

// commands lists the subcommands for which of returns true.
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
			if long { // such a default is a long list too
				f.DefValue = ""
			}
		}
		if long { // lines can be broken only at blanks
			f.DefValue = strings.ReplaceAll(f.DefValue, ",", ", ")
		}
		nameValue(&f)
		set.AddFlag(&f)
	}
	if text := set.FlagUsagesWrapped(helpWidth); text != "" {
		fmt.Fprintf(&u.b, "\n%s:\n%s", title, text)
	}
}

// named is the value of a flag with another name for its type, which pflag prints.
type named struct {
	pflag.Value
	name string
}

func (n named) Type() string { return n.name }

// nameValue sets the name of a flag's value in the help, in capitals: the name in backquotes in its
// usage, or else one for its type.
func nameValue(f *pflag.Flag) {
	text, usage := pflag.UnquoteUsage(f)
	if text == "" { // the flag takes no value
		return
	}
	if usage == f.Usage {
		if short, ok := map[string]string{"int": "N", "uint": "N", "float": "NUM", "string": "TEXT", "strings": "TEXT,...", "int64Slice": "N,..."}[text]; ok {
			text = short
		}
	}
	switch f.DefValue { // pflag would omit these by the type, which changes below
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

// ending writes where to find more help.
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

// unlisted returns the names of the flags not written so far: the command's own, and
// those of every command.
func (u *helpText) unlisted() (own, shared []string) {
	if u.cmd.HasParent() {
		shared = []string{"help"} // a local flag of every command
	}
	u.cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !u.listed[f.Name] && !f.Hidden && !slices.Contains(shared, f.Name) {
			own = append(own, f.Name)
		}
	})
	u.cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { shared = append(shared, f.Name) })
	return own, shared
}
