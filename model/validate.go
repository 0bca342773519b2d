package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/dist"
)

// leastMass is how much of a law must lie below its MaxLn: drawing by
// rejection from less would hardly end, and what comes out would have little
// to do with the law.
const leastMass = 0.001

// MaxShape is the largest shape of a Gamma law in a model: its relative
// spread is 0.003 %, and the cost of its distribution function grows with the
// root of the shape.
const MaxShape = 1e9

// Validate returns nil, or a *FieldError for the first field that is out of
// its range.
func (s Site) Validate() error {
	switch {
	case s.Schema != Schema:
		return &FieldError{Path: "schema", Saw: strconv.Quote(s.Schema), Want: strconv.Quote(Schema)}
	case !line(s.Name) || s.Name == "":
		return &FieldError{Path: "name", Saw: shorten(s.Name), Want: wantLine}
	case !line(s.Source):
		return &FieldError{Path: "source", Saw: shorten(s.Source), Want: "text on one line"}
	case s.Processors < 1 || s.Processors > MaxProcessors:
		return &FieldError{Path: "processors", Saw: strconv.FormatInt(s.Processors, 10), Want: fmt.Sprintf("a whole number from 1 to %d", MaxProcessors)}
	case len(s.Classes) == 0:
		return &FieldError{Path: "classes", Saw: "none", Want: "at least one class"}
	case len(s.Classes) > MaxClasses:
		return &FieldError{Path: "classes", Saw: strconv.Itoa(len(s.Classes)), Want: fmt.Sprintf("at most %d", MaxClasses)}
	}
	for i, c := range s.Classes {
		path := fmt.Sprintf("classes[%d]", i)
		if err := c.identity(path, s.Classes, i); err != nil {
			return err
		}
		if err := c.validateShape(path, s.Processors); err != nil {
			return err
		}
		if err := c.Arrivals.validate(path + ".arrivals"); err != nil {
			return err
		}
		if err := c.Work.validate(path + ".work"); err != nil {
			return err
		}
		if err := c.Estimates.validate(path+".estimates", c.Malleable.Known()); err != nil {
			return err
		}
		if c.Arrivals.Bags.Known() && s.Users.Sessions.Known() {
			return &FieldError{Path: path + ".arrivals.bags", Saw: "bags of tasks, and sessions of users", Want: "one of them"}
		}
		if c.Malleable.Known() != s.Classes[0].Malleable.Known() {
			return &FieldError{Path: path, Saw: "malleable jobs beside rigid ones", Want: "classes of one kind"}
		}
	}
	return s.Users.validate("users", s.Classes)
}

// validateShape checks what says how large and how long the jobs are.
func (c Class) validateShape(path string, processors int64) error {
	if c.Malleable.Known() {
		if c.Sizes.given() {
			return &FieldError{Path: path + ".sizes", Saw: "sizes of malleable jobs", Want: "none"}
		}
		if c.RunTimes != (RunTimes{}) {
			return &FieldError{Path: path + ".run_times", Saw: "run times of malleable jobs", Want: "none"}
		}
		return c.Malleable.validate(path + ".malleable")
	}
	if err := c.Sizes.validate(path+".sizes", processors); err != nil {
		return err
	}
	return c.RunTimes.validate(path+".run_times", processors, c.Work)
}

// identity checks what tells class i from the others.
func (c Class) identity(path string, all []Class, i int) error {
	switch {
	case !line(c.Name) || c.Name == "":
		return &FieldError{Path: path + ".name", Saw: shorten(c.Name), Want: wantLine}
	case c.Column == "" && len(all) > 1:
		return &FieldError{Path: path + ".column", Saw: "none", Want: "a column that tells the classes apart: one of " + strings.Join(Columns(), ", ")}
	case c.Column != "" && !slices.Contains(Columns(), c.Column):
		return &FieldError{Path: path + ".column", Saw: shorten(c.Column), Want: "one of " + strings.Join(Columns(), ", ")}
	case c.Column == "" && c.Value != 0:
		return &FieldError{Path: path + ".value", Saw: strconv.FormatInt(c.Value, 10), Want: "none where column is not given"}
	case c.Value < 0:
		return &FieldError{Path: path + ".value", Saw: strconv.FormatInt(c.Value, 10), Want: "a whole number of at least 0"}
	case c.Jobs < 0:
		return &FieldError{Path: path + ".jobs", Saw: strconv.FormatInt(c.Jobs, 10), Want: "a whole number of at least 0"}
	}
	for j, o := range all[:i] {
		switch {
		case o.Name == c.Name:
			return &FieldError{Path: path + ".name", Saw: shorten(c.Name), Want: fmt.Sprintf("another than that of classes[%d]", j)}
		case o.Column != c.Column:
			return &FieldError{Path: path + ".column", Saw: shorten(c.Column), Want: fmt.Sprintf("%q, as in classes[%d]", o.Column, j)}
		case o.Value == c.Value:
			return &FieldError{Path: path + ".value", Saw: strconv.FormatInt(c.Value, 10), Want: fmt.Sprintf("another than that of classes[%d]", j)}
		}
	}
	return nil
}

