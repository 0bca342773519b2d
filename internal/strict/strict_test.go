package strict

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

type cluster struct {
	Name  string  `opt:"name" required:"true"`
	Size  int64   `opt:"size" in:"[1,)"`
	Speed float64 `opt:"speed" in:"(0,10]" default:"1" for:"size"`
}

func (c *cluster) Check() error {
	if c.Name == "bad" {
		return workload.OptionFault("name", "bad", "a good one")
	}
	return nil
}

type settings struct {
	Title    string    `opt:"title"`
	Clusters []cluster `opt:"clusters"`
	Loads    []float64 `opt:"loads" in:"(0,1]"`
	Policies []string  `opt:"policies" open:"true"`
	Closed   []bool    `opt:"closed"`
	Count    int       `opt:"seeds" in:"[1,)"`
	List     []uint64  `opt:"seeds"`
}

func (settings) Choices(key string) []string {
	if key == "policies" {
		return []string{"fcfs", "easy", "priority"}
	}
	return nil
}

func TestDecode(t *testing.T) {
	const asYAML = `# all
title: 12
clusters:
  - a
  - {name: b, size: 3, speed: 2}
loads: [.5, 9e-1]
policies: [FCFS, "priority(queues=3,1)"]
closed: [false, true]
`
	want := settings{Title: "12", Clusters: []cluster{{"a", 0, 1}, {"b", 3, 2}}, Loads: []float64{.5, .9}, Policies: []string{"fcfs", "priority(queues=3,1)"}, Closed: []bool{false, true}}
	for text, change := range map[string]func(*settings){
		asYAML:                     func(s *settings) {},
		asYAML + "seeds: 3\n":      func(s *settings) { s.Count = 3 },
		asYAML + "seeds: [5, 3]\n": func(s *settings) { s.List = []uint64{5, 3} },
		"{\n\t\"title\": \"12\",\n\t\"clusters\": [\"a\", {\"name\": \"b\", \"size\": 3, \"speed\": 2}], \"loads\": [0.5, 9e-1], \"policies\": [\"fcfs\", \"priority(queues=3,1)\"],\"closed\": [false, true]}": func(s *settings) {},
	} {
		want, got := want, settings{}
		change(&want)
		if _, err := Decode("x", []byte(text), &got); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v %s", text, err, cmp.Diff(want, got))
		}
	}
}

// unescape converts a cell of a table to a document.
var unescape = strings.NewReplacer("↵", "\n", "→", "\t", `\xe9`, "\xe9")

// Each fault is one line with the position, the value found and the value expected.
func TestFaults(t *testing.T) {
	for _, c := range longtest.Rows(`
# nothing↵ | x: saw an empty file, want one document in YAML or JSON
loads: [.5↵ | x:1: saw a text that is not YAML (did not find expected ',' or ']'), want one document
loads:↵→- .5↵ | x:2: saw a tab at the beginning of the line, want spaces, as YAML has it
# one↵title: caf\xe9↵ | x:2: saw a character that is not UTF-8, want text in UTF-8
title: *a↵ | x: saw a text that is not YAML (unknown anchor 'a' referenced), want one document
title: a↵---↵title: b↵ | x: saw a second document, want one
- a↵ | x:1: saw a list, want keys and values
title: a↵load: [1]↵ | x:2: load: saw an unknown key, want one of title, clusters, loads, policies, closed, seeds; did you mean loads
title: a↵title: b↵ | x:2: title: saw the key a second time, want each key once
title:↵ | x:1: title: saw nothing, want a text
title: ''↵ | x:1: title: saw "", want a text
title: {a: b}↵ | x:1: title: saw keys and values, want a text
title: &a b↵policies: [easy, *a]↵ | x:2: policies[1]: saw an alias, want one of fcfs, easy, priority
loads: []↵ | x:1: loads: saw an empty list, want one item or more
loads:↵- .5↵- 2↵- 3↵ | x:3: loads[1]: saw 2, want a number above 0, at most 1
loads: ['0.5']↵ | x:1: loads[0]: saw "0.5", want a number above 0
loads: [.inf]↵ | x:1: loads[0]: saw ".inf", want a number
loads: [.5, .6, .5, .6]↵ | x:1: loads[2]: saw ".5" twice, want each once
policies: [fcfs, easi]↵ | x:1: policies[1]: saw "easi", want one of fcfs, easy, priority
closed: [yes]↵ | x:1: closed[0]: saw "yes", want true or false
seeds: 0↵ | x:1: seeds: saw 0, want 1 or more
seeds: [1, -2]↵ | x:1: seeds[1]: saw "-2", want a whole number of 0 or more
clusters: a↵ | x:1: clusters: saw "a", want a list
clusters:↵- name: a↵  size: 0↵ | x:3: clusters[0].size: saw 0, want 1 or more
clusters:↵- a↵- size: 1↵ | x:3: clusters[1].name: saw nothing, want a text
clusters:↵- {name: a, speed: 2}↵ | x:2: clusters[0].speed: saw 2, want size with it
clusters:↵- a↵- {name: bad}↵ | x:3: clusters[1].name: saw bad, want a good one
{↵→"title": "a",↵→"seeds": -1↵}↵ | x:3: seeds: saw -1, want 1 or more
`) {
		text, want := unescape.Replace(c[0]), c[1]
		_, err := Decode("x", []byte(text), new(settings))
		if !errors.As(err, new(*workload.InputError)) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q:\n got %v\nwant %s", text, err, want)
		}
	}
}

