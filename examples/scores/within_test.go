package scores_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/loadstone-examples/scores"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A user's jobs of 100, 100, 150, 500 and 400 s, one an hour.
const jobs = `1 0     0 100 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 -1 -1 -1
2 3600  0 100 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 -1 -1 -1
3 7200  0 150 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 -1 -1 -1
4 10800 0 500 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 -1 -1 -1
5 14400 0 400 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 -1 -1 -1
`

func runTimes(measures ...score.RunTimeMeasure) (*evaluate.RunTimesResult, error) {
	l, err := logfile.OpenReader("log.swf", strings.NewReader(jobs), workload.Options{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return evaluate.RunTimes(context.Background(), l, evaluate.RunTimesOptions{
		Predictors: []string{"last"}, Classes: []string{"user"}, Measures: measures,
	})
}

// The scores stand in the result beside the others, and are found by their names.
func ExampleWithin() {
	r, err := runTimes(scores.Within("within_2", 2), scores.Within("within_1_3", 1.3))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := r.Score("last", "user")
	fmt.Println(s.Predicted, s.Measure("within_2"), s.Measure("within_1_3"))
	text, err := json.Marshal(s.Measures)
	fmt.Println(string(text), err)
	// The run times before are 1, 1.5, 3.3 and 1.25 times too short or too long.

	// Output:
	// 4 0.75 0.5
	// [{"name":"within_2","value":0.75,"lower_is_better":false},{"name":"within_1_3","value":0.5,"lower_is_better":false}] <nil>
}

// A later run is held against an earlier one by the score too.
func TestFell(t *testing.T) {
	before, err := runTimes(scores.Within("within", 2))
	if err != nil {
		t.Fatal(err)
	}
	now, err := runTimes(scores.Within("within", 1.3))
	if err != nil {
		t.Fatal(err)
	}
	changes := now.Since(before, evaluate.DropRule{})
	if len(changes.Scores) != 2 || changes.Scores[1].Score != "within(last,user)" || !changes.Scores[1].Fell {
		t.Errorf("%+v", changes)
	}
}

// A name that is taken or that no condition could name is an error.
func TestFaults(t *testing.T) {
	for name, want := range map[string]string{
		"bias_s": `measures: "bias_s", want a name that no other score has`,
		"Within": `score: the measure "Within", want a name of lower case letters, digits and underscores`,
	} {
		if _, err := runTimes(scores.Within(name, 2)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
