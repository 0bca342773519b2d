package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// reportLog is what the commands found in one log: their results in the form of
// their JSON, and what pictures need beside.
type reportLog struct {
	o     reportOptions
	input string
	name  string
	id    string // before the identifiers of its figures

	mu    sync.Mutex
	heard map[string]heard  // of each part
	why   map[string]string // why a part has no result

	describe  *inspect.Description
	validate  inspect.Validation
	fitted    *survey.Result
	others    *survey.Result // of sizes and interarrival times
	bounded   *survey.Result // of run times, with intervals
	remaining *fitLifetimesJSON
	scores    *evaluate.RunTimesResult
	waited    *evaluate.WaitsResult
	pictures  []figure.Picture // of scores and waited
}

// picturesFolder is where the pictures would go, were they not kept for the page.
const picturesFolder = "."

// saidBy is what a command remarked.
type saidBy struct {
	command, text string
	warning       bool
}

// dayInterval and hourInterval are the stretches of the load over time of long
// and of short logs.
const (
	dayInterval  = "1d"
	hourInterval = "1h"
	shortLog     = 14 * 86400 // s
)

// reportLog runs the commands on one log. That the log cannot be read is an
// error; that a command finds nothing in it is not.
func (a *app) reportLog(ctx context.Context, o reportOptions, input, name string, i int) (*reportLog, error) {
	l := &reportLog{o: o, input: input, name: name, why: map[string]string{}, heard: map[string]heard{}}
	if len(o.inputs) > 1 {
		l.id = fmt.Sprintf("log%d-", i+1)
	}
	if err := l.describeAll(ctx, a); err != nil {
		return nil, err
	}
	steps := []struct {
		part string
		run  func(context.Context, *app) error
		err  error
	}{
		// The longest first: they run side by side.
		{predictReport, l.runPredict, nil}, {"fit", l.runFit, nil}, {runtimeReport, l.runRuntime, nil}, {lifetimesReport, l.runLifetimes, nil}, {intervalsReport, l.runIntervals, nil}, {othersReport, l.runOthers, nil}, {"validate", l.runValidate, nil},
	}
	par.Each(0, len(steps), func(i int) {
		if s := &steps[i]; !slices.Contains(o.without, s.part) {
			s.err = s.run(ctx, a)
		}
	})
	for _, s := range steps {
		var input *workload.InputError
		switch {
		case slices.Contains(o.without, s.part):
			l.why[s.part] = "It was left out by --without " + s.part + "."
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case s.err == nil:
		case errors.As(s.err, &input) && !errors.Is(s.err, workload.ErrNoJobs):
			return nil, s.err
		default:
			l.why[s.part] = l.plain(s.err.Error())
		}
	}
	l.ownIntervals()
	if l.scores != nil {
		l.pictures = figure.OfRunTimes(l.scores)
	}
	if l.waited != nil {
		l.pictures = append(l.pictures, figure.OfWaits(l.waited)...)
	}
	return l, nil
}

// plain is a remark without the log's name before it, as a sentence.
func (l *reportLog) plain(text string) string {
	for _, prefix := range []string{l.input + ": ", l.name + ": "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return sentence(text)
}

// sentence begins with a capital, if it begins with a word, and ends with a full
// stop.
func sentence(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if text == "" {
		return ""
	}
	if first > 1 || first < 0 {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// heard is a command as it would be typed, and what it said.
type heard struct {
	typed string
	said  []saidBy
}

// reportParts are in the order in which a page speaks of them.
var reportParts = []string{"describe", "validate", "fit", othersReport, intervalsReport, lifetimesReport, runtimeReport, predictReport, "compare"}

// typed are the commands whose numbers are on the page.
func (l *reportLog) typed() []string {
	var all []string
	for _, part := range reportParts {
		if h, ok := l.heard[part]; ok {
			all = append(all, h.typed)
		}
	}
	return all
}

// said is what the commands said, each remark once.
func (l *reportLog) said() []saidBy {
	var all []saidBy
	for _, part := range reportParts {
		for _, s := range l.heard[part].said {
			if !slices.ContainsFunc(all, func(other saidBy) bool { return other.text == s.text }) {
				all = append(all, s)
			}
		}
	}
	return all
}

// step is a command as somebody would type it, with what it says and draws kept
// for the page. The function returned takes it down when the command is done.
func (l *reportLog) step(a *app, part, name string, flags ...string) (sub *app, args []string, done func()) {
	inputs := []string{l.input}
	if part == "compare" {
		inputs = l.o.inputs
	}
	if l.o.processors > 0 && part != runtimeReport && part != "compare" && !slices.Contains(flags, "--lifetimes") {
		flags = append(flags, "--procs", strconv.FormatInt(l.o.processors, 10))
	}
	typed := []string{"loadstone", name}
	for _, in := range inputs {
		typed = append(typed, shellWord(in))
	}
	for _, f := range flags {
		typed = append(typed, shellWord(f))
	}
	if a.timezone != "" {
		typed = append(typed, "--timezone", shellWord(a.timezone))
	}
	if len(a.columns) > 0 {
		typed = append(typed, "--map", shellWord(a.columns.String()))
	}
	var remarks bytes.Buffer
	sub = &app{Streams: Streams{a.In, io.Discard, &remarks}, ctx: a.ctx, cmd: a.cmd, timezone: a.timezone, columns: a.columns}
	if !a.quiet { // remarks are for the page all the same
		sub.progress = a.progress
	}
	return sub, append(append(flags, "--"), inputs...), func() {
		h := heard{typed: strings.Join(typed, " ")}
		for _, line := range strings.Split(remarks.String(), "\n") {
			kind, text, ok := strings.Cut(line, ": ")
			if !ok || kind != "warning" && kind != "note" {
				text = line
			}
			if text != "" {
				h.said = append(h.said, saidBy{name, l.plain(text), kind == "warning"})
			}
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.heard[part] = h
	}
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// typedOptions are a command's options as it reads them from its arguments.
func typedOptions[O any](ctx context.Context, a *app, command func(*app, func(context.Context, *app, O) error) *cobra.Command, args []string) (O, error) {
	var got O
	cmd := command(a, func(_ context.Context, _ *app, o O) error { got = o; return nil })
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return got, cmd.ExecuteContext(ctx)
}
