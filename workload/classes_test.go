package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// queues is a header with the queues of a small site.
func queues() *Header {
	h := new(Header)
	for _, line := range []string{"1 q1s", "2 q64s", "3 q1l", "4 q64l", "5 interactive"} {
		h.Add("Queue", line)
	}
	return h
}

// inClass is the label of a job under a way of sorting jobs.
func inClass(t *testing.T, text string, g Grouping, set func(*Job)) string {
	t.Helper()
	c, err := ClassesOf(SplitClasses(text), g)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	j := UnknownJob()
	set(&j)
	key := c.Key(&j)
	if g.Submitted && key != c.RequestKey(&j.Request) {
		t.Errorf("%s: the request's class is %q, the job's %q", text, c.Label(c.RequestKey(&j.Request)), c.Label(key))
	}
	return c.Label(key)
}

func TestParseClasses(t *testing.T) {
	size := func(n int64) func(*Job) { return func(j *Job) { j.Size = n } }
	requested := func(s float64) func(*Job) { return func(j *Job) { j.Time = s } }
	for _, c := range []struct {
		text string
		g    Grouping
		set  func(*Job)
		want string
	}{
		{"all", Grouping{}, size(3), "all"},
		{"user", Grouping{}, func(j *Job) { j.User = 7 }, "user_id=7"},
		{"user_id", Grouping{}, func(j *Job) { j.User = 7 }, "user_id=7"},
		{"app+site", Grouping{}, func(j *Job) { j.Application, j.Partition = 2, 3 }, "application_id=2, partition_id=3"},
		{"executable, status", Grouping{}, func(j *Job) { j.Status = 5 }, "application_id unknown, status=5"},
		{"size", Grouping{}, size(7), "size=5-8"},
		{"size", Grouping{Each: true}, size(7), "size=7"},
		{"size:each", Grouping{}, size(7), "size=7"},
		{"size:x2", Grouping{Each: true, Submitted: true}, size(7), "size=5-8"},
		{"size:4:16:64", Grouping{Submitted: true}, size(16), "size=5-16"},
		{"size:4:16:64", Grouping{}, size(65), "size>64"},
		{"time:1h:6h", Grouping{Submitted: true}, requested(3600), "requested_time_s<=3600"},
		{"estimate:60m:0.25d", Grouping{}, requested(3601), "requested_time_s=3600..21600"},
		{"estimate", Grouping{Each: true}, requested(90.5), "requested_time_s=90.5"},
		{"kind", Grouping{Header: queues()}, func(j *Job) { j.Queue = 5 }, "interactive"},
		{"kind", Grouping{Header: queues()}, func(j *Job) { j.Queue = 1 }, "batch"},
	} {
		if got := inClass(t, c.text, c.g, c.set); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestParseClassesFaults(t *testing.T) {
	for text, want := range map[string]string{
		"accounts":                       "a column (did you mean account?)",
		"usr":                            "(did you mean user?)",
		"colour":                         "want one or more of",
		"shoe":                           `"shoe", want one or more of all, user, group`,
		"":                               `"", want one or more of`,
		"run":                            `"run", want one or more of`,
		"user,user_id":                   `"user" twice`,
		"user:4":                         "ranges behind amounts only",
		"size:":                          "ascending numbers",
		"size:4:4":                       "ascending numbers",
		"size:-4:2":                      "ascending numbers of 0 or more",
		"size:1h":                        "ascending numbers",
		"time:1e308w":                    "ascending numbers",
		"size:nan":                       "ascending numbers",
		"class":                          "named classes",
		"user,group,queue,size,estimate": "at most 4",
		"all,user":                       `"all", want one or more of`,
	} {
		_, err := ParseClasses(SplitClasses(text), Grouping{})
		var fault *OptionError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, word := range []string{"status", "allocated", "used_memory"} {
		if _, err := ParseClasses([]string{word}, Grouping{Submitted: true}); err == nil || strings.Contains(err.Error(), "did you mean status") {
			t.Errorf("%s is taken for known at submission", word)
		}
	}
	if _, err := ParseClasses([]string{"kind"}, Grouping{Header: new(Header)}); err == nil || !strings.Contains(err.Error(), "`class`") {
		t.Errorf("kind without names: %v", err)
	}
}

func named(t *testing.T, texts ...string) []NamedClass {
	t.Helper()
	var all []NamedClass
	for _, text := range texts {
		c, err := ParseNamedClass(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// A value is in the class that names it, else in the first with a pattern that
// matches; values in none are the class other, and the unknown stay so.
func TestNamedClasses(t *testing.T) {
	g := Grouping{Submitted: true, Header: queues(), Named: named(t, "sequential=q1*", "short=q*s,1", "long=q64l,9")}
	for queue, want := range map[int64]string{1: "short", 2: "short", 3: "sequential", 4: "long", 5: "other", 9: "long", 77: "other", Unknown: "queue_id unknown"} {
		if got := inClass(t, "class", g, func(j *Job) { j.Queue = queue }); got != want {
			t.Errorf("queue %d: %q, want %q", queue, got, want)
		}
	}
	g.Named = named(t, "user:staff=3,4")
	if got := inClass(t, "class,size", g, func(j *Job) { j.User, j.Size = 4, 2 }); got != "staff, size=2" {
		t.Error(got)
	}
}

func TestNamedClassFaults(t *testing.T) {
	for _, text := range []string{"", "short", "=1", "short=", "short=1,,2", "other=1", "size:big=1", "shoe:a=1", "a=[", "class:a=1"} {
		if _, err := ParseNamedClass(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	for want, texts := range map[string][]string{
		"classes of one column":      {"a=1", "user:b=2"},
		"in class a and in class b":  {"a=1", "b=1"},
		"want it in one":             {"a=1", "b=+1"},
		"no such queue":              {"a=q9"},
		"or one of interactive, q1l": {"a=q9*"},
		"class a and in class c":     {"a=q1s", "c=1"},
	} {
		if _, err := ParseClasses([]string{"class"}, Grouping{Named: named(t, texts...), Header: queues()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", texts, err, want)
		}
	}
}

func TestNormalClassWords(t *testing.T) {
	if _, err := NormalClassWords([]string{"queue", "kind"}, Grouping{}); err == nil {
		t.Error("two ways of queues are taken")
	}
	got, err := NormalClassWords([]string{"user", "time:1h", "kind", "size"}, Grouping{})
	if want := []string{"user_id", "requested_time_s:1h", "kind", "size"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err = NormalClassWords([]string{"all"}, Grouping{}); err != nil || !slices.Equal(got, []string{"all"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// The columns of a classifier read back as themselves.
func TestClassColumnString(t *testing.T) {
	by, err := ParseClasses([]string{"size:4:16", "estimate", "memory:each", "user"}, Grouping{})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, c := range by {
		words = append(words, c.String())
	}
	again, err := ClassesOf(words, Grouping{Each: true})
	one, _ := NewClassifier(by)
	if err != nil || !one.Same(again) {
		t.Errorf("%q: %v", words, err)
	}
	if other, _ := ClassesOf([]string{"size:4:16"}, Grouping{}); one.Same(other) || other.Same(nil) {
		t.Error("different classes are the same")
	}
}

// Ranges by powers of two: 2^(k-1) < v <= 2^k, and one of all that is not above 0.
func TestPowerOfTwoRanges(t *testing.T) {
	for value, want := range map[float64]string{
		-3: "requested_time_s<=0", 0: "requested_time_s<=0", 0.5: "requested_time_s=0.25..0.5", 0.75: "requested_time_s=0.5..1",
		1: "requested_time_s=0.5..1", 1.5: "requested_time_s=1..2", 2: "requested_time_s=1..2", 4096: "requested_time_s=2048..4096", 4096.5: "requested_time_s=4096..8192",
	} {
		if got := inClass(t, "time:x2", Grouping{}, func(j *Job) { j.Time = value }); got != want {
			t.Errorf("%g: %s, want %s", value, got, want)
		}
	}
}

// Classes are in order of their values, the first column first, unknown values last.
func TestClassKeyCompare(t *testing.T) {
	for _, c := range []struct {
		a, b ClassKey
		want int
	}{
		{ClassKey{1, 5}, ClassKey{2, 3}, -1}, {ClassKey{2, 3}, ClassKey{2, 5}, -1}, {ClassKey{2, 3}, ClassKey{2, 3}, 0},
		{ClassKey{Unknown}, ClassKey{7}, 1}, {ClassKey{1, 7}, ClassKey{1, Unknown}, -1}, {ClassKey{Unknown, 1}, ClassKey{Unknown, 2}, -1},
	} {
		if got := c.a.Compare(c.b); got != c.want || c.b.Compare(c.a) != -c.want {
			t.Errorf("%v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Labels become parts of file names without spaces and signs.
func TestInFileName(t *testing.T) {
	for label, want := range map[string]string{
		"queue_id=1, size=5-8": "queue_id=1_size=5-8", "size<=4": "size-upto-4", "size>64": "size-over-64",
		"size unknown": "size-unknown", "größe/2": "größe-2",
	} {
		if got := InFileName(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

// Kinds are of partitions before queues, and there are none where all names or no
// name are interactive.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		header []string
		want   string
	}{
		{[]string{"Queue: 1 batch", "Queue: 2 Interactive", "Queue: 4 interactive2"}, "queue_id map[2:interactive 4:interactive]"},
		{[]string{"Queue: 1 batch", "Queue: 2 interactive", "Partition: 3 interactive", "Partition: 4 x"}, "partition_id map[3:interactive]"},
		{[]string{"Queue: 2 interactive"}, " map[]"},
		{[]string{"Queue: 2 interactive", "Queue: 3 short_interactive"}, " map[]"},
		{[]string{"Queue: 1 batch", "Queue: 2 other"}, " map[]"},
	} {
		k, err := kindColumn(&Header{Lines: c.header})
		if got := fmt.Sprint(k.Column, " ", k.Groups); got != c.want || (err != nil) != (k.Column == "") {
			t.Errorf("%v: %s, %v, want %s", c.header, got, err, c.want)
		}
	}
}

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
