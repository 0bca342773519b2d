package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// interfaceOf describes the commands and the job table to programs in other languages. The Python
// package makes its functions from it.
type interfaceOf struct {
	Commands []commandOf `json:"commands"`
	Columns  []columnOf  `json:"columns"` // of the job table
}

type commandOf struct {
	Command string     `json:"command"` // without "loadstone"
	Usage   string     `json:"usage"`   // inputs, followed by the most common flags
	Summary string     `json:"summary"`
	Options []optionOf `json:"options"` // the options of every command are last
}

type optionOf struct {
	Name      string   `json:"name"`
	Shorthand string   `json:"shorthand,omitempty"`
	Type      string   `json:"type"`  // name in pflag
	Value     string   `json:"value"` // name of the value in the help
	Default   string   `json:"default,omitempty"`
	Choices   []string `json:"choices,omitempty"` // as the shell completes them
	Repeated  bool     `json:"repeated,omitempty"`
	Help      string   `json:"help"`
}

type columnOf struct {
	Name   string `json:"name"`
	Float  bool   `json:"float"`
	Always bool   `json:"always"`          // every table has it
	Names  string `json:"names,omitempty"` // header keyword with the names of its numbers
}

// optionsOptions are the options of the command that describes the others to programs.
type optionsOptions struct{ noArgs }

func (optionsOptions) run(_ context.Context, a *app) (*findings, error) {
	described := interfaceOf{Commands: commandsBelow(a.cmd.Root(), "")}
	for i := range workload.NumColumns {
		c := workload.ColumnAt(i)
		described.Columns = append(described.Columns, columnOf{c.Name, c.Float(), i < workload.FirstOptional, c.NameKey})
	}
	return nil, json.NewEncoder(a.Out).Encode(described)
}

// commandsBelow describes the subcommands of a command at all levels; path precedes their names.
func commandsBelow(parent *cobra.Command, path string) (all []commandOf) {
	for _, cmd := range parent.Commands() {
		if !cmd.IsAvailableCommand() || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		described := commandOf{Command: path + cmd.Name(), Usage: cmd.Use, Summary: cmd.Short}
		add := func(f *pflag.Flag) {
			if !f.Hidden && !strings.HasPrefix(f.Name, "help") {
				described.Options = append(described.Options, optionIn(cmd, f))
			}
		}
		cmd.LocalFlags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		all = append(all, described)
		all = append(all, commandsBelow(cmd, described.Command+" ")...)
	}
	return all
}

// optionIn describes a flag of a command.
func optionIn(cmd *cobra.Command, f *pflag.Flag) optionOf {
	value, help := pflag.UnquoteUsage(f)
	o := optionOf{
		Name: f.Name, Shorthand: f.Shorthand, Type: f.Value.Type(), Value: value, Default: f.DefValue, Help: help,
		Repeated: strings.HasSuffix(f.Value.Type(), "Array"),
	}
	if complete, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
		o.Choices, _ = complete(cmd, nil, "")
	}
	return o
}

// headOf is the first line of the output of frame: the header of a log.
type headOf struct {
	Header [][2]string                 `json:"header"`
	Names  map[string]map[int64]string `json:"names"` // by column and number
}

// frameOptions are the options of the command that prints a log for programs: a line with its
// header, for which CSV has no place, and its jobs as CSV.
type frameOptions struct{ oneLog }

func (o *frameOptions) run(_ context.Context, a *app) (*findings, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	head := headOf{Header: [][2]string{}, Names: map[string]map[int64]string{}}
	for _, f := range log.Header.Fields() {
		head.Header = append(head.Header, [2]string{f.Key, f.Value})
	}
	for _, i := range workload.NamedColumns() {
		column := workload.ColumnAt(i).Name
		if names := log.Header.NamesOf(column); len(names) > 0 {
			head.Names[column] = names
		}
	}
	if err := json.NewEncoder(a.Out).Encode(head); err != nil {
		return nil, err
	}
	out := delimited.NewWriter(a.Out, log.Optional())
	return nil, cmp.Or(logfile.WriteAll(out, log.Batches()), out.Close())
}

// versionOptions are the options of the command version, which git, go and kubectl have too.
type versionOptions struct{ noArgs }

func (versionOptions) run(_ context.Context, a *app) (*findings, error) {
	_, err := fmt.Fprintf(a.Out, "loadstone version %s\n", a.cmd.Root().Version)
	return nil, err
}
