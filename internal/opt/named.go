package opt

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Adjustable is a value, such as a predictor, whose parameters are not its own fields.
type Adjustable[T any] interface {
	// Parameters returns a struct whose fields with the tag opt are the parameters.
	Parameters() any
	// With returns a copy of the value with the given parameters, a struct of the type that
	// Parameters returns.
	With(parameters any) T
}

// Named returns the value in all whose name is in text, such as "easy", with the parameters
// that text sets, as in "es(alpha=0.3)" or "priority(queues=3,1)". The parameters are the
// fields with the tag opt of the value, or of its Parameters; their defaults are their values
// in all. The error is a *workload.OptionError for the given option.
func Named[T interface{ Name() string }](option, text string, all []T) (T, error) {
	var none T
	name, list, adjusted := strings.Cut(text, "(")
	i := slices.IndexFunc(all, func(v T) bool { return v.Name() == name })
	if i < 0 {
		return none, workload.OptionFault(option, strconv.Quote(text), "one of %s%s", strings.Join(Names(all), ", "), words.Meant(name, Names(all)))
	}
	own, parameters := parametersOf(all[i])
	err := error(nil)
	switch {
	case adjusted && len(parameters) == 0:
		err = errors.New("no parameters: " + name + " has none")
	case adjusted:
		err = setAll(name, list, parameters)
	}
	if err == nil && own.IsValid() {
		err = CheckParts(own.Interface())
	}
	switch a, ok := any(all[i]).(Adjustable[T]); {
	case err != nil:
		return none, workload.OptionFault(option, strconv.Quote(text), "%s", wantOf(err))
	case !adjusted:
		return all[i], nil
	case ok:
		return a.With(own.Elem().Interface()), nil
	}
	return own.Elem().Interface().(T), nil
}

// setAll sets the parameters in a list such as "queues=3,1)".
func setAll(name, list string, parameters []*Field) error {
	list, closed := strings.CutSuffix(list, ")")
	if !closed {
		return errors.New("a closing parenthesis at the end")
	}
	for key, value := range assignments(list) {
		f := find(parameters, key)
		switch {
		case f == nil:
			names := namesOf(parameters)
			return fmt.Errorf("a parameter of %s instead of %q: %s%s", name, key, strings.Join(names, ", "), words.Meant(key, names))
		case f.typed:
			return errors.New(key + " once")
		}
		if err := f.Set(value); err != nil {
			return errors.New(key + ": " + wantOf(err))
		}
	}
	return nil
}

// wantOf returns the expectation in an error: Want of a *workload.OptionError, or its text.
func wantOf(err error) string {
	if fault, ok := err.(*workload.OptionError); ok {
		return fault.Want
	}
	return err.Error()
}

// Parameters returns the parameters of a value, as Named sets them, with their defaults.
func Parameters[T any](v T) []*Field {
	_, parameters := parametersOf(v)
	return parameters
}

// parametersOf returns a pointer to a copy of the struct with a value's parameters, and the
// fields of that copy. The pointer is invalid if the value has no such struct.
func parametersOf[T any](v T) (reflect.Value, []*Field) {
	own := any(v)
	if a, ok := own.(Adjustable[T]); ok {
		own = a.Parameters()
	}
	if reflect.TypeOf(own).Kind() != reflect.Struct {
		return reflect.Value{}, nil
	}
	copied := reflect.New(reflect.TypeOf(own))
	copied.Elem().Set(reflect.ValueOf(own))
	return copied, Fields(copied.Interface())
}

// assignments yields the keys and values of a list separated by commas. An item without an
// equals sign belongs to the value before it.
func assignments(list string) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		parts := strings.Split(list, ",")
		for i := 0; i < len(parts); {
			key, value, _ := strings.Cut(parts[i], "=")
			for i++; i < len(parts) && !strings.Contains(parts[i], "="); i++ {
				value += "," + parts[i]
			}
			if !yield(strings.TrimSpace(key), strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// Names returns the names of values.
func Names[T interface{ Name() string }](all []T) []string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = v.Name()
	}
	return names
}

func namesOf(all []*Field) []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name
	}
	return names
}
