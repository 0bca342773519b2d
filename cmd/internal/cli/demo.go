package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type demoOptions struct {
	Folder string `opt:"output,o" file:"folder" default:"loadstone-demo" help:"<folder> for the files"`

	input string // the user's log; "" to make one
}

func (o *demoOptions) args(args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("accepts at most 1 arg(s), received %d", len(args))
	case len(args) == 1 && args[0] == "-":
		return fmt.Errorf("a demo reads its log more than once: want a file, not standard input")
	case len(args) == 1:
		o.input = args[0]
	}
	return nil
}

// demoStep is a command and the question that it answers.
type demoStep struct {
	question string
	args     []string
	lacks    string // why the step is skipped, such as what the log lacks; "" to run it
	makes    string // file that later steps read; "" for none
	needs    string // file of an earlier step, without which this one is skipped; "" for none
}

func (o *demoOptions) run(ctx context.Context, a *app) (*findings, error) {
	if err := a.makeFolder(o.Folder); err != nil {
		return nil, err
	}
	var steps []demoStep
	var err error
	if o.input == "" {
		steps = demoOwn(o.Folder)
	} else {
		steps, err = demoOf(ctx, a, o)
	}
	if err != nil {
		return nil, err
	}
	made := map[string]bool{o.input: true, "": true}
	a.warned = map[string]bool{}
	for _, s := range steps {
		if s.lacks == "" && !made[s.needs] {
			s.lacks = "there is no " + s.needs
		}
		done, err := a.demoRun(ctx, s, o.input != "")
		if err != nil {
			return nil, err
		}
		made[s.makes] = made[s.makes] || done
	}
	end := ""
	if picture := filepath.Join(o.Folder, "run-times.svg"); made[picture] {
		end = view.Message("Open %s first: the run times of the log and of its model.\n", picture) +
			commandLine("Busier: loadstone", []string{"generate", "--model", filepath.Join(o.Folder, "model.json"), "--load", "0.9", "-o", "busy.swf"}) + "\n"
	}
	if o.input == "" {
		end += "The same steps on a log of your own (SWF, sacct, CSV, Parquet, ...): loadstone demo LOG\n" +
			"Its summary: loadstone describe LOG; a page to share: loadstone report LOG -o report.html\n"
	} else {
		end += commandLine("A summary: loadstone", []string{"describe", o.input}) + "\n" +
			commandLine("A page to share: loadstone", []string{"report", o.input, "-o", "report.html"}) + "\n"
	}
	_, err = io.WriteString(a.Out, end)
	return nil, err
}

// demoOwn returns the steps that make a log from the model of the demo's site and use
// that log.
func demoOwn(folder string) []demoStep {
	in := func(name string) string { return filepath.Join(folder, name) }
	jobs, log := in("jobs.swf"), in("log.swf")
	return append([]demoStep{
		{question: "What do 80 users submit in 16 weeks? Jobs drawn from a model of a synthetic site.",
			args: []string{"generate", "--model", model.Demo, "--seed", "1", "-o", jobs}},
		{question: "How long do their jobs wait? The site's scheduler is EASY backfilling.",
			args: []string{"simulate", jobs, "--policy", "easy", "-o", log}, makes: log},
	}, demoSteps(folder, log, log, &surveyed{users: true, waits: true, estimates: true})...)
}

// demoOf returns the steps for the user's log.
func demoOf(ctx context.Context, a *app, o *demoOptions) ([]demoStep, error) {
	log, err := surveyDemo(ctx, a, o.input)
	if err != nil {
		return nil, err
	}
	simulated := filepath.Join(o.Folder, site.NameOf(o.input)+"-easy.parquet")
	s := demoStep{question: "How long would its jobs wait under EASY backfilling?", makes: simulated,
		args: append([]string{"simulate", o.input, "--policy", "easy", "-o", simulated}, machineFlag(log)...)}
	if !log.estimates {
		s.question += " It has no users' estimates: perfect ones."
		s.args = append(s.args, "--estimates", "perfect")
	}
	waits := o.input
	if !log.waits {
		waits = simulated
	}
	return append([]demoStep{s}, demoSteps(o.Folder, o.input, waits, log)...), nil
}

// machineFlag returns the flag for the size of the machine, nil if the log has it.
func machineFlag(has *surveyed) []string {
	if has.standIn == 0 {
		return nil
	}
	return []string{"--procs", fmt.Sprint(has.standIn)}
}

