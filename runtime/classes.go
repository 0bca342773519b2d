package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Key identifies a class of one classification.
type Key = workload.ClassKey

// Classes is a classification of jobs by columns that are known at submission: jobs
// that agree in all of these columns are in one class, and predictors
// learn for each class separately.
type Classes struct {
	Name string               // label in results
	By   *workload.Classifier // nil means that all jobs are in one class
}

// Key returns the class of a request. An unknown value is workload.Unknown, and counts as a
// value like any other.
func (c Classes) Key(r *workload.Request) Key { return c.By.RequestKey(r) }

// Columns returns the names of the columns that make the classes.
func (c Classes) Columns() []string {
	var names []string
	for _, column := range c.By.Columns() {
		names = append(names, column.Column)
	}
	return names
}

// ClassesNames returns the names of the classifications of Sonmez and others (2009),
// section 3.1, from the coarsest to the finest. A site is the log's partition.
func ClassesNames() []string { return []string{"site", "user", "user-site", "user-app-size-site"} }

// ClassesByName returns the classification of a name: one of ClassesNames, or words of
// workload.ParseClasses joined by "+", where each value of an amount is a class. The words
// "kind" and "class" are errors, since they need a log's header. An error is a
// *workload.OptionError.
func ClassesByName(name string) (Classes, error) {
	return ClassesOf(name, workload.Grouping{Plain: true})
}

// ClassesOf returns the classification of a name, as ClassesByName does, with the words "class"
// and "kind" as the grouping defines them.
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

// Validate returns a *workload.OptionError if a column is not known at submission.
func (c Classes) Validate() error {
	for _, name := range c.Columns() {
		if !workload.FindColumn(name).Submitted() {
			return workload.OptionFault("classes", fmt.Sprintf("%q: %s is not known at submission", c.Name, name), "columns that are")
		}
	}
	return nil
}
