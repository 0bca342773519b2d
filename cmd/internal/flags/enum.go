package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/spf13/cobra"
)

// enumList is a flag whose values come from a list: it takes one or more of
// them, by commas, and lists the valid ones in help, errors and completion.
type enumList struct {
	values *[]string
	valid  []string
	single bool
	open   bool // parameters in parentheses may follow the name

	several string // ends the error of several values, where one is wanted
}

func (e *enumList) String() string { return strings.Join(*e.values, ",") }

func (e *enumList) Type() string { return "name" }

func (e *enumList) Set(s string) error {
	var chosen []string
	parameters := ""
	if i := strings.IndexByte(s, '('); e.open && i > 0 {
		s, parameters = s[:i], s[i:]
	}
	for _, v := range strings.Split(s, ",") {
		v = strings.TrimSpace(v)
		if i := slices.IndexFunc(e.valid, func(name string) bool { return strings.EqualFold(name, v) }); i >= 0 && !slices.Contains(e.valid, v) {
			v = e.valid[i]
		} else if i < 0 {
			return fmt.Errorf("%q is none of %s%s", v, strings.Join(e.valid, ", "), words.Meant(v, e.valid))
		}
		chosen = append(chosen, v)
	}
	if err := EachOnce(chosen); err != nil {
		return err
	}
	if e.single && len(chosen) != 1 {
		return fmt.Errorf("saw %q, want one of %s%s", s, strings.Join(e.valid, ", "), e.several)
	}
	chosen[len(chosen)-1] += parameters
	*e.values = chosen
	return nil
}

// All is the names that a flag of Enums with the value "all" stands for. That goes with no
// other.
func All(cmd *cobra.Command, name string, typed, all []string) ([]string, error) {
	switch {
	case !slices.Contains(typed, "all"):
		return typed, nil
	case len(typed) > 1:
		return nil, Usagef(cmd, "--%s %s: want all, or names without it", name, strings.Join(typed, ","))
	}
	return all, nil
}

// EachOnce is the error of a list that says something a second time: most likely
// another was meant.
func EachOnce(list []string) error {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return fmt.Errorf("saw %q twice", v)
		}
	}
	return nil
}

// Enums adds a flag that takes names by commas.
func Enums(cmd *cobra.Command, values *[]string, name, usage string, valid []string) {
	cmd.Flags().Var(&enumList{values: values, valid: valid}, name, usage+": "+strings.Join(valid, ", "))
	shorten(cmd, name, usage, valid)
	completeBy(cmd, name, func(typed string) []string {
		// What is typed is a list: its last name is the one to complete.
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, v := range valid {
			out = append(out, before+v)
		}
		return out
	})
}

// shorten leaves a long list of names out of --help. It is in --help-all, in
// errors and in completion.
func shorten(cmd *cobra.Command, name, usage string, valid []string) {
	if len(valid) > 6 {
		cmd.Flags().SetAnnotation(name, shortUsage, []string{usage}) // no error: the flag exists
	}
}

// Enum adds a flag that takes one name.
func Enum(cmd *cobra.Command, value *string, name, usage string, valid []string) {
	e := &single{enumList{values: &[]string{}, valid: valid, single: true}, value}
	if *value != "" {
		*e.values = []string{*value}
	}
	cmd.Flags().Var(e, name, usage+": "+strings.Join(valid, ", "))
	shorten(cmd, name, usage, valid)
	Complete(cmd, name, valid)
}

// Policy adds the flag of a scheduling policy, whose name parameters may follow, as in
// "priority(queues=3,1)".
func Policy(cmd *cobra.Command, value *string, usage string, valid []string) {
	Enum(cmd, value, "policy", usage, valid)
	cmd.Flags().Lookup("policy").Value.(*single).open = true
}

// single is an enumList of one that also sets a string.
type single struct {
	enumList
	value *string
}

func (s *single) Set(text string) error {
	err := s.enumList.Set(text)
	if err == nil {
		*s.value = (*s.values)[0]
	}
	return err
}

// ForSeveral has a flag of Enum say where to turn with several names.
func ForSeveral(cmd *cobra.Command, name, hint string) {
	cmd.Flags().Lookup(name).Value.(*single).several = ": " + hint
}

func Complete(cmd *cobra.Command, name string, valid []string) {
	completeBy(cmd, name, func(string) []string { return valid })
}

func completeBy(cmd *cobra.Command, name string, offer func(typed string) []string) {
	err := cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offer(typed), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("flags: " + err.Error())
	}
}
