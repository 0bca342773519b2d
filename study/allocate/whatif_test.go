package allocate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// stubborn holds out for so many processors, whatever happens.
type stubborn int

func (s stubborn) choose(_ *task, v *view, _ int) choice {
	if int(s) <= v.free {
		return choice{size: v.free}
	}
	return holdOut(int(s))
}

// What opt saves is what replaying the whole machine says, for each job and
// each number of processors, while all other jobs do as under AVG.
func TestOptimumByReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	tried, rebels := 0, 0
	for range 4 {
		jobs := randomJobs(rng, 120)
		m := Machine{Processors: 12, Day: 1000, Night: 300}
		_, r := studied(t, jobs, m, strategy(t, "opt"), Rules{})
		base := newSimulation(jobs, m).run()
		for i := range jobs {
			p := &r.Alone[i]
			if p.Kind() == "spoiled" {
				continue
			}
			tried++
			best, most := base[i].Turnaround(), m.task(&jobs[i]).most
			for n := p.Offered + 1; n <= most; n++ {
				s := newSimulation(jobs, m)
				s.chooser = onlyFor{i, stubborn(n)}
				best = min(best, s.run()[i].Turnaround())
			}
			if got := p.Turnaround(); math.Abs(got-best) > 1e-6 {
				t.Errorf("job %d: %g s, the best replay %g s", i, got, best)
			}
			if p.Rebel() {
				rebels++
			}
		}
	}
	if tried < 150 || rebels < 40 {
		t.Errorf("only %d jobs and %d rebels: nothing is tried", tried, rebels)
	}
}

// What a strategy is worth alone is what replaying the machine says where one
// job chooses by it and the others do as under AVG: the job sees the same
// submissions and ends. Days are left out: in them a rebel may delay the next
// morning's submissions, which AVG's schedule does not.
func TestAloneByReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	jobs := randomJobs(rng, 150)
	for i := range jobs {
		jobs[i].Offset += 1000 * float64(jobs[i].Day)
		jobs[i].Day = 0
	}
	m := Machine{Processors: 12, Open: true}
	for _, name := range []string{"pred", "heur", "avg-min"} {
		x := strategy(t, name)
		_, row := studied(t, jobs, m, x, Rules{})
		base := newSimulation(jobs, m).run()
		laws, err := newLifetimes(Rules{}, jobs, base)
		if err != nil {
			t.Fatal(err)
		}
		study := Study{Machine: m}
		rebels := 0
		for i := range jobs {
			p := &row.Alone[i]
			if p.Kind() == "spoiled" {
				continue
			}
			c, _ := study.chooser(x, premise{laws: laws})
			s := newSimulation(jobs, m)
			s.chooser = onlyFor{i, c}
			got := s.run()[i]
			if math.Abs(got.Turnaround()-p.Turnaround()) > 1e-6 || got.Chosen != p.Chosen || got.Size != p.Size {
				t.Errorf("%s, job %d: replay %+v, alone %+v", name, i, got, *p)
			}
			if p.Rebel() {
				rebels++
			}
		}
		if rebels < 10 {
			t.Errorf("%s: only %d rebels", name, rebels)
		}
	}
}
