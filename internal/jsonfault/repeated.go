package jsonfault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Repeated finds a field that is given twice, of which encoding/json keeps the last in
// silence. The text is valid JSON. The fault has no line.
func Repeated(data []byte) *Fault {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return walk(d, "")
}

func walk(d *json.Decoder, path string) *Fault {
	t, _ := d.Token()
	switch t {
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() {
			key, _ := d.Token()
			name, _ := key.(string)
			inner := strings.TrimPrefix(path+"."+name, ".")
			if seen[name] {
				return &Fault{Path: inner, Saw: "given twice", Want: "one value"}
			}
			seen[name] = true
			if f := walk(d, inner); f != nil {
				return f
			}
		}
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			if f := walk(d, fmt.Sprintf("%s[%d]", path, i)); f != nil {
				return f
			}
		}
	default:
		return nil
	}
	d.Token() // the closing bracket
	return nil
}
