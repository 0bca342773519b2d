package runtime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Ways are ways of sorting jobs into classes: ClassesNames, or columns joined by +. As a
// text they have commas between them.
type Ways []string

func (w *Ways) String() string { return strings.Join(*w, ",") }

// Type names the value of a flag.
func (w *Ways) Type() string { return "name" }

// SortsJobs marks the option of a way of sorting jobs.
func (w *Ways) SortsJobs() {}

// Set reads a text. An error is a *workload.OptionError.
func (w *Ways) Set(text string) error {
	names := workload.SplitList(text)
	err := distinct(names)
	if err == nil {
		*w = names
	}
	return err
}

// distinct refuses names that are none of classes, and two of the same columns.
func distinct(names []string) error {
	named := []workload.NamedClass{{Name: "some", Values: []string{"1"}}} // which are not known yet
	seen := map[string]string{}                                           // the first name of the same columns
	for _, name := range names {
		classes, err := ClassesOf(name, workload.Grouping{Named: named})
		if err != nil {
			return err
		}
		columns := fmt.Sprint(slices.Sorted(slices.Values(classes.Words())))
		switch first, ok := seen[columns]; {
		case ok && first == name:
			return workload.OptionFault("classes", strconv.Quote(name)+" twice", "each once")
		case ok:
			return workload.OptionFault("classes", fmt.Sprintf("%q, the same as %q", name, first), "one of them")
		}
		seen[columns] = name
	}
	return nil
}

// Chain are Ways of which the first with a history predicts. "default" at the front stands
// for FallbackClasses, and "estimate", the user's own, may be the last.
type Chain []string

func (c *Chain) String() string { return strings.Join(*c, ",") }

// Type names the value of a flag.
func (c *Chain) Type() string { return "name" }

// SortsJobs marks the option of a way of sorting jobs.
func (c *Chain) SortsJobs() {}

// Set reads a text. An error is a *workload.OptionError.
func (c *Chain) Set(text string) error {
	names := workload.SplitList(text)
	if names[0] == "default" {
		names = append(FallbackClasses(), names[1:]...)
	}
	classes := names
	if last := len(names) - 1; last > 0 && names[last] == "estimate" {
		classes = names[:last]
	}
	if i := slices.Index(classes, "estimate"); i >= 0 {
		saw := strconv.Quote("estimate")
		if i > 0 {
			saw += " before " + strconv.Quote(names[i+1])
		}
		return workload.OptionFault("fallback", saw, "it after classes, such as default,estimate: it is the user's own and ends a chain")
	}
	err := distinct(classes)
	if err == nil {
		*c = names
	}
	return err
}
