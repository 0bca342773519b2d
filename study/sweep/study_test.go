package sweep

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestDecode(t *testing.T) {
	s, err := decode("studies/load.yaml", []byte(`# which policy
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
	want := &Study{Name: "load", Logs: []Input{{Name: "kth", File: "kth.swf.gz"},
		{Name: "SDSC", File: "/data/sdsc.parquet", Processors: 128, TimeZone: "America/Los_Angeles"}},
		Days: 30, Loads: []float64{.5, .9}, Seeds: Seeds{Count: 10}, Policies: []string{"fcfs", "priority(queues=3,1)", "easy"},
		Estimates: []string{"user", "last2"}, Feedback: []bool{false, true}, Workloads: Twins, Processors: []int64{0}}
	if d := cmp.Diff(want, s, cmpopts.IgnoreUnexported(Study{})); d != "" {
		t.Error(d)
	}
	if got := s.nameOf(s.Logs[0]); got != "studies/kth.swf.gz" {
		t.Errorf("the log is at %s", got)
	}
}

// Each fault is one line with the position, the value found and the value expected.
func TestDecodeFaults(t *testing.T) {
	const good = "logs: [a.swf]\npolicies: [fcfs]\n"
	for _, c := range longtest.Rows(`
GOODpolices: [easy]↵ | x.yaml:3: polices: saw an unknown key, want one of name, logs, models, workloads, days, jobs, loads, seeds, processors, policies, estimates, feedback
logs: [{fil: a}]↵policies: [fcfs]↵ | x.yaml:1: logs[0].fil: saw an unknown key, want one of file, name, processors, timezone, as
logs: [a.swf]↵policies:↵- fcfs↵- easi↵ | x.yaml:4: policies[1]: saw "easi", want one of fcfs, easy, conservative, sjf, priority
logs: [a.swf]↵policies: [fcfs, priority]↵ | x.yaml:2: policies[1]: saw "priority", want its queues, the most urgent first, such as priority(queues=3,1)
GOODloads: [0.5, 0]↵ | x.yaml:3: loads[1]: saw 0, want a number above 0, at most 100
GOODseeds: 1000000000↵loads: [.5, .6]↵ | x.yaml:3: seeds: saw 2000000000 runs, want at most 1000000; at one second each these take 555556 hours on one core
GOODestimates: [last2]↵ | x.yaml:3: estimates: saw no policy that uses them, want a policy that plans with them, such as easy
logs: [a.swf]↵policies: [easy]↵estimates: [last3]↵ | x.yaml:3: estimates[0]: saw "last3", want one of user, perfect,
logs: [a.swf]↵ | x.yaml:1: policies: saw nothing, want one of fcfs, easy,
policies: [fcfs]↵ | x.yaml:1: logs: saw no workload, want logs or models
models: [lublin1999]↵policies: [fcfs]↵ | x.yaml:1: models: saw models without days or jobs, want one of them: how much to draw
logs: [a.swf, b/a.swf]↵policies: [fcfs]↵ | x.yaml:1: logs[1]: saw "a", want a name that no other log or model has
logs: ['-']↵policies: [fcfs]↵ | x.yaml:1: logs[0].file: saw -, want a file, which several tasks can read
GOODworkloads: scaled↵ | x.yaml:3: workloads: saw scaled without loads, want loads with it
GOODworkloads: scaled↵loads: [.5]↵jobs: 3↵ | x.yaml:3: workloads: saw scaled, want twins with days or jobs: other workloads are as long as the log
GOODworkloads: log↵seeds: 3↵ | x.yaml:3: workloads: saw log, with loads, seeds or models, want a study without them: the log is the same for each
GOODdays: 3↵jobs: 3↵ | x.yaml:3: days: saw 3, want either jobs or days
policies: [fcfs]↵logs:↵- {file: a.swf, timezone: Foo/Bar}↵ | x.yaml:3: logs[0].timezone: saw "Foo/Bar", want a name of the IANA database, such as Europe/Zurich
policies: [fcfs]↵logs: [b.swf, {file: a.swf, as: foo}]↵ | x.yaml:2: logs[1].as: saw "foo", want one of acme-kalos,
policies: [fcfs]↵jobs: 3↵models: [{file: lublin1999, as: pm100}]↵ | x.yaml:3: models[0]: saw timezone or as, want them with logs alone
`) {
		text, want := strings.NewReplacer("GOOD", good, "↵", "\n").Replace(c[0]), c[1]
		_, err := decode("x.yaml", []byte(text))
		if !errors.As(err, new(*workload.InputError)) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q:\n got %v\nwant %s", text, err, want)
		}
	}
	if _, err := decode("x.yaml", make([]byte, MaxFile+1)); err == nil || err.Error() != "x.yaml: saw more than 1048576 bytes, want a study file" {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzStudy(f *testing.F) {
	f.Add([]byte("logs: [a.swf]\nloads: [0.5]\nseeds: 3\npolicies: [fcfs, easy]\nestimates: [user]\nfeedback: [true]\n"))
	f.Add([]byte(`{"logs": [{"file": "a.swf", "processors": 3}], "policies": ["fcfs"]}`))
	f.Add([]byte("models: [lublin1999]\njobs: 10\npolicies: [sjf]\nseeds: [1, 2]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := decode("study.yaml", text)
		if err != nil {
			if !errors.As(err, new(*workload.InputError)) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%T %q", err, err)
			}
		} else if n := newPlan(s).Runs(); n < 1 || n > MaxRuns {
			t.Fatalf("%d runs", n)
		}
	})
}