type shares[T any] struct {
	Left  T `opt:"left" in:"[0,1]" repeats:"true"`
	Right T `opt:"right" in:"[0,1]" repeats:"true"`
}

type machine struct {
	Name    string            `opt:"name" required:"true"`
	Queue   *queue            `opt:"queue"`
	Shares  shares[[]float64] `opt:"shares"`
	Table   [][]float64       `opt:"table"`
	Weights [3]float64        `opt:"weights" in:"[0,1]"`
	Repeats []int64           `opt:"repeats" repeats:"true"`
	Names   map[int64]string  `opt:"names"`
	Start   time.Time         `opt:"start"`
	Rule    any               `opt:"rule"` // a *queue or a *nap
	About   string            `opt:"about" for:"queue"`
}

type queue struct {
	Limit float64 `opt:"limit" in:"(0,)" required:"priority"`
	Rank  int64   `opt:"priority"`
}

type nap struct {
	Seconds float64 `opt:"seconds" in:"(0,)" required:"true"`
	From    string  `opt:"from" required:"!to"`
	To      string  `opt:"to" not:"from"`
}

// times is a codec for times.
type times struct{}

func (times) Forms(reflect.Type) []Form {
	return []Form{{"limit", new(queue)}, {"seconds", new(nap)}}
}

func (times) Decode(text func() ([]byte, error), into any) (bool, error) {
	t, ok := into.(*time.Time)
	if !ok {
		return false, nil
	}
	raw, err := text()
	if err == nil && json.Unmarshal(raw, t) != nil {
		err = workload.OptionFault("day", string(raw), "a day")
	}
	return true, err
}

func (times) Encode(v any) ([]byte, bool, error) {
	t, ok := v.(time.Time)
	return []byte(t.Format(`"2006-01-02T15:04:05Z"`)), ok, nil
}

// Encode writes the values that are set, each list of numbers on one line, and Decode reads them
// back.
func TestEncode(t *testing.T) {
	m := machine{Name: "a<b", Queue: &queue{Limit: 2, Rank: 1}, Shares: shares[[]float64]{Right: []float64{0, .5, .5}}, Table: [][]float64{{1}, {2, 3}}, Weights: [3]float64{0, 1, 0},
		Repeats: []int64{1, 1}, Names: map[int64]string{2: "two", 10: "ten"}, Start: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Rule: &nap{60, "", "noon"}}
	const want = `{
  "name": "a<b",
  "queue": {
    "limit": 2,
    "priority": 1
  },
  "shares": {
    "right": [0, 0.5, 0.5]
  },
  "table": [
    [1],
    [2, 3]
  ],
  "weights": [0, 1, 0],
  "repeats": [1, 1],
  "names": {
    "10": "ten",
    "2": "two"
  },
  "start": "2026-01-02T00:00:00Z",
  "rule": {
    "seconds": 60,
    "to": "noon"
  }
}
`
	text, err := Encode(times{}, &m)
	if err != nil || string(text) != want {
		t.Fatalf("%v %s", err, cmp.Diff(want, string(text)))
	}
	var got machine
	if _, err := DecodeWith(times{}, "x", text, &got); err != nil || !cmp.Equal(got, m) {
		t.Fatalf("%v %s", err, cmp.Diff(m, got))
	}
}

