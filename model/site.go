package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Schema is the version of the model file that this package reads and writes.
const Schema = "loadstone.model/1"

// Site is a workload model of one machine.
type Site struct {
	Schema     string  // always the constant Schema
	Name       string  // short, one line; headers of generated logs carry it
	Source     string  // where the parameters come from, one line; may be empty
	Processors int64   // size of the machine, 1 to MaxProcessors; no job is larger
	Classes    []Class // 1 to MaxClasses
	Users      *Users  // optional
	Check      *Check  // optional: how jobs drawn from the model wait
}

// MaxClasses is the largest number of classes of a site.
const MaxClasses = 1 << 12

// MaxProcessors is the largest machine of a model.
const MaxProcessors = 1 << 24

// Class is the model of one kind of jobs. Classes are independent of each
// other.
type Class struct {
	Name string // short, one line, unique among the classes
	// Column is the column of the job table that defines the class, and Value
	// its value, such as "queue_id" and 1. Generated jobs have it. Column is
	// empty, and Value 0, if all jobs are one class.
	Column string
	Value  int64 // at least 0
	Jobs   int64 // the jobs it was fitted from; 0 for a published model

	Sizes    Sizes    // nil where the jobs are malleable
	RunTimes RunTimes // nil where the jobs are malleable
	Arrivals Arrivals
	Work     *Work // optional; needed where RunTimes are WorkRunTimes

	Malleable *Malleable // optional, in place of Sizes and RunTimes
	Estimates Estimates  // optional
}

func (s *Site) visit(f *form) {
	f.text("schema", required, &s.Schema)
	// The version first: in a file of another version all else may differ.
	if s.Schema != Schema {
		want := strconv.Quote(Schema)
		if strings.HasPrefix(s.Schema, "loadstone.population/") {
			want += "; a model of users is read by package model/population"
		}
		f.reject("schema", shorten(s.Schema), want)
	}
	f.text("name", required, &s.Name)
	f.check(func() error { return line(f.at("name"), s.Name, required) })
	f.text("source", optional, &s.Source)
	f.check(func() error { return line(f.at("source"), s.Source, optional) })
	f.integer("processors", &s.Processors, 1, MaxProcessors)
	f.check(func() error {
		switch n := len(s.Classes); {
		case n == 0:
			return &FieldError{Path: "classes", Saw: "none", Want: "at least one class"}
		case n > MaxClasses:
			return &FieldError{Path: "classes", Saw: strconv.Itoa(n), Want: fmt.Sprintf("at most %d", MaxClasses)}
		}
		return nil
	})
	objects(f, "classes", required, MaxClasses, &s.Classes, func(i int, c *Class, f *form) { c.visit(f, s, i) })
	optionalPart(f, "users", &s.Users, func(u *Users, f *form) { u.visit(f, s.Classes) })
	optionalPart(f, "check", &s.Check, (*Check).visit)
}

// visit goes over class i of a site.
func (c *Class) visit(f *form, s *Site, i int) {
	f.text("name", required, &c.Name)
	f.text("column", optional, &c.Column)
	f.whole("value", c.Column != "", &c.Value)
	f.whole("jobs", optional, &c.Jobs)
	f.check(func() error { return c.identity(f, s.Classes[:i], len(s.Classes)) })

	optionalPart(f, "malleable", &c.Malleable, (*Malleable).visit)
	if c.Malleable != nil {
		c.noShape(f)
	} else {
		f.object("sizes", func(f *form) { keep(f, &c.Sizes, visitSizes(f, c.Sizes, s.Processors)) })
		f.object("run_times", func(f *form) { keep(f, &c.RunTimes, visitRunTimes(f, c.RunTimes, s.Processors, c.Work)) })
	}
	f.object("arrivals", c.Arrivals.visit)
	optionalPart(f, "work", &c.Work, (*Work).visit)
	optionalVariant(f, "estimates", "kind", &c.Estimates, estimates()...)

	f.check(func() error {
		switch malleable := c.Malleable != nil; {
		case malleable && c.Estimates != nil:
			return &FieldError{Path: f.at("estimates"), Saw: "estimates of malleable jobs", Want: "none"}
		case malleable != (s.Classes[0].Malleable != nil):
			return &FieldError{Path: f.path, Saw: "malleable jobs together with rigid ones", Want: "classes of one kind"}
		}
		return nil
	})
}

// noShape refuses what malleable jobs do not have.
func (c *Class) noShape(f *form) {
	if f.given("sizes", c.Sizes != nil) {
		f.reject("sizes", "given for malleable jobs", "none")
	}
	if f.given("run_times", c.RunTimes != nil) {
		f.reject("run_times", "given for malleable jobs", "none")
	}
}

// identity checks what tells a class from the others, of which some are before it.
func (c *Class) identity(f *form, before []Class, classes int) error {
	fail := func(name, saw, want string) error { return &FieldError{Path: f.at(name), Saw: saw, Want: want} }
	if err := line(f.at("name"), c.Name, required); err != nil {
		return err
	}
	switch columns := strings.Join(Columns(), ", "); {
	case c.Column == "" && classes > 1:
		return fail("column", "none", "a column that tells the classes apart: one of "+columns)
	case c.Column != "" && !slices.Contains(Columns(), c.Column):
		return fail("column", shorten(c.Column), "one of "+columns)
	case c.Column == "" && c.Value != 0:
		return fail("value", strconv.FormatInt(c.Value, 10), "none where column is not given")
	}
	if err := wholeWithin(f.at("value"), c.Value, 0, math.MaxInt64); err != nil {
		return err
	}
	if err := wholeWithin(f.at("jobs"), c.Jobs, 0, math.MaxInt64); err != nil {
		return err
	}
	for j, o := range before {
		switch {
		case o.Name == c.Name:
			return fail("name", shorten(c.Name), fmt.Sprintf("another than that of classes[%d]", j))
		case o.Column != c.Column:
			return fail("column", shorten(c.Column), fmt.Sprintf("%q, as in classes[%d]", o.Column, j))
		case o.Value == c.Value:
			return fail("value", strconv.FormatInt(c.Value, 10), fmt.Sprintf("another than that of classes[%d]", j))
		}
	}
	return nil
}

// Columns returns the columns whose values can define classes.
func Columns() []string {
	return []string{"queue_id", "partition_id", "user_id", "group_id", "application_id", "account_id", "qos_id", "gpu_type_id"}
}
