package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

type compareOptions struct {
	evaluate.CompareOptions
	WaitFrom queuedFrom     `group:"What is compared"`
	Twin     verdictOptions `group:"A twin of a log"`
	Result   resultOptions  `group:"The result"`
	Sections []string       `opt:"section" help:"tables to print (default all; with --schedule all but sizes and correlations, which the verdict has)"`
	Plots    plotOptions    `of:"distributions and daily cycles"`

	inputs []string
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *compareOptions) Choices(option string) []string {
	if option == "section" {
		return tables.ComparedSections
	}
	return nil
}

// verdictOptions are the options of a verdict.
type verdictOptions struct {
	evaluate.VerdictOptions
	Like                  bool `opt:"like" help:"compare A with a twin of it, as 'generate --like' makes it"`
	thresholds.Conditions `of:"factor(wait_mean_s,easy)<=1.4|ratio, factor, difference, distance"`

	requirements []thresholds.Requirement
}

// twinName is the name of the twin of --like.
const twinName = "twin"

func (o *compareOptions) args(args []string) error {
	o.inputs = args
	if o.Twin.Like {
		o.inputs = append(slices.Clip(args), twinName)
		return new(oneLog).args(args)
	}
	if len(args) != 2 {
		return fmt.Errorf("want two logs or models, saw %d (--like compares one log with twins of it)", len(args))
	}
	if slices.Contains(args, "") {
		return fmt.Errorf("a log's name is empty: want a file, a model, or - for standard input")
	}
	if args[0] == "-" && args[1] == "-" {
		return fmt.Errorf("standard input can be read only once, saw - 2 times")
	}
	return nil
}

func (o *compareOptions) check(a *app) (err error) {
	v := &o.Twin.VerdictOptions
	if slices.ContainsFunc(opt.Fields(&o.Twin), func(f *opt.Field) bool { return a.given(f.Name) }) {
		o.Verdict = v
	}
	if err := v.Validate(); err != nil {
		return err
	}
	o.Twin.requirements, err = o.Twin.Parse("factor(wait_mean_s,easy)<=1.4", evaluate.VerdictMetrics(), func(r thresholds.Requirement) error {
		if err := v.CheckCondition(r.Metric, r.Of); err != nil {
			return fmt.Errorf("%q: %w", r.Text, err)
		}
		return nil
	})
	return err
}

func (o *compareOptions) run(ctx context.Context, a *app) (*findings, error) {
	var inputs [2]evaluate.CompareInput
	for i, input := range o.inputs {
		in := evaluate.CompareInput{Name: nameOf(o.inputs, i), About: input}
		if i == 1 && o.Twin.Like {
			in.Like = true
		} else if a.isModel(input) {
			var err error
			if in.Model, err = a.readModel(input, nil); err != nil {
				return nil, err
			}
		} else {
			in.Open = func() (*workload.Log, error) { return a.open(input) }
		}
		inputs[i] = in
	}
	r, err := evaluate.Compare(ctx, inputs, o.CompareOptions)
	switch {
	case errors.Is(err, workload.ErrNoMachine):
		return nil, fmt.Errorf("%s: %w: give --procs", o.inputs[0], err)
	case err != nil:
		return nil, err
	}
	for _, remark := range view.Warnings(r.Warnings) { // whose texts name their inputs
		a.warn("%s", remark.Text)
	}
	return &findings{
		about:  o.inputs[0],
		plots:  func() []figure.Spec { return figure.OfCompared(r) },
		result: tables.Compared(r.Compared, o.Sections),
		unmet: func() ([]string, error) {
			return thresholds.Faults(o.Twin.requirements, func(q thresholds.Requirement) (float64, string) {
				return evaluate.ConditionValue(r.Compared, q.Metric, q.Of)
			}), nil
		},
	}, nil
}

// nameOf returns the name of an input: the base name of the file, or its whole path
// if another input has the same base name.
func nameOf(inputs []string, i int) string {
	name := filepath.Base(inputs[i])
	for k, other := range inputs {
		if k != i && filepath.Base(other) == name {
			return inputs[i]
		}
	}
	return name
}