// A fault in part of a file is reported with its path and line; a fault of the same value in a
// struct, with its path.
func TestFaultsOfParts(t *testing.T) {
	for _, c := range longtest.Rows(`
name: a↵queue:↵  priority: 1↵ | x:3: queue.limit: saw nothing, want a number
name: a↵queue: {limit: -1}↵ | x:2: queue.limit: saw -1, want a number above 0
name: a↵shares: {lift: [0]}↵ | x:2: shares.lift: saw an unknown key, want one of left, right; did you mean left
name: a↵shares:↵  left: [0]↵  left: [0]↵ | x:4: shares.left: saw the key a second time
name: a↵shares:↵  left:↵  - 0↵  - 2↵ | x:5: shares.left[1]: saw 2, want 0 to 1
name: a↵table: [[1], [x]]↵ | x:2: table[1][0]: saw "x", want a number
name: a↵table: [1]↵ | x:2: table[0]: saw "1", want a list
name: a↵weights: [0]↵ | x:2: weights: saw a list of 1, want one of 3
name: a↵weights: [0, 0, null]↵ | x:2: weights[2]: saw nothing, want 0 to 1
name: a↵names: {a: b}↵ | x:2: names.a: saw "a", want a whole number as the key
name: a↵names: {1: []}↵ | x:2: names.1: saw a list, want a text
name: a↵start: 1↵ | x:2: start.day: saw 1, want a day
name: a↵rule: {}↵ | x:2: rule: saw none of the keys that identify its form, want limit or seconds
name: a↵rule: {priority: 1}↵ | x:2: rule: saw none of the keys that identify its form, want limit or seconds
name: a↵rule:↵  priority: 1↵  limits: 1↵ | x:4: rule.limits: saw an unknown key, want one of limit, priority, seconds, from, to; did you mean limit?
name: a↵rule: 7↵ | x:2: rule: saw "7", want keys and values
name: a↵rule: null↵ | x:2: rule: saw nothing, want keys and values
name: a↵rule: []↵ | x:2: rule: saw a list, want keys and values
name: a↵rule: {limit: 1, limit: 1}↵ | x:2: rule.limit: saw the key a second time
name: a↵rule:↵  seconds: 1↵ | x:3: rule.from: saw nothing, want a text, or to
name: a↵rule:↵  seconds: -1↵ | x:3: rule.seconds: saw -1, want a number above 0
name: a↵rule: {seconds: 1, limit: 1}↵ | x:2: rule: saw limit and seconds, want either limit or seconds
name: a↵about: b↵ | x:2: about: saw "b", want queue with it
`) {
		text, want := unescape.Replace(c[0]), c[1]
		if _, err := DecodeWith(times{}, "x", []byte(text), new(machine)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	for want, m := range map[string]machine{
		"name: nothing, want a text":                 {},
		"queue.limit: -1, want a number above 0":     {Name: "a", Queue: &queue{Limit: -1}},
		"queue.limit: 0, want a number above 0":      {Name: "a", Queue: &queue{Rank: 1}},
		"shares.right[1]: 2, want 0 to 1":            {Name: "a", Shares: shares[[]float64]{Right: []float64{0, 2}}},
		"rule.seconds: 0, want a number above 0":     {Name: "a", Rule: new(nap)},
		"rule.from: nothing, want a text, or `to`":   {Name: "a", Rule: &nap{Seconds: 1}},
		"weights[2]: NaN, want 0 to 1":               {Name: "a", Weights: [3]float64{2: math.NaN()}},
		`about: "b", want ` + "`queue`" + ` with it`: {Name: "a", About: "b"},
	} {
		if err := Validate(&m); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", m, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("clusters: [a, {name: b, size: 3}]\nloads: [0.5]\nseeds: 3\npolicies: [fcfs, easy]\nclosed: [true]\n"))
	f.Add([]byte("a: &a [*a]\n? [b]\n: !!binary aa\n<<: *a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Decode("x", text, new(settings)); err != nil && (!errors.As(err, new(*workload.InputError)) || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%T %q", err, err)
		}
	})
}
