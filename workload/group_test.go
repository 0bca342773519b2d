package workload

import (
	"errors"
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
		"shoe":                           `"shoe", want one or more of all, user, group`,
		"":                               `"", want one or more of`,
		"run":                            `"run", want one or more of`,
		"user,user_id":                   "each column once",
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
		if _, err := ParseClasses([]string{word}, Grouping{Submitted: true}); err == nil {
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
		"conditions are not taken":   {"short=run_time<600"},
	} {
		if _, err := ParseClasses([]string{"class"}, Grouping{Named: named(t, texts...), Header: queues()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", texts, err, want)
		}
	}
}

func TestNormalClassWords(t *testing.T) {
	got, err := NormalClassWords([]string{"queue", "time:1h", "kind", "size"}, Grouping{})
	if want := []string{"queue_id", "requested_time_s:1h", "kind", "size"}; err == nil && !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err == nil {
		t.Error("two ways of queues are taken")
	}
	got, err = NormalClassWords([]string{"user", "time:1h", "kind", "size"}, Grouping{})
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
