package workload

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestIntegerIsNullInJSONWhereUnknown(t *testing.T) {
	want := []Integer{7, 0, -3, Integer(Unknown), Positive(0), Positive(9)}
	text, err := json.Marshal(want)
	if err != nil || string(text) != "[7,0,-3,null,null,9]" {
		t.Fatalf("got %s, %v", text, err)
	}
	back := []Integer{1, 1, 1, 1, 1, 1}
	if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back, want) {
		t.Errorf("got %v, %v; want %v", back, err, want)
	}
	left, err := json.Marshal(struct {
		Site Integer `json:"site,omitzero"`
	}{Integer(Unknown)})
	if err != nil || string(left) != "{}" {
		t.Errorf("got %s, %v; want {}", left, err)
	}
}
