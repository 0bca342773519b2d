package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
)

var (
	errNoScores = errors.New("no scores to compare with")
	errMissing  = errors.New("it is missing")
)

// earlierResult is a result of a command that is read to be compared with.
type earlierResult interface {
	// parts says whether the log and the options are there, and how many scores.
	parts() (log, options bool, scores int)
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
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%s: not a result of this command: %w", path, wrongKind(err))
	}
	if head.Schema != schema {
		return fmt.Errorf("%s: saw the schema %q, want %q: a result written with -o FILE.json or --format json", path, head.Schema, schema)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, wrongKind(err))
	}
	log, options, scores := into.parts()
	switch {
	case scores == 0:
		return fmt.Errorf("%s: %w", path, errNoScores)
	case !log:
		return fmt.Errorf("%s: damaged: log: %w", path, errMissing)
	case !options:
		return fmt.Errorf("%s: damaged: options: %w", path, errMissing)
	}
	if err := into.check(); err != nil {
		return fmt.Errorf("%s: damaged: %w", path, err)
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

// readCount reads how many jobs were predicted.
func readCount(name string, text json.RawMessage) (float64, error) {
	if len(text) == 0 {
		return 0, fmt.Errorf("%s: %w", name, errMissing)
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(x >= 0 && x <= math.MaxInt64) {
		return 0, fmt.Errorf("%s: saw %s, want how many jobs were predicted", name, text)
	}
	return x, nil
}

// readScore reads a score from least to 1 and its interval, each NaN where it is
// null, and finds what no run writes: a score is null of no predictions and of no
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
	}
	return b, nil
}
