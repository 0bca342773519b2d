package stats

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

func TestNumberIsNullInJSONWhereItHasNoValue(t *testing.T) {
	text, err := json.Marshal([]Number{1.5, Number(math.NaN()), Number(math.Inf(1)), Number(math.Inf(-1)), 0})
	if err != nil || string(text) != "[1.5,null,null,null,0]" {
		t.Fatalf("got %s, %v", text, err)
	}
	back := []Number{7, 7, 7}
	jobtest.NoError(t, json.Unmarshal([]byte("[1.5,null,-2e300]"), &back))
	if back[0] != 1.5 || !math.IsNaN(float64(back[1])) || back[2] != -2e300 {
		t.Errorf("got %v, want 1.5, NaN, -2e300", back)
	}
	if err := json.Unmarshal([]byte(`["x"]`), &back); err == nil {
		t.Error("a text was read as a number")
	}
}

func TestShareIsInPerCentInJSON(t *testing.T) {
	text, err := json.Marshal([]Share{0.25, Share(math.NaN())})
	if err != nil || string(text) != "[25,null]" {
		t.Fatalf("got %s, %v", text, err)
	}
	back := []Share{7, 7}
	if err := json.Unmarshal(text, &back); err != nil || back[0] != 0.25 || !math.IsNaN(float64(back[1])) {
		t.Errorf("got %v, %v", back, err)
	}
}
