package workload

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// queues returns a header with the queues of a small site.
func queues() *Header {
	h := new(Header)
	for _, line := range []string{"1 q1s", "2 q64s", "3 q1l", "4 q64l", "5 interactive"} {
		h.Add("Queue", line)
	}
	return h
}

// jobOf returns a job with the given values, by the names or words of their columns: "run=100
// user=7".
func jobOf(t *testing.T, text string) Job {
	t.Helper()
	j := UnknownJob()
	for _, value := range strings.Fields(text) {
		name, number, _ := strings.Cut(value, "=")
		c := FindColumn(name)
		x, err := strconv.ParseFloat(number, 64)
		switch {
		case c == nil || err != nil:
			t.Fatalf("no value: %s", value)
		case c.Float():
			c.SetNumber(&j, x)
		default:
			c.SetInt(&j, int64(x))
		}
	}
	return j
}

// rowsOf returns the cells of a table, which are separated by bars.
func rowsOf(table string) (rows [][]string) {
	for _, line := range strings.Split(strings.Trim(table, "\n"), "\n") {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// inClass returns the label of a job's class under a grouping.
func inClass(t *testing.T, text string, g Grouping, job string) string {
	t.Helper()
	c, err := ClassesOf(SplitClasses(text), g)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	j := jobOf(t, job)
	key := c.Key(&j)
	if g.Submitted && key != c.RequestKey(&j.Request) {
		t.Errorf("%s: the request's class is %q, the job's %q", text, c.Label(c.RequestKey(&j.Request)), c.Label(key))
	}
	return c.Label(key)
}

// Each row has the words typed, the classifier they are parsed to, a job, and its class.
func TestParseClasses(t *testing.T) {
	const cases = `
all | | size=3 | all
user | | user=7 | user_id=7
user_id | | user=7 | user_id=7
app+site | | app=2 site=3 | application_id=2, partition_id=3
executable, status | | status=5 | application_id unknown, status=5
size | | size=7 | size=5-8
size | | size=1 | size=1
size | | size=2 | size=2
size | | size=64 | size=33-64
size | | size=65 | size=65-128
size | | size=0 | size<=0
size | | | size unknown
size:1:32 | | size=1 | size<=1
size:1:32 | | size=32 | size=2-32
size:1:32 | | size=33 | size>32
memory | | memory=16384 | requested_memory_kb=8192..16384
memory | | memory=16385 | requested_memory_kb=16384..32768
time | | time=+Inf | requested_time_s unknown
user | | user=-4 | user_id=-4
size | each | size=7 | size=7
size:each | | size=7 | size=7
size:x2 | each submitted | size=7 | size=5-8
size:4:16:64 | submitted | size=16 | size=5-16
size:4:16:64 | | size=65 | size>64
time:1h:6h | submitted | time=3600 | requested_time_s<=3600
estimate:60m:0.25d | | time=3601 | requested_time_s=3600..21600
estimate | each | time=90.5 | requested_time_s=90.5
kind | | queue=5 | interactive
kind | | queue=1 | batch
time:x2 | | time=-3 | requested_time_s<=0
time:x2 | | time=0 | requested_time_s<=0
time:x2 | | time=0.5 | requested_time_s=0.25..0.5
time:x2 | | time=0.75 | requested_time_s=0.5..1
time:x2 | | time=1 | requested_time_s=0.5..1
time:x2 | | time=1.5 | requested_time_s=1..2
time:x2 | | time=2 | requested_time_s=1..2
time:x2 | | time=4096 | requested_time_s=2048..4096
time:x2 | | time=4096.5 | requested_time_s=4096..8192
`
	for _, c := range rowsOf(cases) {
		g := Grouping{Each: strings.Contains(c[1], "each"), Submitted: strings.Contains(c[1], "submitted"), Header: queues()}
		if got := inClass(t, c[0], g, c[2]); got != c[3] {
			t.Errorf("%s: %q, want %q", c[0], got, c[3])
		}
	}
}

func TestParseClassesFaults(t *testing.T) {
	const cases = `
accounts | a column (did you mean account?)
usr | (did you mean user?)
colour | want one or more of
shoe | "shoe", want one or more of all, user, group
 | "", want one or more of
run | "run", want one or more of
user,user_id | "user" twice
user:4 | ranges for amounts only
size: | ascending numbers
size:4:4 | ascending numbers
size:-4:2 | ascending numbers of 0 or more
size:1h | ascending numbers
time:1e308w | ascending numbers
size:nan | ascending numbers
class | named classes
user,group,queue,size,estimate | at most 4
all,user | "all", want one or more of
kind | named classes, such as ` + "`class`" + `
`
	for _, c := range rowsOf(cases) {
		_, err := ParseClasses(SplitClasses(c[0]), Grouping{Header: new(Header)})
		var fault *OptionError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: %v, want %q", c[0], err, c[1])
		}
	}
	for _, word := range []string{"status", "allocated", "used_memory"} {
		if _, err := ParseClasses([]string{word}, Grouping{Submitted: true}); err == nil || strings.Contains(err.Error(), "did you mean status") {
			t.Errorf("%s is taken for known at submission", word)
		}
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

// A value is in the class that names it, otherwise in the first class with a matching pattern.
// Values in no class are in the class "other"; unknown values stay unknown.
func TestNamedClasses(t *testing.T) {
	g := Grouping{Submitted: true, Header: queues(), Named: named(t, "sequential=q1*", "short=q*s,1", "long=q64l,9")}
	for _, c := range rowsOf("queue=1|short\nqueue=2|short\nqueue=3|sequential\nqueue=4|long\nqueue=5|other\nqueue=9|long\nqueue=77|other\n|queue_id unknown") {
		if got := inClass(t, "class", g, c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
	g.Named = named(t, "user:staff=3,4")
	if got := inClass(t, "class,size", g, "user=4 size=2"); got != "staff, size=2" {
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
		"classes of one column":        {"a=1", "user:b=2"},
		"in class a and in class b":    {"a=1", "b=1"},
		"want each value in one class": {"a=1", "b=+1"},
		"no such queue":                {"a=q9"},
		"or one of interactive, q1l":   {"a=q9*"},
		"class a and in class c":       {"a=q1s", "c=1"},
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

// The columns of a classifier survive a round trip through text.
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

// Classes are in order of their values, the first column first, unknown values last.
func TestClassKeyCompare(t *testing.T) {
	keys := []ClassKey{{1, 5}, {1, 7}, {1, Unknown}, {2, 3}, {2, 5}, {7}, {Unknown, 1}, {Unknown, 2}}
	for i, a := range keys {
		for k, b := range keys {
			if got, want := a.Compare(b), cmp.Compare(i, k); got != want {
				t.Errorf("%v and %v: %d, want %d", a, b, got, want)
			}
		}
	}
}

// Labels are converted to parts of file names without spaces or special characters.
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

// Kinds are derived from partitions if possible, otherwise from queues; there are none if all
// names, or no name, are interactive.
func TestKinds(t *testing.T) {
	const cases = `
Queue: 1 batch, Queue: 2 Interactive, Queue: 4 interactive2 | queue_id map[2:interactive 4:interactive]
Queue: 1 batch, Queue: 2 interactive, Partition: 3 interactive, Partition: 4 x | partition_id map[3:interactive]
Queue: 2 interactive |  map[]
Queue: 2 interactive, Queue: 3 short_interactive |  map[]
Queue: 1 batch, Queue: 2 other |  map[]
`
	for _, c := range rowsOf(cases) {
		k, err := kindColumn(&Header{Lines: strings.Split(c[0], ", ")})
		if got := strings.TrimSpace(fmt.Sprint(k.Column, " ", k.Groups)); got != c[1] || (err != nil) != (k.Column == "") {
			t.Errorf("%s: %s, %v, want %s", c[0], got, err, c[1])
		}
	}
}

// watched reads a log of these jobs, separated by slashes.
func watched(t *testing.T, words, jobs string, lenient bool) ([]Warning, error) {
	t.Helper()
	var all []Job
	for _, job := range strings.Split(jobs, "/") {
		all = append(all, jobOf(t, job))
	}
	if jobs == "" {
		all = nil
	}
	log := LogOf("log", Header{}, all)
	c, err := ClassesOf(SplitClasses(words), Grouping{Header: &log.Header})
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
	if n != len(all) {
		t.Errorf("%d jobs of %d", n, len(all))
	}
	return log.Warnings(), err
}

// A log in which no job has a value in the columns it is grouped by is an error, unless the log is
// empty; one value in one column suffices, with a warning about the others.
func TestWatchClasses(t *testing.T) {
	const cases = `
queue | user=1/user=7 | log: no job has a queue_id: there are no classes to sort jobs into |
queue,user | run=1/run=2 | log: no job has a queue_id or a user_id: there are no classes to sort jobs into |
account | run=1/user=7 | log: no job has an account_id: there are no classes to sort jobs into |
queue,user | run=1/user=7/run=2 | | no job has a queue_id: the classes are those of the other columns
queue,user | queue=1/queue=2 | | no job has a user_id: the classes are those of the other columns
queue | run=1/queue=7 | |
queue | | |
all | run=1 | |
`
	for _, c := range rowsOf(cases) {
		for _, lenient := range []bool{false, true} {
			warnings, err := watched(t, c[0], c[1], lenient)
			wantErr, wantWarning, got := c[2], c[3], ""
			if lenient && wantErr != "" {
				none, _, _ := strings.Cut(strings.TrimPrefix(wantErr, "log: "), ": there")
				wantErr, wantWarning = "", none+": all jobs are one class"
			}
			if len(warnings) == 1 {
				got = warnings[0].Text
			}
			if len(warnings) > 1 || got != wantWarning || wantErr == "" && err != nil || wantErr != "" && (!errors.Is(err, ErrNoClass) || err.Error() != wantErr) {
				t.Errorf("%s of %s, lenient %v: %v, %v", c[0], c[1], lenient, warnings, err)
			}
		}
	}
}

func TestParseSeconds(t *testing.T) {
	for text, want := range map[string]float64{"90s": 90, "7": 7, "30m": 1800, "1.5h": 5400, "1d": 86400, "2w": 14 * 86400} {
		if got, err := ParseSeconds(text); err != nil || got != want {
			t.Errorf("%s: got %v, want %v: %v", text, got, want, err)
		}
	}
	for _, text := range strings.Split("|d|1fortnight|1month|1..2h|1e308w|1dd|NaNh|infs", "|") {
		if got, err := ParseSeconds(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}
