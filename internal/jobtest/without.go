package jobtest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Without calls try with a JSON text from which one field has been removed, for each field in
// turn; in lists it visits only the first item. path, such as "log.days" or
// "users.strata[0].jobs", ends in name.
func Without(t testing.TB, text []byte, try func(path, name string, text []byte)) {
	t.Helper()
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	var take func(path string, x any)
	take = func(path string, x any) {
		switch x := x.(type) {
		case map[string]any:
			for name, v := range x {
				delete(x, name)
				rest, _ := json.Marshal(whole)
				try(path+name, name, rest)
				x[name] = v
				take(path+name+".", v)
			}
		case []any:
			if len(x) > 0 {
				take(strings.TrimSuffix(path, ".")+"[0].", x[0])
			}
		}
	}
	take("", whole)
}
