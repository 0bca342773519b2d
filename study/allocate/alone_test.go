package allocate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// stubborn holds out for a fixed number of processors, whatever happens.
type stubborn int

func (s stubborn) choose(_ *task, v *view, _ int) choice {
	if int(s) <= v.free {
		return choice{size: v.free}
	}
	return holdOut(int(s))
}

// The savings under opt are those found by replaying the whole machine for each job and each number
// of processors, while all other jobs follow AVG.
func TestOptimumByReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	tried, rebels := 0, 0
	for range 4 {
		jobs := randomJobs(rng, 120)
		m := Machine{Processors: 12, Day: 1000, Night: 300}
		_, r := studied(t, jobs, m, strategy(t, "opt"))
		base := placed(jobs, m, thrift{})
		for i := range jobs {
			p := &r.alone[i]
			if p.kind() == "spoiled" {
				continue
			}
			tried++
			best, most := base[i].turnaround(), m.task(i, &jobs[i]).most
			for n := p.Offered + 1; n <= most; n++ {
				best = min(best, placed(jobs, m, onlyFor{i, stubborn(n)})[i].turnaround())
			}
			if got := p.turnaround(); math.Abs(got-best) > 1e-6 {
				t.Errorf("job %d: %g s, the best replay %g s", i, got, best)
			}
			if p.rebel() {
				rebels++
			}
		}
	}
	if tried < 150 || rebels < 40 {
		t.Errorf("only %d jobs and %d rebels: nothing is tried", tried, rebels)
	}
}

// The savings of a strategy used alone are those found by replaying the machine with one job
// following the strategy and the others AVG: the job sees the same submissions and ends. Days are
// not simulated, because there the deviating job may delay the next morning's submissions, unlike
// in AVG's schedule.
func TestAloneByReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	jobs := inOneDay(randomJobs(rng, 150))
	m := Machine{Processors: 12, Open: true}
	for _, name := range []string{"pred", "heur", "avg-min"} {
		x := strategy(t, name)
		o, row := studied(t, jobs, m, x)
		rebels := 0
		for i := range jobs {
			p := &row.alone[i]
			if p.kind() == "spoiled" {
				continue
			}
			got := placed(jobs, m, onlyFor{i, x.chooser(o.lifetimes)})[i]
			if math.Abs(got.turnaround()-p.turnaround()) > 1e-6 || got.Chosen != p.Chosen || got.Size != p.Size {
				t.Errorf("%s, job %d: replay %+v, alone %+v", name, i, got, *p)
			}
			if p.rebel() {
				rebels++
			}
		}
		if rebels < 10 {
			t.Errorf("%s: only %d rebels", name, rebels)
		}
	}
}

// A job that has held out for long is asked less and less often, and each time strictly later.
func TestUnhurried(t *testing.T) {
	if c := unhurried(choice{8, 100, false}, 1e7, 0); c.until != 1e7+10 {
		t.Errorf("after 1e7 s it asks again at %g, want 10 s later", c.until)
	}
	if c := unhurried(choice{8, 1e17, false}, 1e17, 1e17); !(c.until > 1e17) {
		t.Error("time stands still")
	}
}
