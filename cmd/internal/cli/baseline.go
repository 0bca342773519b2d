package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
)

// baselineScore is a score of one run, for comparison with another: higher is
// better. The bounds are NaN where there is no interval.
type baselineScore struct {
	name             string
	value, low, high float64
}

// readBaseline decodes an earlier result of a command.
func readBaseline(path, schema string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%s: not a result of this command: %w", path, wrongKind(err))
	}
	if head.Schema != schema {
		return fmt.Errorf("%s: saw the schema %q, want %q: a result written with -o FILE.json or --format json", path, head.Schema, schema)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, wrongKind(err))
	}
	return nil
}

// wrongKind puts an error of package json that speaks of Go's types in the
// file's own words.
func wrongKind(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return err
	}
	saw := "a " + kind.Value
	if kind.Value == "array" || kind.Value == "object" {
		saw = "an " + kind.Value
	}
	if kind.Field == "" {
		return fmt.Errorf("saw %s, want an object", saw)
	}
	return fmt.Errorf("%s: saw %s, which does not belong there", kind.Field, saw)
}

// drops compares scores with those of an earlier run, by name. A drop counts
// where the score is now below the interval that it had. Where it had none, it
// counts where the earlier score lies above the interval that it has now; and
// where neither has one, any drop counts. missing are names that the earlier run lacks.
func drops(before, now []baselineScore) (faults, missing []string) {
	old := map[string]baselineScore{}
	for _, s := range before {
		old[s.name] = s
	}
	for _, s := range now {
		b, ok := old[s.name]
		if !ok {
			missing = append(missing, s.name)
			continue
		}
		fell := s.value < b.value || math.IsNaN(s.value) && !math.IsNaN(b.value)
		switch {
		case !fell:
		case !math.IsNaN(b.low) && !(s.value < b.low) && !math.IsNaN(s.value):
		case math.IsNaN(b.low) && !math.IsNaN(s.high) && b.value <= s.high:
		case !math.IsNaN(b.low):
			faults = append(faults, fmt.Sprintf("%s fell from %s (%s to %s) to %s", s.name, fixed(b.value, 4), fixed(b.low, 4), fixed(b.high, 4), fixed(s.value, 4)))
		default:
			faults = append(faults, fmt.Sprintf("%s fell from %s to %s", s.name, fixed(b.value, 4), fixed(s.value, 4)))
		}
	}
	return faults, missing
}
