package allocate

import (
	"errors"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestBadStrategies(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	heur := func(h Heuristic) Strategy { return Strategy{Name: "x", Foresight: Tuned, Heuristic: h} }
	for _, c := range []struct {
		s    Strategy
		want string
	}{
		{Strategy{Name: "x", Foresight: None, MinShare: 1.1}, "minimum share is 1.1, want 0 to 1"},
		{Strategy{Name: "x", Foresight: None, MinShare: -0.1}, "minimum share is -0.1"},
		{Strategy{Name: "x", Foresight: None, MinShare: nan}, "minimum share is NaN"},
		{Strategy{Name: "x", Foresight: Perfect, MinShare: 0.4}, "it is for avg only"},
		{Strategy{Name: "x", Foresight: Predicted, RiskAversion: -0.2}, "risk aversion is -0.2"},
		{Strategy{Name: "x", Foresight: Predicted, RiskAversion: nan}, "risk aversion is NaN"},
		{Strategy{Name: "x", Foresight: Predicted, RiskAversion: inf}, "risk aversion is +Inf"},
		{Strategy{Name: "x", Foresight: Predicted, Heuristic: PaperHeuristic()}, "parameters of heur are given"},
		{Strategy{Name: "x", Foresight: "clairvoyant"}, `foresight "clairvoyant"`},
		{heur(Heuristic{-1, 1, 1, 0.2}), "threshold of sequential times is -1"},
		{heur(Heuristic{nan, 1, 1, 0.2}), "threshold of sequential times is NaN"},
		{heur(Heuristic{inf, 1, 1, 0.2}), "threshold of sequential times is +Inf"},
		{heur(Heuristic{0, -1, 1, 0.2}), "threshold of parallelism is -1"},
		{heur(Heuristic{0, inf, 1, 0.2}), "threshold of parallelism is +Inf"},
		{heur(Heuristic{0, 1, 0, 0.2}), "share of A is 0, want a number above 0, at most 1"},
		{heur(Heuristic{0, 1, 1.5, 0.2}), "share of A is 1.5"},
		{heur(Heuristic{0, 1, nan, 0.2}), "share of A is NaN"},
		{heur(Heuristic{0, 1, 1, -0.2}), "share of the saving is -0.2"},
		{heur(Heuristic{0, 1, 1, inf}), "share of the saving is +Inf"},
	} {
		s := Study{Machine: paperMachine(), Strategies: []Strategy{c.s}}
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
	for _, s := range Strategies() {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestBadStudies(t *testing.T) {
	good := Study{Machine: paperMachine(), Strategies: Strategies()}
	jobs := []Job{linear(1, 0, 10, 1), linear(2, 5, 20, 1)}
	for _, c := range []struct {
		change func(s *Study, jobs []Job) []Job
		want   string
	}{
		{func(s *Study, j []Job) []Job { s.Machine.Processors = 0; return j }, "machine of 0 processors"},
		{func(s *Study, j []Job) []Job { s.Machine.Processors = MaxProcessors + 1; return j }, "want 1 to 1048576"},
		{func(s *Study, j []Job) []Job { s.Machine.Night = math.NaN(); return j }, "night of NaN s"},
		{func(s *Study, j []Job) []Job { s.Machine.Day = -1; return j }, "a day of -1 s"},
		{func(s *Study, j []Job) []Job { s.Machine.Day = math.Inf(1); return j }, "a day of +Inf s"},
		{func(s *Study, j []Job) []Job { s.Machine.Night = math.Inf(1); return j }, "night of +Inf s"},
		{func(s *Study, j []Job) []Job { s.Rules.Classes = -1; return j }, "-1 classes"},
		{func(s *Study, j []Job) []Job { s.Strategies = nil; return j }, "no strategy"},
		{func(s *Study, j []Job) []Job { s.Rules.Predictor = "oracle"; return j }, `predictor "oracle"`},
		{func(s *Study, j []Job) []Job { s.Rules.Classes = MaxClasses + 1; return j }, "65 classes"},
		{func(*Study, []Job) []Job { return nil }, "no jobs"},
		{func(_ *Study, j []Job) []Job { j[0].Sequential = 0; return j }, "job 1: sequential run time is 0"},
		{func(_ *Study, j []Job) []Job { j[0].Sequential = math.NaN(); return j }, "sequential run time is NaN"},
		{func(_ *Study, j []Job) []Job { j[0].Sequential = 1e13; return j }, "seconds above 0, at most 1e+12"},
		{func(_ *Study, j []Job) []Job { j[1].Parallelism = 0.5; return j }, "job 2: average parallelism is 0.5"},
		{func(_ *Study, j []Job) []Job { j[1].Parallelism = math.Inf(1); return j }, "average parallelism is +Inf"},
		{func(_ *Study, j []Job) []Job { j[1].Sigma = math.Inf(1); return j }, "sigma is +Inf"},
		{func(_ *Study, j []Job) []Job { j[0].Offset = -1; return j }, "offset in the day is -1"},
		{func(_ *Study, j []Job) []Job { j[1].Sigma = -1; return j }, "sigma is -1"},
		{func(_ *Study, j []Job) []Job { j[1].Offset = math.Inf(1); return j }, "offset in the day is +Inf"},
		{func(_ *Study, j []Job) []Job { j[1].Day = -1; return j }, "day is -1"},
		{func(_ *Study, j []Job) []Job { j[1].Day = maxDay + 1; return j }, "day is 1.0000001e+07, want 0 to"},
		{func(_ *Study, j []Job) []Job { j[0].Offset = 6; return j }, "want the order of submission"},
		{func(_ *Study, j []Job) []Job { j[0].Day = 1; return j }, "want the order of submission"},
		{func(_ *Study, j []Job) []Job { j[1].Sequential = 10; return j }, "cannot fit a distribution of lifetimes to the jobs' run times (2, from 10 to 10 s)"},
	} {
		s := good
		if _, err := s.Run(c.change(&s, append([]Job(nil), jobs...))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, err := good.Run(jobs); err != nil {
		t.Error(err)
	}
	// Without predictions no law is needed.
	s := Study{Machine: paperMachine(), Strategies: []Strategy{strategy(t, "opt")}}
	if _, err := s.Run([]Job{linear(1, 0, 10, 1)}); err != nil {
		t.Error(err)
	}
	for _, seeds := range []int{0, MaxSeeds + 1} {
		if _, err := good.Replicate(short(1), 1, seeds, nil); err == nil || !strings.Contains(err.Error(), "seeds, want") {
			t.Errorf("%d seeds: %v", seeds, err)
		}
	}
}

func TestBadWorkloads(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		change func(*Workload)
		want   string
	}{
		{func(w *Workload) { w.Days = 0 }, "days: 0, want 1"},
		{func(w *Workload) { w.Days = 1e9 }, "at most 4000000 jobs"},
		{func(w *Workload) { w.Load = 0 }, "load: 0, want"},
		{func(w *Workload) { w.Load = nan }, "load: NaN, want"},
		{func(w *Workload) { w.Load = 51 }, "load: 51, want"},
		{func(w *Workload) { w.Processors = 0 }, "procs: 0, want"},
		{func(w *Workload) { w.Processors = MaxProcessors + 1 }, "procs: 1048577, want"},
		{func(w *Workload) { w.MaxSequential = 1e10 }, "longest sequential time: saw 1e+10"},
		{func(w *Workload) { w.MaxParallelism = MaxProcessors + 1 }, "largest parallelism: saw 1.048577e+06"},
		{func(w *Workload) { w.MaxSigma = 1e7 }, "largest sigma: saw 1e+07"},
		{func(w *Workload) { w.MaxSequential = 7 }, "longest sequential time: saw 7"},
		{func(w *Workload) { w.MaxSequential = nan }, "longest sequential time: saw NaN"},
		{func(w *Workload) { w.MaxParallelism = 1 }, "largest parallelism: saw 1"},
		{func(w *Workload) { w.MaxSigma = 0 }, "largest sigma: saw 0"},
	} {
		w := PaperWorkload()
		c.change(&w)
		if _, err := w.Jobs(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", w, err, c.want)
		}
		if _, err := (Study{Machine: paperMachine(), Strategies: Strategies()}).Replicate(w, 1, 1, nil); err == nil {
			t.Errorf("%+v: no error of many", w)
		}
	}
}

func TestVary(t *testing.T) {
	s := Study{Machine: paperMachine(), Strategies: Strategies()}
	for _, c := range []struct {
		name  string
		value float64
		want  func(Workload, Study) float64
	}{
		{"load", 0.5, func(w Workload, _ Study) float64 { return w.Load }},
		{"procs", 64, func(w Workload, s Study) float64 { return float64(w.Processors+s.Machine.Processors) / 2 }},
		{"max-parallelism", 32, func(w Workload, _ Study) float64 { return w.MaxParallelism }},
		{"max-sigma", 1, func(w Workload, _ Study) float64 { return w.MaxSigma }},
		{"max-sequential", 1000, func(w Workload, _ Study) float64 { return w.MaxSequential }},
		{"night", 2, func(_ Workload, s Study) float64 { return s.Machine.Night / 3600 }},
		{"classes", 8, func(_ Workload, s Study) float64 { return float64(s.Rules.Classes) }},
		{"risk", 0.5, func(_ Workload, s Study) float64 { return s.Strategies[6].RiskAversion }},
		{"heur-k", 0.4, func(_ Workload, s Study) float64 { return s.Strategies[4].Heuristic.K }},
	} {
		w, v, err := Vary(PaperWorkload(), s, c.name, c.value)
		if err != nil || c.want(w, v) != c.value {
			t.Errorf("%s: %v, %+v, %+v", c.name, err, w, v)
		}
		if c.name == "heur-k" && v.Strategies[6].RiskAversion != 0.2 {
			t.Error("heur-k sets the risk aversion too")
		}
	}
	if !reflect.DeepEqual(s.Strategies, Strategies()) {
		t.Error("varying changed the study that was given")
	}
	for _, c := range []struct {
		name  string
		value float64
		want  string
	}{
		{"colour", 1, `no parameter "colour"`}, {"load", -1, "load: -1, want"}, {"procs", 2.5, "want a whole number"}, {"procs", 1 << 21, "want a whole number from 1 to 1048576"}, {"procs", math.NaN(), "want a whole number"},
		{"classes", 0, "want a whole number"}, {"risk", -1, "risk aversion is -1"}, {"heur-k", -1, "share of the saving is -1"}, {"night", -1, "night of"},
	} {
		if _, _, err := Vary(PaperWorkload(), s, c.name, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %g: %v, want %q", c.name, c.value, err, c.want)
		}
	}
	s.Strategies = s.Strategies[:2]
	if _, _, err := Vary(PaperWorkload(), s, "risk", 0.1); err == nil || !strings.Contains(err.Error(), "no strategy has it") {
		t.Errorf("risk of none: %v", err)
	}
}

func logOf(jobs ...workload.Job) workload.JobSeq { return workload.JobsOf(jobs) }

func rigid(id int64, submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Run, j.Size = id, submit, run, size
	return j
}

// A rigid job of 4 processors and 50 s becomes one of A 4 that takes 50 s on 4
// processors: with sigma 1 S(4) is 4*4/(4 + 3/2), so L is 50 * 16 / 5.5.
func TestFromLog(t *testing.T) {
	m := workload.UnknownJob()
	m.ID, m.Submit, m.SequentialTime, m.AverageParallelism, m.Sigma = 9, 86400+50, 100, 2.5, 0.5
	m.Size = 99 // which a malleable job need not keep
	log := logOf(m, rigid(1, 1000, 50, 4), rigid(2, 1500, 0, 4), rigid(3, 1500, 10, 99), rigid(4, math.NaN(), 10, 1), rigid(5, 1500, 10, workload.Unknown), rigid(6, 500, 7, 1))
	var w workload.Warnings
	jobs, err := FromLog(log, LogOptions{Processors: 8, Sigma: 1}, &w)
	if err != nil {
		t.Fatal(err)
	}
	want := []Job{
		{ID: 6, Offset: 0, Sequential: 7, Parallelism: 1, Sigma: 1},
		{ID: 1, Offset: 500, Sequential: 50 * 16 / 5.5, Parallelism: 4, Sigma: 1},
		{ID: 9, Offset: 85950, Sequential: 100, Parallelism: 2.5, Sigma: 0.5},
	}
	if len(jobs) != 3 {
		t.Fatalf("got %+v", jobs)
	}
	for i := range want {
		if math.Abs(jobs[i].Sequential-want[i].Sequential) > 1e-9 {
			t.Errorf("job %d: %+v, want %+v", i, jobs[i], want[i])
		}
		jobs[i].Sequential = want[i].Sequential
	}
	if !reflect.DeepEqual(jobs, want) {
		t.Errorf("got %+v", jobs)
	}
	codes := map[string]bool{}
	for _, x := range w.List() {
		codes[x.Rule] = true
	}
	for _, code := range []string{"no-submit", "no-size", "no-run-time", "too-large"} {
		if !codes[code] {
			t.Errorf("no warning %s in %v", code, w.List())
		}
	}
	// On four processors a job that kept its size runs as long as in the log.
	x := Machine{Processors: 8}.task(&jobs[1])
	if got := x.run(4); math.Abs(got-50) > 1e-9 {
		t.Errorf("it runs %g s on its size", got)
	}
	// Days of 24 hours; without sigma only malleable jobs.
	jobs, err = FromLog(log, LogOptions{Processors: 8, Days: true, Sigma: math.NaN()}, nil)
	if err != nil || len(jobs) != 1 || jobs[0].Day != 0 || jobs[0].Offset != 50 {
		t.Errorf("by days: %+v, %v", jobs, err)
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		log  iter.Seq2[workload.Job, error]
		o    LogOptions
		want string
	}{
		{logOf(rigid(1, 0, 5, 1)), LogOptions{Processors: 1, Sigma: math.NaN()}, "no job of the log can be malleable, of 1, want jobs with sequential times"},
		{logOf(rigid(1, 0, 5, 2)), LogOptions{Processors: 1, Sigma: 0}, "a size that fits"},
		{logOf(rigid(1, math.Inf(1), 5, 1), rigid(2, 0, math.Inf(1), 1)), LogOptions{Processors: 1, Sigma: 0}, "of 2, want jobs with a submission"},
		{logOf(rigid(1, 0, 5, 2)), LogOptions{Processors: 1, Sigma: math.Inf(1)}, "sigma of the log's jobs is +Inf"},
		{logOf(rigid(1, 0, 5, 2)), LogOptions{Processors: 1, Sigma: -1}, "sigma of the log's jobs is -1"},
		{logOf(rigid(1, 0, 5, 1), rigid(2, 1, 5, 1), rigid(3, 2, 5, 1)), LogOptions{Processors: 1, Sigma: 1, most: 2}, "job 3 is beyond the 2 jobs that a study can hold"},
		{func(yield func(workload.Job, error) bool) { yield(workload.Job{}, broken) }, LogOptions{Processors: 1}, "broken"},
		{logOf(rigid(1, 0, 5, 1), rigid(2, 1e15, 5, 1)), LogOptions{Processors: 1, Days: true}, "want at most"},
	} {
		if _, err := FromLog(c.log, c.o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// The longest times that are allowed come to an end too.
func TestHugeTimesEnd(t *testing.T) {
	jobs := []Job{linear(1, 0, 1e12, 3), linear(2, 1e12, 30, 3), linear(3, 1e12, 80, 4), linear(4, 1e12, 1e12, 4), linear(5, 1e12, 30, 2), linear(6, 1e12, 80, 4)}
	for _, m := range []Machine{{Processors: 4, Open: true}, {Processors: 4, Day: HalfDay}} {
		s := Study{Machine: m, Strategies: Strategies()}
		if _, err := s.Run(jobs); err != nil {
			t.Error(err)
		}
	}
	c := unhurried(choice{8, 100, false}, 1e7, 0)
	if c.until != 1e7+10 {
		t.Errorf("after 1e7 s it asks again at %g, want 10 s later", c.until)
	}
	if c := unhurried(choice{8, 1e17, false}, 1e17, 1e17); !(c.until > 1e17) {
		t.Error("time stands still")
	}
}
