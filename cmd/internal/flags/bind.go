package flags

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostListed is the largest number of choices listed by --help. Longer lists are in --help-all,
// in errors and in completion.
const mostListed = 6

// Bind adds a flag for each option of the struct that options points to, and lays out the help
// by their groups.
func Bind(cmd *cobra.Command, options any) {
	opt.Usual(options)
	fields := opt.Fields(options)
	var groups []flagGroup
	var common []string
	for _, f := range fields {
		add(cmd, cmd.Flags(), f)
		if f.Common {
			common = append(common, f.Name)
		}
		at := slices.IndexFunc(groups, func(g flagGroup) bool { return g.title == f.Group })
		if at < 0 {
			at = len(groups)
			groups = append(groups, flagGroup{title: f.Group})
		}
		groups[at].flags = append(groups[at].flags, f.Name)
	}
	if slices.ContainsFunc(groups, func(g flagGroup) bool { return g.title == "" }) {
		groups = nil // the help lists all flags by name
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd, groups) })
	if common != nil {
		annotate(cmd, commonFlags, strings.Join(common, " "))
	}
}

// BindGlobal adds a flag for each option to a command and all its subcommands.
func BindGlobal(cmd *cobra.Command, options any) {
	for _, f := range opt.Fields(options) {
		add(cmd, cmd.PersistentFlags(), f)
	}
}

// Check checks the given options and relations between them. An error is a *UsageError.
func Check(cmd *cobra.Command, options any) error {
	fields := opt.Fields(options)
	err := opt.CheckGiven(fields, cmd.Flags().Changed)
	if err == nil {
		err = useNamed(cmd, fields)
	}
	if err == nil {
		err = opt.CheckParts(options)
	}
	if err = OptionFaultOr(err); errors.As(err, new(*UsageError)) {
		return err
	}
	return Usage(err)
}

// valueName matches the name of a value in a help text.
var valueName = regexp.MustCompile(`<([^<>]+)>`)

// add adds the flag of an option to set, one of the flag sets of cmd.
func add(cmd *cobra.Command, set *pflag.FlagSet, f *opt.Field) {
	usage := valueName.ReplaceAllString(f.Help, "`$1`")
	named, isNamed := f.Pointer().(*[]workload.NamedClass)
	brief := f.Brief
	choices := f.Choices
	if f.All() {
		choices = append(slices.Clip(choices), "all")
	}
	long := usage
	switch {
	case isNamed:
		set.Var(&namedFlag{named: named}, f.Name, "a class with a `name`, for the word class: short=q1s,q2s or short=q*s (queues), partition:east=1,2; repeat it, or @FILE with a line each")
		return
	case f.Grouping != nil:
		long += ", such as user,queue or site,size:4:16"
	case f.Listed():
		long += ": " + strings.Join(choices, ", ")
		if len(choices) > mostListed && brief == "" {
			brief = usage
		}
	}
	flag := set.VarPF(f, f.Name, f.Letter, long)
	if f.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	if brief != "" {
		flag.Annotations = map[string][]string{shortUsage: {valueName.ReplaceAllString(brief, "`$1`")}}
	}
	if choices != nil {
		completeBy(cmd, f.Name, func(typed string) []string {
			if !f.IsList() && f.Grouping == nil {
				return choices
			}
			// The typed text is a list, of which the last name is to be completed.
			before := typed[:strings.LastIndexByte(typed, ',')+1]
			var out []string
			for _, choice := range choices {
				out = append(out, before+choice)
			}
			return out
		})
	}
}

// useNamed applies the named classes of --class, if there are any. If no option that sorts jobs
// into classes uses them, the first such option of the command is set to them; it is an error if
// that option was given.
func useNamed(cmd *cobra.Command, fields []*opt.Field) error {
	at := slices.IndexFunc(fields, func(f *opt.Field) bool { return f.Name == namedFlagName })
	if at < 0 || !cmd.Flags().Changed(namedFlagName) {
		return nil
	}
	var way *opt.Field
	for _, f := range fields {
		if !f.SortsJobs() {
			continue
		}
		if slices.Contains(workload.SplitClasses(f.String()), workload.NamedWord) {
			return nil
		}
		if way == nil {
			way = f
		}
	}
	if cmd.Flags().Changed(way.Name) {
		return Usagef("--class: want the word class in --%s, such as --%s class", way.Name, way.Name)
	}
	return way.Set(workload.NamedWord)
}

// completeBy registers the completions of the value of a flag.
func completeBy(cmd *cobra.Command, name string, offer func(typed string) []string) {
	err := cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offer(typed), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("flags: " + err.Error())
	}
}
