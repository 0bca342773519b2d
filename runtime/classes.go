package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Field is something known of a job at submission that classes are made by.
type Field uint8

// The fields of workload.Request that tell kinds of jobs apart.
const (
	FieldUser Field = iota
	FieldGroup
	FieldApplication
	FieldSize // workload.Request.Size
	FieldQueue
	FieldPartition  // the site, in a grid's log
	FieldProcessors // asked for
	FieldEstimate   // the user's, of the run time
	FieldMemory     // asked for
	numFields
)

// fieldNames are what fields are called: in messages, and in ways of classing
// that are made of columns.
var fieldNames = [numFields]string{"user", "group", "application", "size", "queue", "partition", "processors", "estimate", "memory"}

func (f Field) String() string {
	if f < numFields {
		return fieldNames[f]
	}
	return fmt.Sprintf("Field(%d)", uint8(f))
}

func (f Field) of(r *workload.Request) int64 {
	switch f {
	case FieldUser:
		return r.User
	case FieldGroup:
		return r.Group
	case FieldApplication:
		return r.Application
	case FieldSize:
		return r.Size
	case FieldQueue:
		return r.Queue
	case FieldPartition:
		return r.Partition
	case FieldProcessors:
		return r.Processors
	case FieldEstimate:
		return bitsOf(r.Time)
	default:
		return bitsOf(r.Memory)
	}
}

// bitsOf makes a whole number of a number, another for each.
func bitsOf(x float64) int64 {
	if math.IsNaN(x) {
		return workload.Unknown
	}
	return int64(math.Float64bits(x + 0)) // -0 is 0
}

// maxClassFields is enough for every way of classing known, and keeps a key
// within half a cache line.
const maxClassFields = 4

// Key tells the classes of one way of classing apart.
type Key [maxClassFields]int64

// Classes is a way of sorting jobs into classes by what is known of them at
// submission: jobs that agree in all its fields are one class, and predictors
// learn for each class on its own.
type Classes struct {
	Name   string
	Fields []Field // at most four; with none, all jobs are one class
}

// Key gives a request's class. An unknown field is workload.Unknown in it, a
// value like another.
func (c Classes) Key(r *workload.Request) Key {
	var k Key
	for i, f := range c.Fields {
		k[i] = f.of(r)
	}
	return k
}

// AllClasses returns the ways of Sonmez and others (2009), section 3.1, from
// the coarsest to the finest. A site is the log's partition.
func AllClasses() []Classes {
	return []Classes{
		{"site", []Field{FieldPartition}},
		{"user", []Field{FieldUser}},
		{"user-site", []Field{FieldUser, FieldPartition}},
		{"user-app-size-site", []Field{FieldUser, FieldApplication, FieldSize, FieldPartition}},
	}
}

// ClassesNames lists the names of AllClasses.
func ClassesNames() []string {
	var names []string
	for _, c := range AllClasses() {
		names = append(names, c.Name)
	}
	return names
}

// ClassesByName returns one of AllClasses, "all" (all jobs are one class), or
// the classes of the columns named, joined by "+": user, group, application (or
// app), size, queue, partition (or site), processors, estimate, memory. The
// error for an unknown name lists those there are.
func ClassesByName(name string) (Classes, error) {
	for _, c := range AllClasses() {
		if c.Name == name {
			return c, nil
		}
	}
	if name == "all" {
		return Classes{Name: name}, nil
	}
	c := Classes{Name: name}
	for _, column := range strings.Split(name, "+") {
		f := fieldOf(column)
		switch {
		case f == numFields:
			return Classes{}, fmt.Errorf("job runtime: unknown classes %q, want one of %s, all, or columns joined by +: %s",
				name, strings.Join(ClassesNames(), ", "), strings.Join(fieldNames[:], ", "))
		case slices.Contains(c.Fields, f):
			return Classes{}, fmt.Errorf("job runtime: classes %q name the %v twice", name, f)
		}
		c.Fields = append(c.Fields, f)
	}
	return c, c.Validate()
}

// fieldOf finds a field by its name, numFields where there is none.
func fieldOf(name string) Field {
	switch name {
	case "app":
		return FieldApplication
	case "site":
		return FieldPartition
	}
	if i := slices.Index(fieldNames[:], name); i >= 0 {
		return Field(i)
	}
	return numFields
}

// Validate returns an error where there are too many fields, or unknown ones.
func (c Classes) Validate() error {
	if len(c.Fields) > maxClassFields {
		return fmt.Errorf("job runtime: classes %q have %d fields, want at most %d", c.Name, len(c.Fields), maxClassFields)
	}
	for _, f := range c.Fields {
		if f >= numFields {
			return fmt.Errorf("job runtime: classes %q have the unknown field %v", c.Name, f)
		}
	}
	return nil
}

// Known says whether the log gives the field of a job.
func (f Field) Known(r *workload.Request) bool { return f.of(r) != workload.Unknown }
