package sched

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

var nan = math.NaN()

// job returns a job for a test.
func job(submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Run, j.Size = submit, run, size
	return j
}

// stream numbers jobs by row, and from 1 if they have no ID.
func stream(jobs []workload.Job) iter.Seq2[workload.Job, error] {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].Row = int64(i)
		if jobs[i].ID <= 0 {
			jobs[i].ID = int64(i + 1)
		}
	}
	return workload.JobsOf(jobs)
}

// always predicts the same run time for every job.
type always float64

func (a always) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: float64(a)}, true
}

func (always) Observe(*workload.Job) {}

// journal records the calls of an observer.
type journal []string

func (l *journal) observer() *Observer {
	return &Observer{
		Blocked: func(head *workload.Request, s *State) { l.note("blocked", head, s) },
		Started: func(t Task, s *State) { l.note("started", t.Request, s) },
		Delayed: func(r *workload.Request, submit float64) {
			*l = append(*l, fmt.Sprintf("%g delayed %d from %g", r.Submit, r.ID, submit))
		},
	}
}

func (l *journal) note(what string, r *workload.Request, s *State) {
	var running, queue []int64
	for x := range s.Running() {
		running = append(running, x.Request.ID)
	}
	slices.Sort(running)
	for _, q := range s.Waiting() {
		queue = append(queue, q.Request.ID)
	}
	*l = append(*l, fmt.Sprintf("%g %s %d: free %d, running %d, queue %d", s.Now(), what, r.ID, s.Free(), running, queue))
}

// byHand is a case of testdata/byhand.txt, whose head describes the format.
type byHand struct {
	t         *testing.T
	cfg       Config
	policies  []string
	estimator string
	jobs      []workload.Job
	ids       map[string]int64
	names     []string            // of partitions and kinds of GPU, by number
	want      map[string][]string // lines by their first word
}

// float parses a number.
func float(text string) float64 { return jobtest.Must(strconv.ParseFloat(text, 64)) }

// number returns the number of a name, counting from 1.
func (h *byHand) number(name string) int64 {
	if !slices.Contains(h.names, name) {
		h.names = append(h.names, name)
	}
	return int64(1 + slices.Index(h.names, name))
}

func (h *byHand) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "machine":
		h.machine(strings.Fields(rest))
	case "cluster":
		h.cfg.Cluster = jobtest.Must(DecodeCluster("", []byte(`{"schema": "loadstone.machine/1", `+rest+`}`)))
	case "warn", "saw", "sees", "error", "is":
		h.want[word] = append(h.want[word], rest)
	default:
		left, right, _ := strings.Cut(rest, " -> ")
		h.want["jobs"] = append(h.want["jobs"], word+" "+right)
		h.job(word, strings.Fields(left))
	}
}

func (h *byHand) machine(settings []string) {
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		switch key {
		case "processors":
			h.cfg.Processors = int64(float(value))
		case "most":
			h.cfg.most = int(float(value))
		case "policy":
			h.policies = strings.Split(value, "|")
		case "estimator":
			h.estimator = value
		case "correct":
			h.cfg.Correct = true
		case "kill":
			h.cfg.Kill = true
		case "feedback":
			h.cfg.Feedback = true
		case "sites":
			h.cfg.Sites = map[int64]int64{}
			for site := range strings.SplitSeq(value, ",") {
				name, n, _ := strings.Cut(site, ":")
				h.cfg.Sites[h.number(name)] = int64(float(n))
			}
		default:
			h.t.Fatal("unknown setting", key)
		}
	}
}

func (h *byHand) job(name string, fields []string) {
	j := job(float(fields[0]), float(fields[1]), int64(float(fields[2])))
	j.ID, j.Time = int64(len(h.jobs)+1), j.Run
	for _, field := range fields[3:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "id":
			j.ID = int64(float(value))
		case "estimate":
			j.Time = float(value)
		case "queue":
			j.Queue = int64(float(value))
		case "partition":
			j.Partition = h.number(value)
		case "memory":
			j.Memory = float(value) * (1 << 20) / float64(j.Size)
		case "nodes":
			j.TakesNodes = int64(float(value))
		case "gpus":
			n := float(value)
			j.TakesGPUs = int64(math.Ceil(n))
			if n < 1 {
				j.GPUShare = int64(1000 * n)
			}
		case "kind":
			j.GPUType = h.number(value)
		case "after":
			before, think, _ := strings.Cut(value, "+")
			j.Preceding, j.Think = h.ids[before], float(think)
			if j.Preceding == 0 {
				j.Preceding = int64(float(before))
			}
		default:
			h.t.Fatal("unknown key", key)
		}
	}
	h.ids[name] = j.ID
	h.jobs = append(h.jobs, j)
}

