package workload

import (
	"errors"
	"slices"
	"testing"
)

// watched reads a log of jobs of these queues and users, Unknown for none.
func watched(t *testing.T, words []string, named []NamedClass, lenient bool, queues, users []int64) ([]Warning, error) {
	t.Helper()
	var jobs []Job
	for i := range queues {
		j := UnknownJob()
		j.Queue, j.User = queues[i], users[i]
		jobs = append(jobs, j)
	}
	log := LogOf("log", Header{}, jobs)
	c, err := ClassesOf(words, Grouping{Named: named, Header: &log.Header})
	if err != nil {
		t.Fatal(err)
	}
	log.WatchClasses(c, lenient)
	n := 0
	for _, fault := range log.Jobs() {
		if err = fault; err == nil {
			n++
		}
	}
	if n != len(jobs) {
		t.Errorf("%d jobs of %d", n, len(jobs))
	}
	return log.Warnings(), err
}

// A column that no job has a value in is a warning where another divides the jobs.
func TestWatchClassesOfLackingColumn(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		got, err := watched(t, []string{"queue", "user"}, nil, lenient, []int64{1, 2}, []int64{Unknown, Unknown})
		if want := "no job has a user_id: the classes are those of the other columns"; err != nil || len(got) != 1 || got[0].Text != want {
			t.Errorf("%v, %v, want %q", got, err, want)
		}
	}
}

// A log in which no job has a value of what its jobs are sorted by is an error, if
// it has jobs; one value of one column is enough.
func TestWatchClasses(t *testing.T) {
	none := []int64{Unknown, Unknown, Unknown}
	some := []int64{Unknown, 7, Unknown}
	for _, c := range []struct {
		words         []string
		lenient       bool
		queues, users []int64
		want          string
	}{
		{[]string{"queue"}, false, none, some, "log: no job has a queue_id: there are no classes to sort jobs into"},
		{[]string{"queue", "user"}, false, none, none, "log: no job has a queue_id or a user_id: there are no classes to sort jobs into"},
		{[]string{"account"}, false, none, some, "log: no job has an account_id: there are no classes to sort jobs into"},
		{[]string{"queue", "user"}, false, none, some, ""},
		{[]string{"queue"}, false, some, none, ""},
		{[]string{"queue"}, true, none, none, ""},
		{[]string{"queue"}, false, nil, nil, ""},
		{[]string{"all"}, false, none, none, ""},
	} {
		_, err := watched(t, c.words, nil, c.lenient, c.queues, c.users)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrNoClass) || err.Error() != c.want) {
			t.Errorf("%q of %v and %v: %v, want %q", c.words, c.queues, c.users, err, c.want)
		}
	}
}

func TestWatchNamedClasses(t *testing.T) {
	named := named(t, "short=1", "night=98,99", "long=2", "day=97")
	got, err := watched(t, []string{"class"}, named, false, []int64{1, Unknown, 2, 5}, []int64{1, 1, 1, 1})
	want := []Warning{{Rule: "empty-class", Text: "named classes that no job is in, by queue_id", Count: 2, Saw: "day"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err = watched(t, []string{"class"}, named[:1], false, []int64{5, 1}, []int64{1, 1}); err != nil || len(got) != 0 {
		t.Errorf("with a job: %+v, %v", got, err)
	}
}