func (s Sizes) given() bool {
	return s.Shares != nil || s.SerialShare != 0 || s.PowerOfTwoShare != 0 || s.Log2 != (dist.TwoStageUniform{}) || s.Log2Gamma != (dist.Gamma{})
}

func (s Sizes) validate(path string, processors int64) error {
	if s.Shares != nil {
		return s.validateShares(path, processors)
	}
	if err := within(path+".serial_share", s.SerialShare, 0, 1); err != nil {
		return err
	}
	if err := within(path+".power_of_two_share", s.PowerOfTwoShare, 0, 1); err != nil {
		return err
	}
	if err := s.validateRange(path, processors); err != nil {
		return err
	}
	if s.Log2Gamma != (dist.Gamma{}) {
		if s.Log2 != (dist.TwoStageUniform{}) {
			return &FieldError{Path: path + ".log2", Saw: "two laws", Want: "one of them"}
		}
		return law(path+".log2", s.Log2Gamma)
	}
	if err := law(path+".log2", s.Log2); err != nil {
		return err
	}
	if err := within(path+".log2.parameters.low", s.Log2.Low, -1, 40); err != nil {
		return err
	}
	return within(path+".log2.parameters.high", s.Log2.High, -1, 40)
}

// law validates a law and puts its path before the parameter's name.
func law(path string, l dist.Law) error {
	err := dist.Validate(l)
	var p *dist.ParameterError
	if errors.As(err, &p) {
		return &FieldError{Path: path + ".parameters." + p.Parameter, Saw: number(p.Value), Want: p.Want}
	}
	if err != nil {
		return &FieldError{Path: path, Err: err}
	}
	for _, p := range dist.Parameters(l) {
		if err := shape(path, p.Name, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// shape refuses a shape above MaxShape; other parameters pass.
func shape(path, name string, value float64) error {
	if !strings.HasPrefix(name, "shape") || value <= MaxShape {
		return nil
	}
	return &FieldError{Path: path + ".parameters." + name, Saw: number(value), Want: fmt.Sprintf("a number above 0, at most %g", float64(MaxShape))}
}

func within(path string, x, lo, hi float64) error {
	if x >= lo && x <= hi {
		return nil
	}
	want := fmt.Sprintf("a number from %g to %g", lo, hi)
	if lo == math.SmallestNonzeroFloat64 {
		want = fmt.Sprintf("a number above 0, at most %g", hi)
	}
	return &FieldError{Path: path, Saw: number(x), Want: want}
}

func enough(path string, maxLn, kept float64) error {
	if kept >= leastMass {
		return nil
	}
	return &FieldError{Path: path, Saw: fmt.Sprintf("%s, below which lies %.2g of the law", number(maxLn), kept),
		Want: fmt.Sprintf("a limit above at least %g of it", leastMass)}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

const wantPForm = `"linear" or "log-odds"`

const (
	maxLine  = 500
	wantLine = "text of 1 to 500 bytes on one line"
)

// line says whether a text fits in one line of a header.
func line(s string) bool {
	return len(s) <= maxLine && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || r == unicode.ReplacementChar })
}

// shorten quotes a text for a message.
func shorten(s string) string {
	if len(s) > 40 {
		return strconv.Quote(s[:40]) + "..."
	}
	return strconv.Quote(s)
}
