package sweep

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestDecode(t *testing.T) {
	s, err := Decode("studies/load.yaml", []byte(`# which policy
logs:
  - kth.swf.gz
  - {file: /data/sdsc.parquet, name: SDSC, processors: 128, timezone: America/Los_Angeles}
days: 30
loads: [0.5, 9e-1]
seeds: 10
policies: [fcfs, "priority(queues=3,1)", EASY]
estimates: [user, Last2]
feedback: [false, true]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Study{Name: "load", Folder: "studies", Logs: []Input{{Name: "kth", File: "kth.swf.gz"},
		{Name: "SDSC", File: "/data/sdsc.parquet", Processors: 128, TimeZone: "America/Los_Angeles"}},
		Days: 30, Loads: []float64{.5, .9}, Seeds: Seeds{Count: 10}, Policies: []string{"fcfs", "priority(queues=3,1)", "easy"},
		Estimates: []string{"user", "last2"}, Feedback: []bool{false, true}}
	if d := cmp.Diff(want, s); d != "" {
		t.Error(d)
	}
	if got := s.path(s.Logs[0]); got != "studies/kth.swf.gz" {
		t.Errorf("the log is at %s", got)
	}
}

// Each fault is one line with its place, what was seen and what was expected.
func TestDecodeFaults(t *testing.T) {
	const good = "logs: [a.swf]\npolicies: [fcfs]\n"
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml: saw an empty file, want a study"},
		{"# nothing\n", "x.yaml: saw an empty file, want a study"},
		{"logs: [a.swf\n", "x.yaml:1: saw did not find expected ',' or ']', want YAML or JSON"},
		{"\tlogs: [a.swf]\n", "x.yaml:1: saw a tab at the beginning of the line, want spaces, as YAML has it"},
		{"logs:\n\t- a.swf\n", "x.yaml:2: saw a tab at the beginning of the line, want spaces, as YAML has it"},
		{"# one\nname: caf\xe9\n" + good, `x.yaml:2: saw "name: caf\xe9", want text in UTF-8`},
		{"logs: *a\n", "x.yaml: saw unknown anchor 'a' referenced, want YAML or JSON"},
		{"a: b: c\n", "x.yaml:1: saw mapping values are not allowed in this context, want YAML or JSON"},
		{"- a\n", "x.yaml:1: column 1: saw a list, want keys and values"},
		{good + "---\nseeds: [1, 2\n", "x.yaml: saw a second document, want one study a file"},
		{good + "polices: [easy]\n", `x.yaml:3: column 1: saw unknown key "polices", want one of name, logs, models, workloads, method, days, jobs, loads, seeds, processors, policies, estimates, feedback, runtime, classes, wait`},
		{"logs: [{fil: a}]\npolicies: [fcfs]\n", `x.yaml:1: column 9: logs[0]: saw unknown key "fil", want one of file, name, processors, timezone, as`},
		{good + "policies: [easy]\n", `x.yaml:3: column 1: saw key "policies" a second time, want each key once`},
		{"logs: [a.swf]\npolicies: []\n", "x.yaml:2: column 11: policies: saw an empty list, want one value or more, or no key policies"},
		{"logs: [a.swf]\npolicies: fcfs\n", `x.yaml:2: column 11: policies: saw "fcfs", want a list, such as [fcfs, easy]`},
		{"logs: [a.swf]\npolicies: [fcfs, easi]\n", `x.yaml:2: column 18: policies[1]: saw "easi", want one of fcfs, easy, conservative, sjf, priority`},
		{"logs: [a.swf]\npolicies: [fcfs, easy, fcfs]\n", `x.yaml:2: column 24: policies[2]: saw "fcfs", want each value once`},
		{"logs: [a.swf]\npolicies: [fcfs, priority]\n", `x.yaml:2: column 18: policies[1]: saw "priority", want its queues, the most urgent first, such as priority(queues=3,1)`},
		{"logs: [a.swf]\nwait: [bmbp, BMBP]\n", `x.yaml:2: column 14: wait[1]: saw "bmbp", want each value once`},
		{"logs: [a.swf]\nruntime: [last, Last]\n", `x.yaml:2: column 17: runtime[1]: saw "last", want each value once`},
		{good + "loads: [0.5, 0]\n", "x.yaml:3: column 14: loads[1]: saw 0, want an offered load above 0, at most 100"},
		{good + "loads: [.inf]\n", `x.yaml:3: column 9: loads[0]: saw ".inf", want a number`},
		{good + "loads: ['0.5']\n", `x.yaml:3: column 9: loads[0]: saw "0.5", want a number`},
		{good + "loads: [.5, 0.50]\n", `x.yaml:3: column 13: loads[1]: saw "0.5", want each value once`},
		{good + "seeds: 0\n", `x.yaml:3: column 8: seeds: saw "0", want a whole number of 1 or more`},
		{good + "seeds: 1000000000\nloads: [.5, .6]\n", "x.yaml:3: column 8: seeds: saw 2000000000 runs: 1000000000 seeds x 2 workloads x 1 combinations, want at most 1000000; at one second each these take 555556 hours on one core"},
		{good + "estimates: [last2]\n", "x.yaml:3: column 12: estimates: saw no policy that uses them, want easy, conservative or sjf among the policies"},
		{good + "feedback: [yes]\n", `x.yaml:3: column 12: feedback[0]: saw "yes", want true or false`},
		{good + "processors: [100, 0]\n", `x.yaml:3: column 19: processors[1]: saw "0", want a whole number of 1 or more`},
		{good + "processors: [100, 100]\n", `x.yaml:3: column 19: processors[1]: saw "100", want each value once`},
		{"logs: [a.swf]\nruntime: [last2]\nprocessors: [100]\n", "x.yaml:3: column 13: processors: saw processors in a study of predictors, want "},
		{good + "wait: [bmbp]\n", "x.yaml:2: column 11: policies: saw policies and predictors, want one of them: two studies"},
		{"logs: [a.swf]\n", "x.yaml:1: column 1: policies: saw neither policies nor predictors, want policies to schedule by, or predictors in runtime or wait"},
		{"policies: [fcfs]\n", "x.yaml:1: column 1: logs: saw no workload, want logs or, in a study of schedules, models"},
		{"models: [lublin1999]\npolicies: [fcfs]\n", "x.yaml:1: column 9: models: saw models without days or jobs, want one of them: how much to draw"},
		{"logs: [a.swf, b/a.swf]\npolicies: [fcfs]\n", `x.yaml:1: column 15: logs[1]: saw "a", want a name that no other log or model has`},
		{"logs: ['-']\npolicies: [fcfs]\n", `x.yaml:1: column 8: logs[0]: saw "-", want a file, which several tasks can read`},
		{good + "workloads: scaled\n", "x.yaml:3: column 12: workloads: saw scaled without loads, want loads with it"},
		{good + "workloads: log\nseeds: 3\n", "x.yaml:4: column 8: seeds: saw seeds with workloads: log, want no seeds: the log is the same for each"},
		{"logs: [a.swf]\nruntime: [last3]\n", `x.yaml:2: column 11: runtime[0]: saw "last3", want one of `},
		{"logs: [a.swf]\nruntime: [last2]\nloads: [.5]\n", "x.yaml:3: column 8: loads: saw loads in a study of predictors, want "},
		{"logs: &a [a.swf]\nmodels: *a\npolicies: [fcfs]\n", "x.yaml:2: column 9: models: saw an alias, want a list"},
		{good + "jobs: 9000000000000000000\n", "x.yaml:3: column 7: jobs: saw 9000000000000000000, want 1 to 100000000, which are held in memory"},
		{good + "days: 1e-9\n", "x.yaml:3: column 7: days: saw 1e-09, want a second or more, 1.2e-05"},
		{"policies: [fcfs]\nlogs:\n- {file: a.swf, timezone: Foo/Bar}\n", `x.yaml:3: column 3: logs[0]: saw timezone "Foo/Bar", want a name of the IANA database, such as Europe/Zurich`},
		{"policies: [fcfs]\nlogs: [b.swf, {file: a.swf, as: foo}]\n", `x.yaml:2: column 15: logs[1]: saw as "foo", want one of acme-kalos, `},
		{good + "---\n" + good, "x.yaml:3: column 1: saw a second document, want one study a file"},
		{good + "name:\n", "x.yaml:3: column 6: name: saw nothing, want a text"},
		{strings.Repeat(" ", MaxFile+1), "x.yaml: saw more than 1048576 bytes, want a study file"},
	} {
		_, err := Decode("x.yaml", []byte(c.text))
		var input *workload.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// JSON with tabs is read with the same places.
func TestDecodeJSON(t *testing.T) {
	text := "{\n\t\"logs\": [\"a.swf\"],\n\t\"policies\": [\"fcfs\"],\n\t\"seeds\": -1\n}\n"
	if _, err := Decode("x.json", []byte(text)); err == nil || err.Error() != `x.json:4: column 11: seeds: saw "-1", want a whole number of 1 or more` {
		t.Errorf("got %v", err)
	}
	if s, err := Decode("x.json", []byte(strings.Replace(text, "-1", "2", 1))); err != nil || s.Seeds.Count != 2 || s.Policies[0] != "fcfs" {
		t.Errorf("got %+v, %v", s, err)
	}
}

func FuzzStudy(f *testing.F) {
	f.Add([]byte("logs: [a.swf]\nloads: [0.5]\nseeds: 3\npolicies: [fcfs, easy]\nestimates: [user]\nfeedback: [true]\n"))
	f.Add([]byte(`{"logs": [{"file": "a.swf", "processors": 3}], "runtime": ["last2"], "classes": ["user"], "wait": ["bmbp"]}`))
	f.Add([]byte("models: [lublin1999]\njobs: 10\npolicies: [sjf]\nseeds: [1, 2]"))
	f.Add([]byte("a: &a [*a]\n? [b]\n: !!binary aa\n<<: *a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Decode("study.yaml", text)
		if err != nil {
			var input *workload.InputError
			if !errors.As(err, &input) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%T %q", err, err)
			}
			return
		}
		if n := s.count(); n < 1 || n > MaxRuns {
			t.Fatalf("%g runs", n)
		}
	})
}
