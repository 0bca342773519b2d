package runtime

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
		var words []string
		for _, column := range classes.By.Columns() {
			words = append(words, column.String())
		}
		slices.Sort(words)
		columns := strings.Join(words, " ")
		first, met := seen[columns]
		switch {
		case met && first == name:
			return workload.OptionFault("classes", strconv.Quote(name)+" twice", "each once")
		case met:
			return workload.OptionFault("classes", fmt.Sprintf("%q, the same as %q", name, first), "one of them")
		}
		seen[columns] = name
	}
	return nil
}
