package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
)

// Causes of the errors of DecodeRunTimes and DecodeWaits.
var (
	ErrNotAResult  = errors.New("not a result of this command")
	ErrOtherSchema = errors.New("another schema")
	ErrNoScores    = errors.New("no scores to compare with")
	ErrDamaged     = errors.New("damaged")

	errMissing = errors.New("it is missing")
)

// DecodeRunTimes reads the JSON of an earlier RunTimesResult, with which Since
// compares another. The scores that Since compares are checked; an error that
// wraps one of the causes above names the first that is missing or out of its
// range.
func DecodeRunTimes(data []byte) (*RunTimesResult, error) {
	r := new(RunTimesResult)
	if err := decodeEarlier(data, RunTimesSchema, r, []string{"predictor", "classes"}, append(fieldsOf(runTimeMetrics), fieldsOf([]metric[RunTimeScore]{commonMetric})...)); err != nil {
		return nil, err
	}
	if err := agree(r.comparables(r)); err != nil {
		return nil, err
	}
	return r, nil
}

// DecodeWaits is DecodeRunTimes for a WaitsResult.
func DecodeWaits(data []byte) (*WaitsResult, error) {
	r := new(WaitsResult)
	if err := decodeEarlier(data, WaitsSchema, r, []string{"predictor"}, append(fieldsOf(waitMetrics), fieldsOf([]metric[WaitScore]{lossMetric})...)); err != nil {
		return nil, err
	}
	for i := range r.Scores {
		s := &r.Scores[i]
		// Bounds cover a share of the waits above 0, and have no correlation.
		s.Bound = s.NonZeroCoverage > 0 && math.IsNaN(float64(s.CorrelationLog)) || isBoundName(s.Predictor)
	}
	if err := agree(r.comparables()); err != nil {
		return nil, err
	}
	return r, nil
}

// agree finds a score that is not what its sums make. The interval of a fall is drawn
// from the sums, and would not know of the score.
func agree(all []scored) error {
	for _, s := range all {
		if s.clusters == nil {
			continue
		}
		x := s.of(s.clusters.Whole())
		if math.Abs(x-s.value) > sumsAgree*max(1, math.Abs(s.value)) || math.IsNaN(x) != math.IsNaN(s.value) {
			return fmt.Errorf("%w: %s: saw %g, want %g, which its sums make", ErrDamaged, s.name, s.value, x)
		}
	}
	return nil
}

// sumsAgree is by how much a score may miss what its sums make, which have nine digits;
// of scores above 1 a share of them.
const sumsAgree = 1e-4

// comparedField is a metric's name, its field in JSON and its least and greatest value.
type comparedField struct {
	name, field string
	least, most float64
}

func fieldsOf[S any](metrics []metric[S]) []comparedField {
	var all []comparedField
	for _, m := range metrics {
		all = append(all, comparedField{m.name, m.field, m.least, m.most})
	}
	return all
}

// decodeEarlier decodes a result. A score is named by the texts of its fields
// label.
func decodeEarlier(data []byte, schema string, into any, label []string, fields []comparedField) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%w: %w", ErrNotAResult, jsonfault.Words(err))
	}
	if head.Schema != schema {
		return fmt.Errorf("%w: saw the schema %q, want %q", ErrOtherSchema, head.Schema, schema)
	}
	damaged := func(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, jsonfault.Words(err)) }
	if f := jsonfault.Repeated(data); f != nil {
		return damaged(fmt.Errorf("%s: %s, want %s", f.Path, f.Saw, f.Want))
	}
	var given struct {
		Scores []map[string]json.RawMessage `json:"scores"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return damaged(err)
	}
	if len(given.Scores) == 0 {
		return ErrNoScores
	}
	seen := map[string]bool{}
	for i, s := range given.Scores {
		of, err := textsOf(s, label)
		if err != nil {
			return damaged(fmt.Errorf("scores[%d]: %w", i, err))
		}
		if seen[of] { // nobody could tell which is compared
			return damaged(fmt.Errorf("%s(%s): given twice", fields[0].name, of))
		}
		seen[of] = true
		for key := range s { // encoding/json reads one in capitals as the field
			if key != strings.ToLower(key) {
				return damaged(fmt.Errorf("%s: saw the field %q, want fields in small letters", of, key))
			}
		}
		for _, f := range fields {
			if err := f.check(s); err != nil {
				return damaged(fmt.Errorf("%s(%s): %s: %w", f.name, of, f.field, err))
			}
		}
		if err := checkCounts(s); err != nil {
			return damaged(fmt.Errorf("%s: %w", of, err))
		}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return damaged(err)
	}
	return nil
}

// checkCounts finds a count of jobs that is missing or none, and predictions
// without a mean accuracy or a coverage, which no later run could fall below.
func checkCounts(score map[string]json.RawMessage) error {
	var predicted int64
	for _, name := range []string{"jobs", "predicted"} {
		text, ok := score[name]
		if !ok {
			return fmt.Errorf("%s: %w", name, errMissing)
		}
		var err error
		if predicted, err = strconv.ParseInt(string(text), 10, 64); err != nil || predicted < 0 {
			return fmt.Errorf("%s: saw %s, want a whole number of 0 or more", name, text)
		}
	}
	for _, name := range []string{"accuracy_mean", "coverage"} {
		if predicted > 0 && string(score[name]) == "null" {
			return fmt.Errorf("%s: saw null, want a number: %d jobs were predicted", name, predicted)
		}
	}
	return nil
}

// textsOf is the name of a score.
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

// check finds a metric that is missing or out of its range. It may be null.
func (f comparedField) check(score map[string]json.RawMessage) error {
	text, ok := score[f.field]
	if !ok {
		return errMissing
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if string(text) != "null" && (err != nil || !(x >= f.least-rounding && x <= f.most+rounding)) {
		if math.IsInf(f.most, 1) {
			return fmt.Errorf("saw %s, want a number of %g or more", text, f.least)
		}
		return fmt.Errorf("saw %s, want a number from %g to %g", text, f.least, f.most)
	}
	return nil
}
