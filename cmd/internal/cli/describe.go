package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type describeOptions struct {
	oneLog
	Sections []string        `opt:"section" all:"true" common:"true" help:"sections to print (default summary,columns)"` // none: the default ones
	Every    reshape.Seconds `opt:"interval" default:"1w" common:"true" help:"<length> of the load's intervals: a number with unit s, m, h, d or w"`
	inspect.DescribeOptions
	Plots    plotOptions `of:"submissions over time"`
	WaitFrom countFrom
	Result   resultOptions
}

// Choices are the values of options that take one of some.
func (o *describeOptions) Choices(option string) []string {
	if option == "section" {
		return tables.Sections
	}
	return nil
}

func (o *describeOptions) args(args []string) error {
	if len(args) == 2 {
		return fmt.Errorf("want one log, saw %q: 'loadstone compare' takes two", args)
	}
	return o.oneLog.args(args)
}

// check asks for what the sections show.
func (o *describeOptions) check(a *app) error {
	if a.given("interval") && len(o.Sections) == 0 {
		o.Sections = []string{tables.SummarySection, tables.LoadSection}
	}
	has := func(section string) bool { return slices.Contains(o.Sections, section) }
	csv := o.Result.Format == "csv" || strings.EqualFold(filepath.Ext(o.Result.Output), ".csv")
	switch {
	case a.given("interval") && !has(tables.LoadSection):
		return flags.Usagef("--interval is for the section load: add load to --section")
	case csv && o.By == "" && len(o.Sections) > 1:
		return flags.Usagef("CSV holds one table: want one section, saw %s", strings.Join(o.Sections, ","))
	}
	o.Arrivals = has(tables.ArrivalsSection)
	if has(tables.LoadSection) {
		o.Interval = float64(o.Every)
	}
	return nil
}

func (o *describeOptions) run(ctx context.Context, a *app) (*findings, error) {
	d, err := fromLog(a, o.input, func(log *workload.Log) (*inspect.Description, error) {
		return inspect.Describe(ctx, log, o.DescribeOptions)
	})
	if err != nil {
		return nil, err
	}
	return &findings{
		about:   o.input,
		remarks: view.Warnings(d.Warnings),
		plots:   func() []figure.Spec { return figure.OfDescription(d) },
		result:  tables.Description(d, o.Sections),
	}, nil
}
