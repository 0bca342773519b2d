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

// Counts by status are keyed by the names of the codes.
func TestStatusThroughJSON(t *testing.T) {
	counts := map[Status]int64{Status(StatusFailed): 1, Status(StatusLastCompleted): 2, 9: 3, -7: 4, Status(Unknown): 5}
	text, err := json.Marshal(counts)
	if want := `{"failed":1,"last part, completed":2,"unknown":5,"with the undefined code -7":4,"with the undefined code 9":3}`; err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
}
