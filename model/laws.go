package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

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

// positive is a law of any family, of values above 0; nil where an optional
// one is missing.
func (f *form) positive(name string, n need, l *dist.Law) {
	if n == optional && !f.given(name, *l != nil) {
		return
	}
	if f.task == read {
		*l = f.readLaw(name)
	}
	f.writeLaw(name, *l)
	f.check(func() error { return positiveLaw(f.at(name), *l) })
}

// lawOf is a law of type L.
func lawOf[L dist.Law](f *form, name string, l *L) {
	if f.task == read {
		raw := f.readLaw(name)
		if _, ok := raw.(dist.Ln); ok {
			f.reject(name+".transform", `"ln"`, "no transform at all")
		}
		ofType(f, name, raw, l)
	}
	f.writeLaw(name, *l)
	f.check(func() error { return validLaw(f.at(name), *l) })
}

// lawOfLn is a law of type L of the logarithm of a quantity, up to a largest
// one, which is above 0 and at most limit.
func lawOfLn[L dist.Law](f *form, name string, l *L, maxLn *float64, limit float64) {
	if f.task == read {
		raw := f.readLaw(name)
		ln, ok := raw.(dist.Ln)
		switch {
		case !f.ok():
		case !ok:
			f.reject(name+".transform", "missing", `"ln"`)
		case ln.MaxLn == 0:
			f.reject(name+".max_ln", "missing", fmt.Sprintf("a number above 0, at most %d", MaxLnLimit))
		}
		*maxLn = ln.MaxLn
		ofType(f, name, ln.Inner, l)
	}
	f.writeLaw(name, dist.Ln{Inner: *l, MaxLn: *maxLn})
	f.check(func() error { return validLaw(f.at(name), *l) })
	f.check(func() error { return within(f.at(name+".max_ln"), *maxLn, math.SmallestNonzeroFloat64, limit) })
}

func ofType[L dist.Law](f *form, name string, read dist.Law, l *L) {
	if !f.ok() {
		return
	}
	var ok bool
	if *l, ok = read.(L); !ok {
		f.reject(name+".family", strconv.Quote(dist.FamilyOf(read)), strconv.Quote(dist.FamilyOf(*l)))
	}
}

func (f *form) writeLaw(name string, l dist.Law) {
	if f.task == write {
		f.value(name, required, dist.JSON{Law: l}, false, "")
	}
}

func (f *form) readLaw(name string) dist.Law {
	raw, ok := f.take(name, required)
	if !ok {
		return nil
	}
	if err := peekShapes(f.at(name), raw); err != nil {
		f.fail(err)
		return nil
	}
	l, err := dist.Unmarshal(raw, f.families...)
	if err != nil {
		f.fail(lawError(f.at(name), err))
		return nil
	}
	return l
}

// family looks at the family of a law of a file before it is read.
func (f *form) family(name string) string {
	var peek struct{ Family string }
	if json.Unmarshal(f.fields[name], &peek) != nil {
		return ""
	}
	return peek.Family
}

// peekShapes refuses huge shapes before the law is looked at, which alone
// would take minutes.
func peekShapes(path string, raw []byte) error {
	var peek struct{ Parameters map[string]float64 }
	if json.Unmarshal(raw, &peek) != nil {
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(peek.Parameters)) {
		if err := shape(path, p, peek.Parameters[p]); err != nil {
			return err
		}
	}
	return nil
}

// validLaw validates a law and puts its path before the parameter's name.
func validLaw(path string, l dist.Law) error {
	if err := dist.Validate(l); err != nil {
		return lawError(path, err)
	}
	for _, p := range dist.Parameters(l) {
		if err := shape(path, p.Name, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// lawError puts a law's path before package dist's error.
func lawError(path string, err error) error {
	var p *dist.ParameterError
	if !errors.As(err, &p) {
		return &FieldError{Path: path, Err: err}
	}
	if p.Parameter == "max_ln" {
		return &FieldError{Path: path + ".max_ln", Saw: number(p.Value), Want: p.Want}
	}
	return &FieldError{Path: path + ".parameters." + p.Parameter, Saw: number(p.Value), Want: p.Want}
}

// shape refuses a shape above MaxShape; other parameters pass.
func shape(path, name string, value float64) error {
	if !strings.HasPrefix(name, "shape") || value <= MaxShape {
		return nil
	}
	return &FieldError{Path: path + ".parameters." + name, Saw: number(value), Want: fmt.Sprintf("a number above 0, at most %g", float64(MaxShape))}
}

// positiveLaw validates a law of a positive quantity.
func positiveLaw(path string, l dist.Law) error {
	if l == nil {
		return &FieldError{Path: path, Saw: "missing", Want: "a distribution"}
	}
	inner := l
	if ln, ok := l.(dist.Ln); ok {
		inner = ln.Inner
	}
	if err := validLaw(path, inner); err != nil {
		return err
	}
	if err := dist.Validate(l); err != nil {
		return lawError(path, err)
	}
	if l.CDF(0) > 0 {
		return &FieldError{Path: path, Saw: fmt.Sprintf("a %s distribution with %.2g of it not above 0", dist.FamilyOf(l), l.CDF(0)), Want: "a distribution of values above 0"}
	}
	return nil
}

// cut checks where a law of seconds is cut, max in the field path: 0 is for no
// cut, which needs a finite mean.
func cut(path string, l dist.Law, max float64) error {
	if max == 0 {
		if m := dist.Mean(l); !(m <= MaxSecondsLimit) {
			return &FieldError{Path: path, Saw: fmt.Sprintf("missing, and the %s distribution has no finite mean that is known", dist.FamilyOf(l)),
				Want: "a number above 0, where the distribution is cut"}
		}
		return nil
	}
	if err := within(path, max, math.SmallestNonzeroFloat64, MaxSecondsLimit); err != nil {
		return err
	}
	return enough(path, max, l.CDF(max))
}

// enough checks that a limit keeps enough of a law.
func enough(path string, limit, kept float64) error {
	if kept >= leastMass {
		return nil
	}
	return &FieldError{Path: path, Saw: fmt.Sprintf("%s, below which lies %.2g of the distribution", number(limit), kept),
		Want: fmt.Sprintf("a limit above at least %g of it", leastMass)}
}
