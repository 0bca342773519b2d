package inspect

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions say what a description holds beside what every one does.
type DescribeOptions struct {
	Processors int64 // of the machine; 0 stands for what the header says

	Known      bool
	Arrivals   bool    // by the clock of the site, as the header gives it
	Interval   float64 // s, of the load over time; 0 for none
	SizeGroups bool
	// By is words of workload.ParseClasses by commas, any column among them, "" for
	// none. Each value of a column without ranges is a class.
	By    string
	Named []workload.NamedClass // what the word "class" stands for

	Workers int // goroutines that gather; 0 is one a core
}

// ByWords is how DescribeOptions.By is read.
var ByWords = workload.Grouping{Each: true, Measured: true}

// classes are those of By; a nil header is for a check before there is a log.
func (o *DescribeOptions) classes(h *workload.Header) (*workload.Classifier, error) {
	g := ByWords
	g.Named, g.Header = o.Named, h
	c, err := workload.ClassesOf(workload.SplitClasses(o.By), g)
	return c, workload.OptionNamed("by", err)
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
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
