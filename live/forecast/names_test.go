package forecast_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/stats"
)

// A squeue listing numbers its users by appearance, bob 1 and alice 2, and they
// are not users 1 and 2 of a log with numbers alone: user 1 always waited 5 s, user
// 2 always 50 s, which says nothing of bob and alice.
func TestNumbersAreNotNames(t *testing.T) {
	state := `JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS
7|bob|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64
8|alice|PENDING|2024-05-31T10:30:00|N/A|0:00|1:00:00|100
`
	past := func(names string) string {
		var b strings.Builder
		b.WriteString("; UnixStartTime: 1717056000\n; TimeZoneString: UTC\n" + names)
		for i := range 120 {
			user := 1 + i%2
			fmt.Fprintf(&b, "%d %d %d 600 4 -1 -1 4 7200 -1 1 %d 1 1 1 1 -1 -1\n", 100+i, 60*i, []int{5, 50}[i%2], user)
		}
		return b.String()
	}
	asked := func(names, user string) (*forecast.Answer, error) {
		q := query(t, state, past(names), forecast.StateOptions{Processors: 100}, 4)
		q.Predictors, q.Groups, q.User = []string{"bmbp"}, []string{"user_id"}, user
		return forecast.Ask(context.Background(), q)
	}
	// texts are those of the warnings.
	texts := func(a *forecast.Answer) []string {
		var out []string
		for _, w := range a.Warnings {
			if w.Rule == "unmatched-names" {
				out = append(out, w.Text)
			}
		}
		return out
	}
	for _, user := range []string{"bob", "alice"} {
		a, err := asked("", user)
		if err != nil {
			t.Fatal(err)
		}
		// No wait is theirs, so that all jobs' stand in.
		if p := a.Predictions[0]; p.Group != "all" {
			t.Fatalf("%s has the waits of a user with a number: %+v", user, p)
		}
		if want := []string{"it has numbers of users, and the input before it has names: they cannot be matched, so its users are not used"}; !slices.Equal(texts(a), want) {
			t.Errorf("%s: warnings %q, want %q", user, texts(a), want)
		}
	}
	// With names they are matched, whatever their numbers.
	for user, want := range map[string]stats.Number{"alice": 5, "bob": 50} {
		a, err := asked("; User: 1 alice\n; User: 2 bob\n", user)
		if err != nil {
			t.Fatal(err)
		}
		if got := row(t, a, 4, "bmbp").Bounds[0].Seconds; got != want || len(texts(a)) > 0 {
			t.Errorf("%s: %g s, want %g; warnings %v", user, got, want, a.Warnings)
		}
	}
}

// The other way round: the state has numbers, and a history of Slurm has names,
// numbered by appearance.
func TestNamesAreNotNumbers(t *testing.T) {
	var b strings.Builder
	b.WriteString("JobID|User|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d|ann|COMPLETED|2024-05-30T00:00:00|2024-05-30T00:00:%02d|2024-05-30T00:01:00|60|120|1\n", 100+i, i)
	}
	q := query(t, running, b.String(), forecast.StateOptions{At: "200"}, 2)
	q.Predictors, q.User = []string{"bmbp"}, "1"
	a := ask(t, q)
	i := slices.Index(rules(a), "unmatched-names")
	if i < 0 || !strings.Contains(a.Warnings[i].Text, "it has names of users, and the input before it has numbers") {
		t.Errorf("warnings %v", a.Warnings)
	}
}
