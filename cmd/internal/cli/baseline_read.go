package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

var (
	errNoScores = errors.New("no scores to compare with")
	errMissing  = errors.New("it is missing")
)

// earlierResult is a result of a command that is read to be compared with.
type earlierResult interface {
	// needs names the fields that a comparison needs, besides the scores' own;
	// a dot leads into an object.
	needs() []string
	// count returns how many scores there are.
	count() int
	// check reads the scores, and finds what no run writes.
	check() error
}

// readBaseline decodes an earlier result of a command, and checks it.
func readBaseline(path, schema string, into earlierResult) error {
	data, err := readSmall(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return fmt.Errorf("%s: %w", path, fault.Err)
	}
	if err != nil {
		return err
	}
	return decodeBaseline(data, path, schema, into)
}

// decodeBaseline decodes the text of an earlier result.
func decodeBaseline(data []byte, path, schema string, into earlierResult) error {
	var head struct {
		Schema string `json:"schema"`
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%s: not a result of this command: %w", path, wrongKind(err))
	}
	if head.Schema != schema {
		return fmt.Errorf("%s: saw the schema %q, want %q: a result written with -o FILE.json or --format json", path, head.Schema, schema)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, wrongKind(err))
	}
	if into.count() == 0 {
		return fmt.Errorf("%s: %w", path, errNoScores)
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, wrongKind(err))
	}
	for _, name := range into.needs() {
		if !given(fields, name) {
			return fmt.Errorf("%s: damaged: %s: %w", path, name, errMissing)
		}
	}
	if err := into.check(); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, err)
	}
	return nil
}

// given says whether a field is there and not null.
func given(fields map[string]json.RawMessage, name string) bool {
	outer, inner, nested := strings.Cut(name, ".")
	text, ok := fields[outer]
	if !ok || string(text) == "null" {
		return false
	}
	if !nested {
		return true
	}
	var object map[string]json.RawMessage
	return json.Unmarshal(text, &object) == nil && given(object, inner)
}

// wanted is a number of an earlier result, and what it has to be.
type wanted struct {
	name string
	saw  float64
	ok   bool
	want string
}

// impossible returns the error for the first number that no run writes.
func impossible(numbers ...wanted) error {
	for _, x := range numbers {
		if !x.ok {
			return fmt.Errorf("%s: saw %g, want %s", x.name, x.saw, x.want)
		}
	}
	return nil
}

// between01 is a wanted number between 0 and 1, and fromOne one of 1 or more.
func between01(name string, x float64) wanted {
	return wanted{name, x, x > 0 && x < 1, "a number between 0 and 1"}
}

func fromOne(name string, x float64) wanted { return wanted{name, x, x >= 1, "1 or more"} }

// scoredTwice returns the error for a score that is there twice: nobody could tell
// which of the two is compared.
func scoredTwice(scores []baselineScore) error {
	seen := map[string]bool{}
	for _, s := range scores {
		if seen[s.name] {
			return fmt.Errorf("%s: it is there twice", s.name)
		}
		seen[s.name] = true
	}
	return nil
}

// wrongKind puts an error of package json that speaks of Go's types in the
// file's own words.
func wrongKind(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return errors.New("saw text that is no JSON, or not all of it")
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

// field is a number of an earlier result as it stands: empty where there is
// none, which null is not.
type field struct {
	name string
	text json.RawMessage
}

// scoreFields are a score and the ends of its interval.
type scoreFields struct{ value, low, high field }

// rounding is by how much a mean and the bounds of an interval may pass each
// other where all that is drawn is alike: they are sums in another order.
const rounding = 1e-9

// readPredicted reads how many jobs there were, and how many of them were
// predicted, which it returns.
func readPredicted(jobs, predicted json.RawMessage) (float64, error) {
	var counts [2]float64
	for i, f := range []field{{"jobs", jobs}, {"predicted", predicted}} {
		if len(f.text) == 0 {
			return 0, fmt.Errorf("%s: %w", f.name, errMissing)
		}
		x, err := strconv.ParseInt(string(f.text), 10, 64)
		if err != nil || x < 0 {
			return 0, fmt.Errorf("%s: saw %s, want a whole number of 0 or more", f.name, f.text)
		}
		counts[i] = float64(x)
	}
	if counts[1] > counts[0] {
		return 0, fmt.Errorf("predicted: saw %g, want at most jobs, %g", counts[1], counts[0])
	}
	return counts[1], nil
}

// readScore reads a score from least to 1 and its interval, which holds it, each
// NaN where it is null, and finds what no run writes: a score is null of no predictions and of no
// others. predicted is NaN where it may be null of some too.
func readScore(name string, of scoreFields, least, predicted float64) (baselineScore, error) {
	b := baselineScore{name: name}
	for _, f := range []struct {
		field
		into *float64
	}{{of.value, &b.value}, {of.low, &b.low}, {of.high, &b.high}} {
		switch text := string(f.text); text {
		case "":
			return b, fmt.Errorf("%s: %w", f.name, errMissing)
		case "null":
			*f.into = math.NaN()
		default:
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= least-rounding && x <= 1+rounding) {
				return b, fmt.Errorf("%s: saw %s, want a number from %g to 1", f.name, text, least)
			}
			*f.into = x
		}
	}
	switch low, high := math.IsNaN(b.low), math.IsNaN(b.high); {
	case b.none() && predicted > 0:
		return b, fmt.Errorf("%s: saw null, want a number: %g jobs were predicted", of.value.name, predicted)
	case !b.none() && predicted == 0:
		return b, fmt.Errorf("%s: saw %g, want null: no job was predicted", of.value.name, b.value)
	case low && !high:
		return b, fmt.Errorf("%s: saw null beside an %s", of.low.name, of.high.name)
	case high && !low:
		return b, fmt.Errorf("%s: saw null beside an %s", of.high.name, of.low.name)
	case b.none() && !low:
		return b, fmt.Errorf("%s: saw a bound of a %s that is null", of.low.name, of.value.name)
	case b.low > b.high:
		return b, fmt.Errorf("%s: saw %g, want at most %s, %g", of.low.name, b.low, of.high.name, b.high)
	case b.low > b.value+rounding:
		return b, fmt.Errorf("%s: saw %g, want at most %s, %g", of.low.name, b.low, of.value.name, b.value)
	case b.high < b.value-rounding:
		return b, fmt.Errorf("%s: saw %g, want at least %s, %g", of.high.name, b.high, of.value.name, b.value)
	}
	return b, nil
}
