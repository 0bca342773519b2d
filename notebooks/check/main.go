// Command check holds a fresh run of a notebook against the committed one: it
// fails where their numbers differ.
//
//	check COMMITTED FRESH          exit code 1 where outputs differ
//	check -keep COMMITTED FRESH    the fresh run becomes the committed one
//
// A notebook that is kept, or committed, has been run without a fault, ends in a
// picture, and tells of no machine and of no time (faults.go). A Go cell that
// fails does not stop a run, so that what is on standard error is such a fault.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	keep := flag.Bool("keep", false, "write the fresh run to COMMITTED")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: check [-keep] COMMITTED FRESH")
		os.Exit(2)
	}
	if err := run(*keep, flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(keep bool, committedName, freshName string) error {
	fresh, err := read(freshName)
	if err != nil {
		return err
	}
	if keep {
		b, err := fresh.encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(committedName, b, 0o666); err != nil {
			return err
		}
		return because(committedName+" is written, but:", faults(b, fresh), "")
	}
	committed, err := read(committedName)
	if err != nil {
		return err
	}
	return because(committedName+" is not what a run gives:", compare(committed, fresh),
		"\n(bash notebooks/run.sh --keep makes the run the committed one)")
}

// because is an error that lists faults; nil where there are none.
func because(what string, faults []string, then string) error {
	if len(faults) == 0 {
		return nil
	}
	for _, f := range faults {
		what += "\n  " + f
	}
	return fmt.Errorf("%s%s", what, then)
}
