// Command check compares a fresh run of a notebook with the committed one. It
// fails if their outputs differ.
//
//	check COMMITTED FRESH          exit code 1 if outputs differ
//	check -keep COMMITTED FRESH    the fresh run becomes the committed one
//
// A committed notebook must have run without errors, end in a picture, and contain
// no paths of a machine and no times (faults.go); with -keep, the exit code is 1
// otherwise. A Go cell that fails does not stop a run, so output on standard error
// counts as an error.
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

// because returns an error that lists faults; nil if there are none.
func because(what string, faults []string, then string) error {
	if len(faults) == 0 {
		return nil
	}
	for _, f := range faults {
		what += "\n  " + f
	}
	return fmt.Errorf("%s%s", what, then)
}
