package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/change"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fittedOptions are of 'compare --fitted' and 'compare --at', and of the flags of
// fit that they were.
type fittedOptions struct {
	change.Options
	inputs []string // one with At, else two
	result resultOptions
}

// addFittedFlags adds the flags of 'compare --fitted'.
func addFittedFlags(cmd *cobra.Command, f *fitFlags, asked *bool, o *fittedOptions) {
	set := cmd.Flags()
	set.BoolVar(asked, "fitted", false, "compare laws fitted to two logs, parameter by parameter")
	set.StringVar(&o.At, "at", "", "the same of one log, before and after this moment: a date, or seconds from the log's start")
	f.attributes = []string{string(fit.RunTime)}
	flags.Enums(cmd, &f.attributes, "attribute", "what the laws are fitted to", attributeNames())
	flags.Enum(cmd, &o.Family, "family", "family of laws (default: uniform-log for run times, else hyper-gamma)", fit.Families())
	set.IntSliceVar(&f.status, "status", nil, "only jobs with these status codes, such as 1 for completed")
	addLawFlags(cmd, f, &o.Fit)
}

// fittedFlags are the flags that mean something with --fitted and --at only.
var fittedFlags = append([]string{"attribute", "family", "status"}, lawFlags...)

// readFitted turns what was typed into options.
func (f *fitFlags) readFitted(cmd *cobra.Command, o *fittedOptions) error {
	for _, name := range f.attributes {
		o.Attributes = append(o.Attributes, fit.Attribute(name))
	}
	for _, code := range f.status {
		o.Status = append(o.Status, int64(code))
	}
	if err := f.readLaws(cmd, &o.Fit); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	return nil
}

func runCompareFitted(ctx context.Context, a *app, o fittedOptions) error {
	if err := a.notOver(o.inputs, o.result.output); err != nil {
		return err
	}
	var logs [2]*workload.Log
	for i, input := range o.inputs {
		log, err := a.open(input)
		if err != nil {
			return err
		}
		defer log.Close()
		logs[i] = log
	}
	o.Work = a.progress.Work
	r, err := change.Logs(ctx, logs[0], logs[1], o.Options)
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		a.warn("%s: %s", w.About, w)
	}
	return a.put(o.result, changesResult(r))
}

// changeRow is one number that is compared.
type changeRow struct {
	of change.Comparison
	change.Change
}

// changeColumns are those of the CSV.
func changeColumns() []present.Column[changeRow] {
	type row = changeRow
	text := func(name string, of func(row) string) present.Column[row] { return present.Text(name, "", of) }
	columns := []present.Column[row]{
		text("attribute", func(r row) string { return string(r.of.Attribute) }),
		text("family", func(r row) string { return r.of.Family }),
		text("name", func(r row) string { return r.Name }),
	}
	for _, side := range []struct {
		name string
		of   func(row) change.Bounded
	}{
		{"a", func(r row) change.Bounded { return r.A }},
		{"b", func(r row) change.Bounded { return r.B }},
		{"difference", func(r row) change.Bounded { return r.Difference }},
	} {
		number := func(name string, of func(change.Bounded) stats.Number) present.Column[row] {
			return present.Float(name, "", func(r row) stats.Number { return of(side.of(r)) }, nil)
		}
		columns = append(columns,
			number(side.name, func(b change.Bounded) stats.Number { return b.Value }),
			number(side.name+"_low", func(b change.Bounded) stats.Number { return b.Low }),
			number(side.name+"_high", func(b change.Bounded) stats.Number { return b.High }))
	}
	return append(columns, text("differs", func(r row) string { return strconv.FormatBool(r.Differs) }))
}

// changesResult is the result in its three forms.
func changesResult(r *change.Result) result {
	var rows []changeRow
	for _, c := range r.Comparisons {
		for _, x := range c.Changes {
			rows = append(rows, changeRow{c, x})
		}
	}
	return result{text: func(w io.Writer) error { return writeChanges(w, r) }, json: r, csv: present.CSV(changeColumns(), rows)}
}

// writeChanges is the table for people.
func writeChanges(w io.Writer, r *change.Result) error {
	bounded := func(b change.Bounded) string {
		return fmt.Sprintf("%s [%s, %s]", present.Sig(b.Value), present.Sig(b.Low), present.Sig(b.High))
	}
	for i, c := range r.Comparisons {
		if i > 0 {
			fmt.Fprintln(w)
		}
		io.WriteString(w, message("%s: %s (%d jobs) and %s (%d jobs), %s\n\n", c.Attribute, c.A.Label, c.A.Jobs, c.B.Label, c.B.Jobs, c.Family))
		t := present.Table{Head: []string{"", c.A.Label, c.B.Label, "difference", "changed"}}
		for _, x := range c.Changes {
			changed := "no"
			if x.Differs {
				changed = "yes"
			}
			t.Add(x.Name, bounded(x.A), bounded(x.B), bounded(x.Difference), changed)
		}
		if err := t.WriteTable(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "\nintervals at %s by the block bootstrap, blocks of %s and %s jobs, %d replicates\nD %s at %s, p-value %s by blocks (%s if jobs were independent)\n",
			present.Sig(c.Level), present.Sig(c.A.Block), present.Sig(c.B.Block), c.Replicates,
			present.Fixed(c.KS.D, 4), present.Sig(c.KS.At), present.Sig(c.KS.PValue), present.Sig(c.KS.Asymptotic))
		if err != nil {
			return err
		}
	}
	return nil
}
