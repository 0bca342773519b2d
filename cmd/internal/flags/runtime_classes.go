package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClassesFlag takes ways of classing by commas: names, or columns joined by +.
type ClassesFlag struct {
	Values *[]string
	chain  bool // the last one may be "estimate", and "default" stands for the paper's
}

func (c *ClassesFlag) String() string { return strings.Join(*c.Values, ",") }

func (c *ClassesFlag) Type() string { return "name" }

func (c *ClassesFlag) Set(s string) error {
	names := strings.Split(s, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if c.chain && names[0] == "default" {
		names = append(runtime.FallbackClasses(), names[1:]...)
	}
	seen := map[string]string{} // the first name of the same columns
	for i, v := range names {
		if c.chain && v == "estimate" {
			if err := estimateFault(names, i); err != nil {
				return err
			}
			continue
		}
		classes, err := runtime.ClassesOf(v, workload.Grouping{Named: someClass})
		if err != nil {
			return wordsFault(err)
		}
		columns := fmt.Sprint(slices.Sorted(slices.Values(classes.Words())))
		switch first, ok := seen[columns]; {
		case ok && first == v:
			return fmt.Errorf("saw %q twice", v)
		case ok:
			return fmt.Errorf("%q is the same as %q: want one of them", v, first)
		}
		seen[columns] = v
	}
	*c.Values = names
	return nil
}

// estimateFault says what is wrong with a chain's "estimate" at i: as its end it
// is the user's own, and elsewhere nobody could tell it from classes of equal
// estimates.
func estimateFault(names []string, i int) error {
	const want = "it is the user's own and ends a chain; want it after classes, such as default,estimate"
	switch {
	case i < len(names)-1 && i > 0:
		return fmt.Errorf("saw %q before %q: %s", names[i], names[i+1], want)
	case i == 0:
		return fmt.Errorf("saw %q first: %s", names[i], want)
	}
	return nil
}

// RunTimeClasses adds --classes, --class and --fallback.
func RunTimeClasses(cmd *cobra.Command, list, fallback *[]string, named *[]workload.NamedClass) {
	Named(cmd, named)
	names := append(runtime.ClassesNames(), "all")
	cmd.Flags().Var(&ClassesFlag{Values: list}, "classes",
		"ways of sorting jobs into classes: "+strings.Join(names, ", ")+", or columns, such as user+size:4:16")
	cmd.Flags().Var(&ClassesFlag{Values: fallback, chain: true}, "fallback",
		"score each predictor also with these `classes` in turn, the first with a history: default ("+strings.Join(runtime.FallbackClasses(), ",")+
			"), or a list; estimate, the user's, may end it")
	for _, name := range []string{"classes", "fallback"} {
		completeBy(cmd, name, func(typed string) []string {
			before := typed[:strings.LastIndexByte(typed, ',')+1]
			var out []string
			for _, v := range names {
				out = append(out, before+v)
			}
			return out
		})
	}
}