// demoSteps returns the steps common to the demo's log and the user's. The waits to predict are
// in the file waits.
func demoSteps(folder, log, waits string, has *surveyed) []demoStep {
	model := filepath.Join(folder, "model.json")
	onMachine := func(args ...string) []string { return append(args, machineFlag(has)...) }
	noUsers := ""
	predictors, classes := "last2,estimate,kernel", "user"
	if !has.estimates {
		predictors = "last2,kernel"
	}
	if !has.users {
		noUsers, classes = "the log does not say whose the jobs are, and the model is of users", "site"
	}
	question := "How well can a bound on the wait be predicted at submission, from past waits?"
	if !has.waits {
		question += " The log has none: those of EASY."
	}
	return []demoStep{
		{question: "How long do jobs run, by the processors that they use?",
			args: onMachine("describe", log, "--by", "size:1:4:16")},
		{question: "Which distribution do the run times follow?",
			args: []string{"fit", log, "--family", "log-normal,weibull", "--site", "none"}},
		{question: "A model of the site: its users, their sessions and their jobs.",
			args: onMachine("fit", log, "-o", model), lacks: noUsers, makes: model},
		{question: "How far are jobs that are drawn from the model from those of the log?",
			args: []string{"compare", log, model, "-q", "--section", "distances", "--plots", folder}, lacks: noUsers, needs: model, makes: filepath.Join(folder, "run-times.svg")},
		{question: "How well can a run time be predicted when the job is submitted?",
			args: []string{"runtime", log, "--predictors", predictors, "--classes", classes}},
		{question: question,
			args: onMachine("predict", waits, "--predictors", "bmbp,qbets"), needs: waits},
	}
}

// demoRun prints a step and runs its command. If anyLog is set, a failure means that the user's
// log is not suitable, and the step counts as skipped. done reports whether the command succeeded.
func (a *app) demoRun(ctx context.Context, s demoStep, anyLog bool) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	text := view.Message("# %s\n", s.question)
	if s.lacks == "" {
		text += commandLine("$ loadstone", s.args) + "\n"
	}
	if _, err := io.WriteString(a.Out, text); err != nil {
		return false, err
	}
	if s.lacks == "" {
		err := a.step(func(sub *app) error {
			root := sub.root()
			root.SetArgs(s.args)
			return root.ExecuteContext(ctx)
		})
		switch {
		case err != nil && (!anyLog || ctx.Err() != nil):
			return false, err
		case err != nil:
			s.lacks = err.Error()
		}
	}
	if s.lacks != "" {
		_, err = io.WriteString(a.Out, view.Message("skipped: %s\n\n", s.lacks))
		return false, err
	}
	_, err = fmt.Fprintln(a.Out)
	return true, err
}

// commandLine returns a command for a shell, broken into lines of at most
// view.MostColumns characters.
func commandLine(command string, args []string) string {
	line := len(command)
	for _, arg := range args {
		if strings.ContainsAny(arg, " \t'\"$&|;<>()*?\\`#~!{}") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		arg = view.Message("%s", arg)
		if line+1+len(arg) > view.MostColumns-len(` \`) {
			command, line = command+" \\\n   ", len("   ")
		}
		command, line = command+" "+arg, line+1+len(arg)
	}
	return command
}

// step runs a command and puts its files in place, so that the next one can read them. The
// command's remarks go to standard output, below its command line. Later steps do not repeat its
// warnings.
func (a *app) step(run func(*app) error) error {
	sub := &app{Streams: Streams{a.In, a.Out, a.Out}, ctx: a.ctx, globalOptions: a.globalOptions, warned: a.warned}
	defer a.outputs.Keep(&sub.outputs)()
	return sub.settle(run(sub))
}

// surveyed holds the properties of a log on which the demo depends.
type surveyed struct {
	users, waits, estimates bool  // whether they are known for some job
	standIn                 int64 // number of processors to assume if the log has none; else 0
}

// surveyDemo surveys a log. It warns if the log does not have the number of processors of its
// machine.
func surveyDemo(ctx context.Context, a *app, name string) (*surveyed, error) {
	d, err := fromLog(a, name, func(log *workload.Log) (*inspect.Description, error) {
		return inspect.Describe(ctx, log, inspect.DescribeOptions{})
	})
	if err != nil {
		return nil, err
	}
	known := func(column string) bool { return d.Columns[column].Known > d.Columns[column].Negative }
	has := &surveyed{users: d.Users.Known(), waits: known("wait_time_s"), estimates: d.Columns["requested_time_s"].Max > 0}
	largest := int64(d.Columns["size_processors"].Max)
	if d.Log.Processors.Known() || !known("size_processors") {
		return has, nil
	}
	v, err := fromLog(a, name, func(log *workload.Log) (inspect.Validation, error) {
		return inspect.Validate(ctx, log, inspect.ValidateOptions{Processors: 1, Rules: []string{"machine-over-full"}})
	})
	what := "as many as the largest job has"
	if has.standIn = largest; err == nil && v.Busy != nil && v.Busy.Peak >= largest {
		has.standIn, what = v.Busy.Peak, "the most in use at once"
	}
	a.warn("%s: the log does not say how many processors the machine has: the demo assumes %d, %s; if you know the number, run the commands yourself with that --procs", name, has.standIn, what)
	return has, err
}
