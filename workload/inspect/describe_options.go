package inspect

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions selects the optional parts of a description. The zero value selects none.
type DescribeOptions struct {
	Processors int64 // of the machine; 0 takes the header's value

	Known      bool    // for each column, the share of jobs with a value
	Arrivals   bool    // by hour and weekday, on the site's clock as the header gives it
	Interval   float64 // s, length of the intervals of the load over time; 0 for none
	SizeGroups bool    // run times by size
	// By is a comma-separated list of columns and ranges as workload.ParseClasses reads it;
	// "" for no breakdown. Each value of a column without ranges is a class of its own.
	By    string
	Named []workload.NamedClass // the classes that the word "class" in By stands for

	Workers int // goroutines; 0 means one per core
}

// ByWords is the grouping with which DescribeOptions.By is parsed.
var ByWords = workload.Grouping{Each: true, Measured: true}

// classes are those of By; a nil header is for a check before there is a log.
func (o *DescribeOptions) classes(h *workload.Header) (*workload.Classifier, error) {
	g := ByWords
	g.Named, g.Header = o.Named, h
	c, err := workload.ClassesOf(workload.SplitClasses(o.By), g)
	return c, workload.OptionNamed("by", err)
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *DescribeOptions) Validate() error {
	switch {
	case o.Processors < 0:
		return &workload.OptionError{Option: "processors", Saw: strconv.FormatInt(o.Processors, 10), Want: "1 or more, or 0 for what the header says"}
	case !(o.Interval >= 0) || math.IsInf(o.Interval, 0):
		return &workload.OptionError{Option: "interval", Saw: fmt.Sprint(o.Interval), Want: "a number of seconds above 0, or 0 for no load over time"}
	case o.By != "":
		_, err := o.classes(nil)
		return err
	}
	return nil
}
