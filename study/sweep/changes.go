package sweep

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// value is what a study has under a key of its file.
type value struct {
	key string
	of  any
}

// values are those on which results depend, with defaults, in the order of the file's keys.
func (s *Study) values() []value {
	seeds := any(s.Seeds.List)
	if s.Seeds.List == nil {
		seeds = s.Seeds.Count
	}
	return []value{
		{"logs", inputTexts(s.Logs)}, {"models", inputTexts(s.Models)}, {"workloads", s.workloads()}, {"method", s.Method}, {"days", s.Days}, {"jobs", s.Jobs},
		{"loads", s.Loads}, {"seeds", seeds}, {"processors", s.Processors}, {"policies", s.Policies}, {"estimates", s.estimates()}, {"feedback", s.feedback()},
		{"runtime", s.RunTimes}, {"classes", s.classes()}, {"wait", s.Waits},
	}
}

// inputTexts are inputs by name, with how they are read.
func inputTexts(all []Input) (texts []string) {
	for _, in := range all {
		text := in.Name
		if in.Processors > 0 {
			text += fmt.Sprintf(", processors %d", in.Processors)
		}
		if in.TimeZone != "" {
			text += ", timezone " + in.TimeZone
		}
		if in.As != "" {
			text += ", as " + in.As
		}
		texts = append(texts, text)
	}
	return texts
}

// keysOf are the values of a study as a manifest has them.
func keysOf(s *Study) map[string]json.RawMessage {
	keys := map[string]json.RawMessage{}
	for _, v := range s.values() {
		text, err := json.Marshal(v.of)
		if err != nil {
			panic("sweep: " + err.Error())
		}
		keys[v.key] = text
	}
	return keys
}

// changedKey shows the first key in which a study differs from a manifest's keys, or the
// first item of its list, as it was and as it is; both are empty where nothing is known to
// differ.
func changedKey(was map[string]json.RawMessage, s *Study) (saw, want string) {
	now := keysOf(s)
	for _, v := range s.values() {
		a, b := was[v.key], now[v.key]
		var x, y any
		if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
			continue // a manifest that does not say
		}
		if saw, want = difference(v.key, x, y); saw != want {
			return saw, want
		}
	}
	return "", ""
}

// difference shows two values of a key; the same where they are equal.
func difference(key string, x, y any) (saw, want string) {
	p, list := x.([]any)
	q, also := y.([]any)
	if (list || x == nil) && (also || y == nil) {
		for i := range max(len(p), len(q)) {
			item := fmt.Sprintf("%s[%d]", key, i)
			switch {
			case i >= len(p):
				return "no " + item, valueText(item, q[i])
			case i >= len(q):
				return valueText(item, p[i]), "no " + item
			case !reflect.DeepEqual(p[i], q[i]):
				return valueText(item, p[i]), valueText(item, q[i])
			}
		}
		return "", ""
	}
	return valueText(key, x), valueText(key, y)
}

// valueText is a value as a study file has it.
func valueText(key string, x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		panic("sweep: " + err.Error())
	}
	switch string(text) {
	case "0", `""`, "null":
		return "no " + key
	}
	const most = 100 // bytes
	if len(text) > most {
		return fmt.Sprintf("%s: %s...", key, strings.ToValidUTF8(string(text[:most]), ""))
	}
	return key + ": " + string(text)
}
