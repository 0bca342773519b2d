package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/predict"
)

// sourceOptions say what is watched: exactly one of the first three.
type sourceOptions struct {
	slurm  bool
	state  string
	replay string

	history     []string
	speed       float64
	interval    flags.Seconds
	historyDays float64
	processors  int64
}

// sources are the flags of which exactly one is needed.
var sources = []string{"slurm", "state", "replay"}

// onlyWith says which sources other flags are for.
var onlyWith = map[string][]string{
	"history-days": {"slurm"},
	"history":      {"state"},
	"speed":        {"replay"},
	"procs":        {"state", "replay"},
}

func addServeFlags(cmd *cobra.Command, o *serveOptions) {
	f, s := cmd.Flags(), &o.source
	s.interval = 30
	f.BoolVar(&s.slurm, "slurm", false, "watch Slurm by its commands: squeue, sacct, scontrol")
	f.StringVar(&s.state, "state", "", "watch this `file` of running and waiting jobs, such as output of squeue; it is read again when it changes")
	f.StringSliceVar(&s.history, "history", nil, "`logs` of jobs that ended before, by commas; they are read again when they change")
	f.StringVar(&s.replay, "replay", "", "replay this `log` as if it were live, for a demo or an evaluation")
	f.Float64Var(&s.speed, "speed", 1000, "seconds of the log that pass in one second")
	f.Var(&s.interval, "interval", "`seconds` between polls, or a time such as 2m; in a replay, of the log, by default --speed if that is more")
	f.Float64Var(&s.historyDays, "history-days", 30, "`days` of sacct's history that a new service learns from first")
	flags.Procs(cmd, &s.processors, "processors of the machine (default: the log's header)")
	f.StringVar(&o.store, "store", "", "`folder` of the store, from which a restart continues (default: nothing is kept)")
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "`address` to listen on; an address that others can reach needs --token-file")
	f.StringVar(&o.http.TokenFile, "token-file", "", "`file` with the token that requests must carry")
	f.BoolVar(&o.live.ShowUsers, "show-users", false, "show the names of users")
	f.StringSliceVar(&o.http.Hosts, "hosts", nil, "further `names` of this machine in URLs, by commas, such as that of a reverse proxy")
	f.StringSliceVar(&o.http.FrameAncestors, "frame-ancestors", nil, "`origins` whose pages may frame the page, by commas, such as https://ondemand.example.org")
	bounds := slices.DeleteFunc(slices.Concat(predict.BoundNames(), predict.BoundVariants()), func(name string) bool { return name == predict.ConformalPoint })
	flags.Enums(cmd, &o.live.Predictors, "predictors", "predictors of bounds", bounds)
	f.Float64Var(&o.live.Confidence, "confidence", o.live.Confidence, "confidence of a bound from past waits")
	addLogFlags(cmd, &o.log)
	f.String("config", "", "`file` with settings, one a line, such as: listen = 127.0.0.1:9000")
	flags.Groups(cmd,
		flags.Group("What to watch, one of them", sources...),
		flags.Group("How to watch it", "interval", "history-days", "history", "speed", "procs"),
		flags.Group("Answers", "store", "predictors", "confidence", "show-users"),
		flags.Group("Requests", "listen", "token-file", "hosts", "frame-ancestors"),
		flags.Group("Operation", "config", "log-format", "log-level"),
	)
	flags.Common(cmd, "slurm", "state", "replay", "speed", "store", "listen", "token-file", "history", "config")
}

// check finds the faults of the options; from says where each is set.
func (o *serveOptions) check(cmd *cobra.Command, from map[string]string) error {
	s := &o.source
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
		return flags.Usagef(cmd, "want exactly one of --%s, saw %s", strings.Join(sources, ", --"), saw)
	}
	for name, sources := range onlyWith {
		if cmd.Flag(name).Changed && !slices.Contains(sources, chosen[0]) {
			return flags.Usagef(cmd, "--%s is for --%s, saw it with --%s", name, strings.Join(sources, " or --"), chosen[0])
		}
	}
	for _, name := range append(slices.Clone(sources), "store", "token-file", "config") {
		if f := cmd.Flag(name); f.Changed && f.Value.String() == "" {
			return flags.Usagef(cmd, "--%s: saw an empty value", name)
		}
	}
	longest := flags.Seconds(86400)
	if s.replay != "" {
		longest = mostSpeed
		if !cmd.Flag("interval").Changed { // a poll a second
			s.interval = max(s.interval, flags.Seconds(s.speed))
		}
	}
	switch {
	case !(s.speed > 0 && s.speed <= mostSpeed):
		return flags.Usagef(cmd, "--speed %g: want a number above 0, at most %g", s.speed, mostSpeed)
	case !(s.interval >= 0.1 && s.interval <= longest):
		return flags.Usagef(cmd, "--interval %v: want 0.1 to %v seconds", &s.interval, &longest)
	case !(s.historyDays >= 0 && s.historyDays <= 3660):
		return flags.Usagef(cmd, "--history-days %g: want 0 to 3660", s.historyDays)
	}
	if err := flags.CheckProcs(cmd, s.processors); err != nil {
		return err
	}
	if err := o.live.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	o.settings = settingsOf(cmd)
	return nil
}

// mostSpeed is more than any log needs.
const mostSpeed = 1e12

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
