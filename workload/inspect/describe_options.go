package inspect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions say what a description holds beside what every one does.
type DescribeOptions struct {
	Processors int64 // of the machine; 0 stands for what the header says

	Known        bool
	Arrivals     bool    // by the clock of the site, as the header gives it
	Interval     float64 // s, of the load over time; 0 for none
	SizeGroups   bool
	Stationarity bool
	By           string // one of ByColumns, "" for none

	Workers int // goroutines that gather; 0 is one a core
}

// ByColumns returns the columns that DescribeOptions.By takes: all but the number
// of the job, of which every job has its own.
func ByColumns() []string {
	var names []string
	for i, c := range workload.Columns() {
		if i != workload.ColJobID {
			names = append(names, c.Name)
		}
	}
	return names
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *DescribeOptions) Validate() error {
	switch {
	case o.Processors < 0:
		return &workload.OptionError{Option: "processors", Saw: strconv.FormatInt(o.Processors, 10), Want: "1 or more, or 0 for what the header says"}
	case !(o.Interval >= 0) || math.IsInf(o.Interval, 0):
		return &workload.OptionError{Option: "interval", Saw: fmt.Sprint(o.Interval), Want: "a number of seconds above 0, or 0 for no load over time"}
	case o.By != "" && !slices.Contains(ByColumns(), o.By):
		return &workload.OptionError{Option: "by", Saw: strconv.Quote(o.By), Want: "one of " + strings.Join(ByColumns(), ", ")}
	}
	return nil
}
