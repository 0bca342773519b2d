package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
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

// DecodeRunTimes reads the JSON of an earlier RunTimesResult, to compare another
// with by Since. What that uses is checked: a field that is missing or that no
// run writes is an error that names it. Errors wrap one of the causes
// below.
func DecodeRunTimes(data []byte) (*RunTimesResult, error) {
	r := new(RunTimesResult)
	err := decodeEarlier(data, RunTimesSchema, r, earlier{
		needs:  []string{"log", "log.name", "log.jobs", "options", "options.alpha", "options.window", "options.neighbours", "options.quantile", "options.confidence"},
		label:  []string{"predictor", "classes"},
		fields: scoreFieldsOf(runTimeMetrics),
		check:  r.check,
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// DecodeWaits is DecodeRunTimes for a WaitsResult.
func DecodeWaits(data []byte) (*WaitsResult, error) {
	r := new(WaitsResult)
	err := decodeEarlier(data, WaitsSchema, r, earlier{
		needs: []string{"log", "log.name", "log.jobs", "quantile", "confidence", "parameters", "changes",
			"options", "options.law", "options.trim", "options.limits", "options.months", "options.estimate_factor"},
		label:  []string{"predictor"},
		fields: scoreFieldsOf(waitMetrics),
		check:  r.check,
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// earlier is what a result has to have.
type earlier struct {
	needs  []string // fields besides the scores; a dot leads into an object
	label  []string // texts that name a score
	fields []scoreField
	check  func() error // of the decoded result
}

// scoreField is a metric's name, its field and its least value.
type scoreField struct {
	name, field string
	least       float64
}

func scoreFieldsOf[S any](metrics []metric[S]) []scoreField {
	var all []scoreField
	for _, m := range metrics {
		all = append(all, scoreField{m.name, m.field, m.least})
	}
	return all
}

func decodeEarlier(data []byte, schema string, into any, e earlier) error {
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
	var fields map[string]json.RawMessage
	var scores []map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return damaged(err)
	}
	if err := json.Unmarshal(data, &struct{ Scores *[]map[string]json.RawMessage }{&scores}); err != nil {
		return damaged(err)
	}
	if len(scores) == 0 {
		return ErrNoScores
	}
	for _, name := range e.needs {
		if !given(fields, name) {
			return damaged(fmt.Errorf("%s: %w", name, errMissing))
		}
	}
	seen := map[string]bool{}
	for i, s := range scores {
		of, err := e.labelOf(s)
		if err != nil {
			return damaged(fmt.Errorf("scores[%d]: %w", i, err))
		}
		if err := e.checkFields(of, s); err != nil {
			return damaged(err)
		}
		if name := e.fields[0].name + "(" + of + ")"; seen[of] { // nobody could tell which is compared
			return damaged(fmt.Errorf("%s: it is there twice", name))
		}
		seen[of] = true
	}
	if err := json.Unmarshal(data, into); err != nil {
		return damaged(err)
	}
	if err := e.check(); err != nil {
		return damaged(err)
	}
	return nil
}

// labelOf is the name of a score.
func (e *earlier) labelOf(score map[string]json.RawMessage) (string, error) {
	var texts []string
	for _, name := range e.label {
		var text string
		if err := json.Unmarshal(score[name], &text); err != nil || text == "" {
			return "", fmt.Errorf("%s: %w", name, errMissing)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ","), nil
}

// checkFields finds a score's counts and metrics that are missing, no numbers or
// out of their range. A metric may be null.
func (e *earlier) checkFields(of string, score map[string]json.RawMessage) error {
	for _, name := range []string{"jobs", "predicted"} {
		text, ok := score[name]
		if !ok {
			return fmt.Errorf("%s: %s: %w", of, name, errMissing)
		}
		if x, err := strconv.ParseInt(string(text), 10, 64); err != nil || x < 0 {
			return fmt.Errorf("%s: %s: saw %s, want a whole number of 0 or more", of, name, text)
		}
	}
	for _, f := range e.fields {
		for _, name := range []string{f.field, f.name + "_low", f.name + "_high"} {
			text, ok := score[name]
			if !ok {
				return fmt.Errorf("%s(%s): %s: %w", f.name, of, name, errMissing)
			}
			x, err := strconv.ParseFloat(string(text), 64)
			if string(text) != "null" && (err != nil || !(x >= f.least-rounding && x <= 1+rounding)) {
				return fmt.Errorf("%s(%s): %s: saw %s, want a number from %g to 1", f.name, of, name, text, f.least)
			}
		}
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
