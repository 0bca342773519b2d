package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
)

// Errors that DecodeRunTimes and DecodeWaits wrap.
var (
	ErrNotAResult  = errors.New("not a result of this command")
	ErrOtherSchema = errors.New("another schema")
	ErrNoScores    = errors.New("no scores to compare with")
	ErrDamaged     = errors.New("damaged")

	errMissing = errors.New("it is missing")
)

// DecodeRunTimes decodes the JSON of an earlier RunTimesResult, for comparison by Since. It
// checks the scores that Since compares. An error wraps one of the errors above, and names
// the first score that is missing or out of range.
func DecodeRunTimes(data []byte) (*RunTimesResult, error) {
	r := new(RunTimesResult)
	if err := decodeEarlier[RunTimeScore](data, RunTimesSchema, r, "predictor", "classes"); err != nil {
		return nil, err
	}
	return r, nil
}

// DecodeWaits is DecodeRunTimes for a WaitsResult.
func DecodeWaits(data []byte) (*WaitsResult, error) {
	r := new(WaitsResult)
	if err := decodeEarlier[WaitScore](data, WaitsSchema, r, "predictor"); err != nil {
		return nil, err
	}
	return r, nil
}

// decodeEarlier decodes a result with scores of type S. The values of the fields in label
// identify a score.
func decodeEarlier[S any](data []byte, schema string, into any, label ...string) error {
	var given struct {
		Schema string                       `json:"schema"`
		Scores []map[string]json.RawMessage `json:"scores"`
	}
	err := json.Unmarshal(data, &given)
	switch {
	case err != nil && given.Schema != schema:
		return fmt.Errorf("%w: %w", ErrNotAResult, jsonfault.Words(err))
	case given.Schema != schema:
		return fmt.Errorf("%w: saw the schema %q, want %q", ErrOtherSchema, given.Schema, schema)
	}
	damaged := func(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, jsonfault.Words(err)) }
	if f := jsonfault.Repeated(data); f != nil {
		return damaged(fmt.Errorf("%s: %s, want %s", f.Path, f.Saw, f.Want))
	}
	switch {
	case err != nil:
		return damaged(err)
	case len(given.Scores) == 0:
		return ErrNoScores
	}
	seen := map[string]bool{}
	for i, s := range given.Scores {
		of, err := textsOf(s, label)
		switch {
		case err != nil:
			return damaged(fmt.Errorf("scores[%d]: %w", i, err))
		case seen[of]: // ambiguous: Since compares one score of each name
			return damaged(fmt.Errorf("%s: given twice", of))
		}
		seen[of] = true
		if err := checkScore(s, field.Of[S]()); err != nil {
			return damaged(fmt.Errorf("%s: %w", of, err))
		}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return damaged(err)
	}
	return nil
}

// textsOf returns the name of a score: the values of its fields label, joined by commas.
func textsOf(score map[string]json.RawMessage, label []string) (string, error) {
	var texts []string
	for _, name := range label {
		var text string
		if err := json.Unmarshal(score[name], &text); err != nil || text == "" {
			return "", fmt.Errorf("%s: %w", name, errMissing)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ","), nil
}

// checkScore returns an error for a field that is missing or out of range. A null field is out
// of range, since no later run could fall below it, unless the field may be null or nothing was
// predicted.
func checkScore(score map[string]json.RawMessage, fields []field.Field) error {
	for key := range score { // encoding/json ignores case in names of fields
		if key != strings.ToLower(key) {
			return fmt.Errorf("saw the field %q, want fields in small letters", key)
		}
	}
	none := string(score["predicted"]) == "0"
	for _, f := range fields {
		allowed, ok := f.Range()
		if !ok {
			continue
		}
		text, given := score[f.Name]
		x, err := strconv.ParseFloat(string(text), 64)
		switch {
		case !given:
			return fmt.Errorf("%s: %w", f.Name, errMissing)
		case string(text) == "null" && (none || allowed.Null):
		case err != nil || !(x >= allowed.Least-rounding && x <= allowed.Most+rounding):
			return fmt.Errorf("%s: saw %s, want %s", f.Name, text, allowed)
		}
	}
	return nil
}
