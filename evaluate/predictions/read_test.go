package predictions

import (
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

func readText(of, text string) (*Table, error) {
	return Read("mine.csv", of, delimited.ReadTable("mine.csv", strings.NewReader(text), Columns()))
}

// TestReadFaults checks that invalid tables give errors with file and line.
func TestReadFaults(t *testing.T) {
	for _, c := range []struct{ of, text, want string }{
		{OfRunTimes, "job_id,predicted_s\n1,2\n2,3\n1,4\n", "mine.csv:4: job_id: saw job 1 for the second time, want one prediction for each job"},
		{OfRunTimes, "job_id,predictor,predicted_s\n1,a,2\n1,b,3\n1,b,\n", "mine.csv:4: job_id: saw job 1 for the second time by b"},
		{OfRunTimes, "job_id,predicted_s\n,2\n", "mine.csv:2: job_id: saw no number, want the number of a job"},
		{OfRunTimes, "job_id,predicted_s,quantile\n1,2,95\n", "mine.csv:2: quantile: saw 95, want a number between 0 and 1"},
		{OfRunTimes, "job_id,predicted_s\n", "mine.csv: saw no row"},
		{OfRunTimes, "job_id,predicted_s,predictor\n1,2,a\n2,2,\"a,b\"\n", `mine.csv:3: predictor: saw "a,b", want a name without commas`},
		{OfRunTimes, "job_id,predicted_s,classes\n1,2,\"a,b\"\n", `mine.csv:2: classes: saw "a,b", want a name without commas`},
		{OfRunTimes, "job_id,predicted_s,waits\n1,2,log\n", "mine.csv: saw a column waits"},
		{OfWaits, "job_id,predicted_s,classes\n1,2,user\n", "mine.csv: saw a column classes"},
		{"waits", "job_id,predicted_s\n1,2\n", `of: "waits", want "runtime" or "wait"`},
	} {
		if _, err := readText(c.of, c.text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestNames checks that predictors without a name are named after the file, and that names differ
// between several quantiles. Waits of a simulation are left out.
func TestNames(t *testing.T) {
	for text, want := range map[string][]string{
		"job_id,predicted_s\n1,2\n": {"mine"},
		"job_id,predictor,quantile,predicted_s\n1,a,0.5,2\n1,a,0.95,3\n1,b,0.5,2\n":        {"a@0.5", "a@0.95", "b"},
		"job_id,predictor,waits,predicted_s\n1,a,log,2\n1,a,simulated-easy,3\n1,b,log,2\n": {"a", "b"},
	} {
		p, err := readText(OfWaits, text)
		if err != nil || !slices.Equal(p.Names(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
