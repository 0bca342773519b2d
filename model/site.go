package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema is the version of the model file that this package reads and writes.
const Schema = "loadstone.model/1"

// Site is a workload model of one machine.
type Site struct {
	Schema     string  `opt:"schema" required:"true"`                       // always the constant Schema
	Name       string  `opt:"name" required:"true"`                         // short; written to the headers of generated logs
	Source     string  `opt:"source"`                                       // where the parameters come from
	Processors int64   `opt:"processors" in:"[1,16777216]" required:"true"` // size of the machine; no job is larger
	Classes    []Class `opt:"classes" required:"true"`
	Users      *Users  `opt:"users"` // optional
	Checked    *Check  `opt:"check"` // optional: the waits of jobs drawn from the model
}

// MaxProcessors is the largest number of processors of a model's machine.
const MaxProcessors = 1 << 24

// Class is the model of one kind of jobs. Classes are independent of each other.
type Class struct {
	Name string `opt:"name" required:"true"` // short, unique among the classes
	// Column is the column of the job table that defines the class, and Value its value, such as
	// "queue_id" and 1. Generated jobs have this value. Column is empty, and Value 0, if all jobs
	// are in one class.
	Column string `opt:"column"`
	Value  int64  `opt:"value" in:"[0,)" for:"column" required:"column"`
	Jobs   int64  `opt:"jobs" in:"[0,)"` // number of jobs that it was fitted to; 0 for a published model

	Malleable *Malleable `opt:"malleable" not:"sizes|run_times|estimates"`
	Sizes     Sizes      `opt:"sizes" required:"!malleable"`
	RunTimes  RunTimes   `opt:"run_times" required:"!malleable"`
	Arrivals  Arrivals   `opt:"arrivals" required:"true"`
	Estimates Estimates  `opt:"estimates"` // optional
}

// Columns returns the columns whose values can define classes.
func Columns() []string {
	return []string{"queue_id", "partition_id", "user_id", "group_id", "application_id", "account_id", "qos_id", "gpu_type_id"}
}

// Choices returns the allowed values of a key that has a fixed set of values.
func (Site) Choices(key string) []string {
	if key == "schema" {
		return []string{Schema}
	}
	return nil
}

// Choices returns the allowed values of a key that has a fixed set of values.
func (Class) Choices(key string) []string {
	if key == "column" {
		return Columns()
	}
	return nil
}

// Model is a model that a file can contain: a Site, or the model of users of package
// model/population.
type Model interface {
	// Validate returns nil, or a *workload.OptionError for the first field that is out of its
	// range; its option is a path such as "classes[1].run_times.p_slope".
	Validate() error
	// Encode returns the text of the model file. It is an error if Validate rejects the model.
	Encode() ([]byte, error)
	// Summary returns the properties that a caller needs to generate jobs from the model.
	Summary() Summary
}

// Summary contains the properties that models of both forms have.
type Summary struct {
	Processors int64
	Unit       string  // unit of sizes and of Processors, in the plural
	Days       float64 // length of the log, for a model of users, and the default for generated logs; 0 for a Site
	Load       float64 // offered load of that log; NaN for a Site
	Estimates  bool    // whether jobs have estimates
	Checked    *Check  // nil if unknown
}

// Summary implements Model.
func (s Site) Summary() Summary {
	estimates := slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Estimates != nil })
	return Summary{Processors: s.Processors, Unit: "processors", Load: math.NaN(), Estimates: estimates, Checked: s.Checked}
}

// maxFile is the size of the largest model file that Decode reads, in bytes. A class takes about
// a thousand.
const maxFile = 64 << 20

// Decode reads the text of a model file. It is strict: a field that is unknown, missing, repeated
// or out of range, another schema version, and text after the model are each a
// *workload.InputError with the name of the file, the line, the path of the field and the allowed
// values. A model of users (loadstone.population/1), which the command fit -o writes, is read by
// package model/population. families are custom families of laws, in addition to those of package
// dist.
func Decode(name string, text []byte, families ...dist.Family) (s Site, err error) {
	if len(text) > maxFile {
		return s, &workload.InputError{File: name, Saw: "a file of more than 64 MB", Want: "a model file"}
	}
	_, err = strict.DecodeWith(codec(families), name, text, &s)
	return s, err
}

// Encode implements Model.
func (s Site) Encode() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return strict.Encode(codec(nil), &s)
}

// Validate implements Model.
func (s Site) Validate() error { return strict.Validate(&s) }

// Check checks the classes against each other, the machine and the users.
func (s *Site) Check() error {
	names, values := map[string]bool{}, map[int64]bool{}
	for i := range s.Classes {
		c, first := &s.Classes[i], &s.Classes[0]
		at := func(key string) string { return fmt.Sprintf("classes[%d].%s", i, key) }
		switch {
		case c.Column == "" && len(s.Classes) > 1:
			return workload.OptionFault(at("column"), "nothing", "one of %s, whose values tell the classes apart", strings.Join(Columns(), ", "))
		case names[c.Name]:
			return workload.OptionFault(at("name"), strconv.Quote(c.Name), "a name that no other class has")
		case c.Column != first.Column:
			return workload.OptionFault(at("column"), strconv.Quote(c.Column), "%q, as in classes[0]", first.Column)
		case values[c.Value]:
			return workload.OptionFault(at("value"), c.Value, "a value that no other class has")
		case (c.Malleable != nil) != (first.Malleable != nil):
			return workload.OptionFault(at("malleable"), "malleable jobs together with rigid ones", "classes of one kind")
		case s.Users != nil && (c.Column == "user_id" || c.Column == "application_id"):
			return workload.OptionFault(at("column"), strconv.Quote(c.Column), "another column: users have their own")
		case s.Users != nil && c.Malleable != nil:
			return workload.OptionFault("users", "users of malleable jobs", "classes with sizes and run times")
		}
		names[c.Name], values[c.Value] = true, true
		if c.Malleable != nil {
			continue
		}
		if err := cmp.Or(strict.Within(at("sizes"), c.Sizes.check(s.Processors)), strict.Within(at("run_times"), c.RunTimes.check(s.Processors))); err != nil {
			return err
		}
	}
	return nil
}

// Users is a population that submits the jobs of all classes, so that predictors that use a
// user's past have something to learn. It is the project's own extension for grids, and is off in
// every published model; package model/population has a model of users that is fitted to logs.
//
// User k of Count submits a share of the jobs in proportion to 1/k, and uses application i of
// Applications in proportion to 1/i: Zipf's law. Every application of a user has a
// range of quantiles of sizes and one of run times, as wide as its share, within which
// its jobs lie. The ranges cover all quantiles once, so the laws of sizes and
// run times over all jobs remain those of the model.
type Users struct {
	Count int64 `opt:"count" in:"[1,100000]" required:"true"`
}

// Applications is the number of applications of each of the Users.
const Applications = 5

// number formats a number as in model files.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// meanOne returns an error about the field key if there are weights and their mean is not 1.
func meanOne(key string, weights []float64) error {
	sum, n := 0.0, float64(len(weights))
	for _, w := range weights {
		sum += w
	}
	if n > 0 && !(math.Abs(sum-n) <= 1e-6) {
		return workload.OptionFault(key, "weights with mean "+number(sum/n), "weights with mean 1")
	}
	return nil
}
