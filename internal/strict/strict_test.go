package strict

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// Each fault is one line with its place, what was seen and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# nothing\n", "x: saw an empty file, want one document in YAML or JSON"},
		{"loads: [.5\n", "x:1: saw a text that is not YAML (did not find expected ',' or ']'), want one document"},
		{"loads:\n\t- .5\n", "x:2: saw a tab at the beginning of the line, want spaces, as YAML has it"},
		{"# one\ntitle: caf\xe9\n", "x:2: saw a character that is not UTF-8, want text in UTF-8"},
		{"title: *a\n", "x: saw a text that is not YAML (unknown anchor 'a' referenced), want one document"},
		{"title: a\n---\ntitle: b\n", "x: saw a second document, want one"},
		{"- a\n", "x:1: saw a list, want keys and values"},
		{"title: a\nload: [1]\n", "x:2: load: saw an unknown key, want one of title, clusters, loads, policies, closed, seeds; did you mean loads"},
		{"title: a\ntitle: b\n", "x:2: title: saw the key a second time, want each key once"},
		{"title:\n", "x:1: title: saw nothing, want a text"},
		{"title: ''\n", `x:1: title: saw "", want a text`},
		{"title: {a: b}\n", "x:1: title: saw keys and values, want a text"},
		{"title: &a b\npolicies: [easy, *a]\n", "x:2: policies[1]: saw an alias, want one of fcfs, easy, priority"},
		{"loads: []\n", "x:1: loads: saw an empty list, want one item or more"},
		{"loads:\n- .5\n- 2\n- 3\n", "x:3: loads[1]: saw 2, want a number above 0, at most 1"},
		{"loads: ['0.5']\n", `x:1: loads[0]: saw "0.5", want a number above 0`},
		{"loads: [.inf]\n", `x:1: loads[0]: saw ".inf", want a number`},
		{"loads: [.5, .6, .5, .6]\n", `x:1: loads[2]: saw ".5" twice, want each once`},
		{"policies: [fcfs, easi]\n", `x:1: policies[1]: saw "easi", want one of fcfs, easy, priority`},
		{"closed: [yes]\n", `x:1: closed[0]: saw "yes", want true or false`},
		{"seeds: 0\n", "x:1: seeds: saw 0, want 1 or more"},
		{"seeds: [1, -2]\n", `x:1: seeds[1]: saw "-2", want a whole number of 0 or more`},
		{"clusters: a\n", `x:1: clusters: saw "a", want a list`},
		{"clusters:\n- name: a\n  size: 0\n", "x:3: clusters[0].size: saw 0, want 1 or more"},
		{"clusters:\n- a\n- size: 1\n", "x:3: clusters[1].name: saw nothing, want a text"},
		{"clusters:\n- {name: a, speed: 2}\n", "x:2: clusters[0].speed: saw 2, want size with it"},
		{"clusters:\n- a\n- {name: bad}\n", "x:3: clusters[1].name: saw bad, want a good one"},
		{"{\n\t\"title\": \"a\",\n\t\"seeds\": -1\n}\n", "x:3: seeds: saw -1, want 1 or more"},
	} {
		_, err := Decode("x", []byte(c.text), new(settings))
		if !errors.As(err, new(*workload.InputError)) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q:\n got %v\nwant %s", c.text, err, c.want)
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
