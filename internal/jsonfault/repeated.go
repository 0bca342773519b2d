package jsonfault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
)

// Fault describes an error in a JSON file.
type Fault struct {
	Path string // of the field, such as "clusters[1].speed"; empty for the whole file
	Saw  string // description of the value in the file
	Want string // description of the expected value
}

// Error returns the path, Saw and Want in one line.
func (f *Fault) Error() string { return f.Path + ": saw " + f.Saw + ", want " + f.Want }

// Repeated returns a fault for the first field that is given twice, or nil. (encoding/json
// keeps the last value without an error.) data must be valid JSON.
func Repeated(data []byte) *Fault {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return repeated(d, func(string) bool { return true })
}

// RepeatedOrCased is Repeated, and also returns a fault for the first field with other
// characters in its name than lower-case letters, digits and underscores: encoding/json
// takes "SIZE" for "size".
func RepeatedOrCased(data []byte) *Fault {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return repeated(d, lowerCase.MatchString)
}

var lowerCase = regexp.MustCompile(`^[a-z0-9_]*$`)

// repeated reads one value. The path of a fault is put together on the way out: lists
// may have millions of numbers.
func repeated(d *json.Decoder, plain func(string) bool) *Fault {
	t, _ := d.Token()
	switch t {
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() {
			key, _ := d.Token()
			name, _ := key.(string)
			if seen[name] {
				return &Fault{Path: name, Saw: "given twice", Want: "one value"}
			}
			if !plain(name) {
				return &Fault{Path: name, Saw: "a field of this spelling", Want: "lower-case letters"}
			}
			seen[name] = true
			if f := repeated(d, plain); f != nil {
				f.Path = Join(name, f.Path)
				return f
			}
		}
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if f := repeated(d, plain); f != nil {
				f.Path = Join(fmt.Sprintf("[%d]", i), f.Path)
				return f
			}
		}
	default:
		return nil
	}
	d.Token() // the closing bracket
	return nil
}

// Join returns the path of a field within an outer one, such as "classes[0].name" of
// "classes" and "[0].name".
func Join(outer, inner string) string {
	if inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}