// run simulates the case and returns the results in the form of want.
func (h *byHand) run() map[string][]string {
	var w workload.Warnings
	h.cfg.Warnings = &w
	h.cfg.Named = func(_ int, number int64) (string, bool) { return h.names[number-1], true }
	switch h.estimator {
	case "":
	case "perfect":
		h.cfg.Estimator = Perfect{}
	case "last":
		h.cfg.Estimator = newLastRun()
	default:
		h.cfg.Estimator = always(float(h.estimator))
	}
	var l journal
	at := slices.Repeat([]string{"-"}, len(h.jobs))
	got := map[string][]string{}
	for j, err := range Simulate(stream(h.jobs), h.cfg, l.observer()) {
		switch {
		case err != nil:
			got["error"] = append(got["error"], err.Error())
			for name, cause := range map[string]error{"ErrNoJobs": workload.ErrNoJobs, "ErrOrder": workload.ErrOrder, "ErrNoEstimates": ErrNoEstimates, "ErrTooMany": ErrTooMany} {
				if errors.Is(err, cause) {
					got["is"] = append(got["is"], name)
				}
			}
		case at[j.Row] != "-":
			h.t.Errorf("job %d started twice", j.ID)
		case h.cfg.Feedback:
			at[j.Row] = fmt.Sprintf("%.12g %.12g", j.Submit, j.Start())
		default:
			at[j.Row] = fmt.Sprintf("%.12g", j.Start())
		}
	}
	for i, want := range h.want["jobs"] {
		name, _, _ := strings.Cut(want, " ")
		got["jobs"] = append(got["jobs"], name+" "+at[i])
	}
	for _, x := range w.List() {
		got["warn"] = append(got["warn"], fmt.Sprint(x.Rule, " ", x.Count))
		if h.want["saw"] != nil {
			got["saw"] = append(got["saw"], x.Saw)
		}
	}
	if h.want["sees"] != nil {
		got["sees"] = l
	}
	return got
}

// Schedules that were worked out by hand.
func TestByHand(t *testing.T) {
	text := jobtest.Must(os.ReadFile("testdata/byhand.txt"))
	for _, section := range strings.Split(string(text), "\n== ")[1:] {
		name, lines, _ := strings.Cut(section, "\n")
		policies := []string{"fcfs"}
		for i := 0; i < len(policies); i++ {
			h := &byHand{t: t, policies: policies, ids: map[string]int64{}, want: map[string][]string{}}
			for line := range strings.SplitSeq(lines, "\n") {
				if line != "" && line[0] != '#' {
					h.line(line)
				}
			}
			policies = h.policies
			t.Run(name+"/"+policies[i], func(t *testing.T) {
				h.t = t
				h.cfg.Policy = jobtest.Must(PolicyNamed(policies[i], Policies()))
				if d := cmp.Diff(h.want, h.run()); d != "" {
					t.Error("want -, got +\n" + d)
				}
			})
		}
	}
}

// A killed job has the run time, CPU time and status at its end.
func TestKilled(t *testing.T) {
	long := job(0, 14, 1)
	long.Time, long.CPUTime = 5, 13
	for j, err := range Simulate(stream([]workload.Job{long}), Config{Processors: 1, Kill: true}, nil) {
		if err != nil || j.Run != 5 || j.CPUTime != 5 || j.Status != workload.StatusFailed {
			t.Errorf("killed: %+v, %v", j, err)
		}
	}
}

// Simulations end even with times that float64 cannot distinguish or represent.
func TestExtremeTimes(t *testing.T) {
	jobs := []workload.Job{job(0, 1e-300, 2), job(0, 1e300, 2), job(1e300, 1, 2), job(1e308, 1.7e308, 2), job(1e308, 1, 1)}
	for i, estimate := range []float64{5, 1, 1e-300, 1, 1} {
		jobs[i].Time = estimate
	}
	for _, p := range battery() {
		for _, s := range settings {
			started := 0
			for j, err := range Simulate(stream(jobs), Config{Processors: 2, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}, nil) {
				if started++; err != nil || !(j.Start() >= j.Submit) {
					t.Errorf("%s, %s: job %d starts at %g, %v", p.Name(), s.name, j.ID, j.Start(), err)
				}
			}
			if started != len(jobs) {
				t.Errorf("%s, %s: %d jobs start", p.Name(), s.name, started)
			}
		}
	}
}

// A consumer may stop, and no more input is read than needed.
func TestStops(t *testing.T) {
	pulled := 0
	endless := func(yield func(workload.Job, error) bool) {
		for yield(job(float64(pulled), 2, 1), nil) {
			pulled++
		}
	}
	n := 0
	for _, err := range Simulate(endless, Config{Processors: 1}, nil) {
		if n++; err != nil || n == 100 {
			break
		}
	}
	// Job 100 starts at 198 s; the arrivals up to then, one per second, are read.
	if n < 100 || pulled > 200 {
		t.Errorf("read %d jobs for the first %d starts", pulled, n)
	}
}

// An error of the input ends the simulation with that one error and nothing after it.
func TestErrorOfInput(t *testing.T) {
	cause := errors.New("disk gone")
	var all []error
	for _, err := range Simulate(func(yield func(workload.Job, error) bool) {
		if yield(job(0, 1, 1), nil) {
			yield(workload.Job{}, cause)
		}
	}, Config{Processors: 1}, nil) {
		all = append(all, err)
	}
	if len(all) == 0 || !errors.Is(all[len(all)-1], cause) || slices.ContainsFunc(all[:len(all)-1], func(err error) bool { return err != nil }) {
		t.Errorf("errors %v, want %v last", all, cause)
	}
}
