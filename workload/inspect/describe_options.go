package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions selects the optional parts of a description. The zero value selects none.
type DescribeOptions struct {
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`

	Known      bool    // for each column, the share of jobs with a value
	Arrivals   bool    // by hour and weekday, on the site's clock as the header gives it
	Interval   float64 // s, length of the intervals of the load over time; 0 for none
	SizeGroups bool    // run times by size
	// By is a comma-separated list of columns and ranges as workload.ParseClasses reads it;
	// "" for no breakdown. Each value of a column without ranges is a class of its own.
	By    string                `opt:"by" common:"true" help:"summarise the jobs of each class, or by month"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for

	Workers int // goroutines; 0 means one per core
}

// byWords is the grouping with which DescribeOptions.By is parsed.
var byWords = workload.Grouping{Each: true, Measured: true}

// Grouping is that of ways to sort jobs.
func (o *DescribeOptions) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return &byWords
	}
	return nil
}

// classes are those of By; a nil header is for a check before there is a log.
func (o *DescribeOptions) classes(h *workload.Header) (*workload.Classifier, error) {
	g := byWords
	g.Named, g.Header = o.Named, h
	c, err := workload.ClassesOf(workload.SplitClasses(o.By), g)
	return c, workload.OptionNamed("by", err)
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *DescribeOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case !(o.Interval >= 0) || math.IsInf(o.Interval, 0):
		return workload.OptionFault("interval", o.Interval, "a number of seconds above 0, or 0 for no load over time")
	case o.By != "":
		_, err := o.classes(nil)
		return err
	}
	return nil
}
