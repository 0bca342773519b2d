package view

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y,omitempty"`
}

type pair struct{ A, B float64 }

func (pair) MarshalJSON() ([]byte, error) { return []byte("[1, 2]"), nil }
func (pair) JSONShape() any               { return [2]float64{} }

type inner struct {
	Schema string `json:"schema"`
}

type hidden struct {
	Jobs string `json:"jobs"` // replaced by document's
	Kind string `json:"kind"`
}

type embedded struct {
	Why string `json:"why"`
}

type document struct {
	hidden
	*embedded
	Schema string                    `json:"schema"`
	Jobs   int64                     `json:"jobs"`
	Mean   stats.Number              `json:"mean,omitempty"`
	Size   workload.Integer          `json:"size"`
	Users  workload.Integer          `json:"users,omitzero"`
	Status map[workload.Status]int64 `json:"status"`
	Start  *time.Time                `json:"start"`
	Pair   pair                      `json:"pair"`
	From   point                     `json:"from"`
	To     *point                    `json:"to"`
	Way    []point                   `json:"way,omitempty"`
	Once   *struct{ hidden }         `json:"once,omitempty"`
	Of     *inner                    `json:"of"`
	Work   float64                   `json:"-"`
}

// TestSchema checks the required fields, the nullable ones, and the references.
func TestSchema(t *testing.T) {
	const want = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "a/1",
  "type": "object",
  "properties": {
    "from": {"$ref": "#/$defs/view.point"},
    "jobs": {"type": "integer"},
    "kind": {"type": "string"},
    "mean": {"type": ["number", "null"]},
    "of": {"anyOf": [{"$ref": "b.json"}, {"type": "null"}]},
    "once": {"type": "object", "properties": {"jobs": {"type": "string"}, "kind": {"type": "string"}}, "required": ["jobs", "kind"]},
    "pair": {"type": "array", "items": {"type": "number"}},
    "schema": {"type": "string", "const": "a/1"},
    "size": {"type": ["integer", "null"]},
    "start": {"type": ["string", "null"], "format": "date-time"},
    "status": {"type": ["object", "null"], "additionalProperties": {"type": "integer"}},
    "to": {"anyOf": [{"$ref": "#/$defs/view.point"}, {"type": "null"}]},
    "users": {"type": "integer"},
    "way": {"type": "array", "items": {"$ref": "#/$defs/view.point"}},
    "why": {"type": "string"}
  },
  "required": ["from", "jobs", "kind", "of", "pair", "schema", "size", "start", "status", "to"],
  "$defs": {"view.point": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x"]}}
}`
	documents := Documents{"a/1": reflect.TypeFor[document](), "b/1": reflect.TypeFor[inner]()}
	var saw, wanted any
	jobtest.NoError(t, json.Unmarshal([]byte(documents.Schema("a/1").String()), &saw))
	jobtest.NoError(t, json.Unmarshal([]byte(want), &wanted))
	if !reflect.DeepEqual(saw, wanted) {
		t.Errorf("got %s\nwant %s", documents.Schema("a/1"), want)
	}
}
