package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Key is a class of one way of classing.
type Key = workload.ClassKey

// Classes is a way of sorting jobs into classes by what is known of them at
// submission: jobs that agree in all its columns are one class, and predictors
// learn for each class on its own.
type Classes struct {
	Name string               // the label in results
	By   *workload.Classifier // nil: all jobs are one class
}

// Key gives a request's class. An unknown value is workload.Unknown in it, a
// value like another.
func (c Classes) Key(r *workload.Request) Key { return c.By.RequestKey(r) }

// Columns returns the names of the columns that make the classes.
func (c Classes) Columns() []string {
	var names []string
	for _, column := range c.By.Columns() {
		names = append(names, column.Column)
	}
	return names
}

// ClassesNames lists the ways of Sonmez and others (2009), section 3.1, from
// the coarsest to the finest. A site is the log's partition.
func ClassesNames() []string { return []string{"site", "user", "user-site", "user-app-size-site"} }

// ClassesByName returns one of ClassesNames, or the classes of words of
// workload.ParseClasses joined by "+", each value of an amount a class. The words
// "kind" and "class" are errors: they need a log's header.
func ClassesByName(name string) (Classes, error) {
	return ClassesOf(name, workload.Grouping{Plain: true})
}

// ClassesOf returns the classes of a name, as ClassesByName does, with what the
// grouping says of the words "class" and "kind".
func ClassesOf(name string, g workload.Grouping) (Classes, error) {
	words := name
	if slices.Contains(ClassesNames(), name) {
		words = strings.ReplaceAll(name, "-", "+")
	}
	g.Submitted, g.Each = true, true
	by, err := workload.ClassesOf(workload.SplitClasses(words), g)
	var fault *workload.OptionError
	if errors.As(err, &fault) {
		fault.Want += "; or one of " + strings.Join(ClassesNames(), ", ")
	}
	if err != nil {
		return Classes{}, err
	}
	return Classes{name, by}, nil
}

// Validate returns a *workload.OptionError where a column is not known at submission.
func (c Classes) Validate() error {
	for _, name := range c.Columns() {
		if !workload.FindColumn(name).Submitted() {
			return workload.OptionFault("classes", fmt.Sprintf("%q: %s is not known at submission", c.Name, name), "columns that are")
		}
	}
	return nil
}
