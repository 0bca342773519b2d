package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
)

// sourceOptions say what is watched: exactly one of the first three.
type sourceOptions struct {
	Slurm       bool     `opt:"slurm" group:"What to watch, one of them" common:"true" help:"watch Slurm by its commands: squeue, sacct, scontrol"`
	State       string   `opt:"state" common:"true" help:"watch this <file> of running and waiting jobs, such as output of squeue; it is read again when it changes"`
	Replay      string   `opt:"replay" common:"true" help:"replay this <log> as if it were live, for a demo or an evaluation"`
	Interval    float64  `opt:"interval" unit:"seconds" in:"[0.1,1e12]" default:"30" group:"How to watch it" help:"<seconds> between polls, or a time such as 2m; in a replay, of the log, by default --speed if that is more"`
	HistoryDays float64  `opt:"history-days" in:"[0,3660]" usual:"30" for:"slurm" help:"<days> of sacct's history that a new service learns from first"`
	History     []string `opt:"history" for:"state" common:"true" help:"<logs> of jobs that ended before, by commas; they are read again when they change"`
	Speed       float64  `opt:"speed" in:"(0,1e12]" default:"1000" for:"replay" common:"true" help:"seconds of the log that pass in one second"`
	Processors  int64    `opt:"procs" in:"[1,)" for:"state|replay" help:"processors of the machine (default: the log's header)"`
}

// check finds the faults of the options; from says where each is set.
func (o *serveOptions) check(cmd *cobra.Command, from map[string]string) error {
	s := &o.Source
	sources := []string{"slurm", "state", "replay"}
	var chosen, seen []string
	for _, name := range sources {
		if f := cmd.Flag(name); f.Changed && f.Value.String() != "false" {
			chosen = append(chosen, name)
			seen = append(seen, name+" (by "+from[name]+")")
		}
	}
	if len(chosen) != 1 {
		saw := "none"
		if len(seen) > 0 {
			saw = strings.Join(seen, " and ")
		}
		return flags.Usagef("want exactly one of --%s, saw %s", strings.Join(sources, ", --"), saw)
	}
	if err := flags.Check(cmd, o); err != nil {
		return err
	}
	if s.Replay == "" && s.Interval > 86400 {
		return flags.Usagef("--interval %g: want 0.1 to 86400 seconds", s.Interval)
	}
	if s.Replay != "" && !cmd.Flag("interval").Changed { // a poll a second
		s.Interval = max(s.Interval, s.Speed)
	}
	if err := o.Live.Validate(); err != nil {
		return err
	}
	o.settings = settingsOf(cmd)
	return nil
}

// settingsOf are the values of the flags that have one, for the log. Tokens are in files:
// only their names are in it.
func settingsOf(cmd *cobra.Command) []any {
	var all []any
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		if value == "" || value == "[]" || value == "0" || value == "false" || strings.HasPrefix(f.Name, "help") {
			return
		}
		all = append(all, f.Name, value)
	})
	return all
}
