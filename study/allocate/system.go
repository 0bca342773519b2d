package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// System is the scores of a whole schedule. Downey (1997), section 6 and table
// 2. An undefined score is NaN.
type System struct {
	Turnaround float64 // s, the mean over the jobs
	Wait       float64 // s, the mean over the jobs
	// TurnaroundChange is relative to AVG with the same jobs: 0.05 is 5 % longer.
	TurnaroundChange float64
	// Utilisation is the average over time and processors of efficiency,
	// S(n)/n, 0 for an idle processor, over the time in which the machine is
	// open: from each day's beginning to its end or to the start of its last
	// job, whichever is later. With Machine.Open that is all the time.
	Utilisation       float64
	UtilisationChange float64 // relative to AVG
	// UtilisationWhole is the average over all the time to the last end,
	// nights included, in which the same jobs do the same work: it differs
	// only through the end of the last job.
	UtilisationWhole float64
	End              float64 // s, when the last job ends

	Spoiled, Docile, Rebels int
	// Sooner and Later are the shares of jobs that end a second or more sooner
	// after their submission than under AVG, or later.
	Sooner, Later float64

	Bias Bias
}

// system summarises a schedule beside AVG's of the same jobs.
func (m Machine) system(jobs []Job, placed, base []Placement) System {
	nan := math.NaN()
	s := System{Bias: Bias{0, nan, nan, nan}}
	var turnaround, wait, under stats.Moments
	sooner, later := 0, 0
	for i := range placed {
		p := &placed[i]
		turnaround.Add(p.Turnaround())
		wait.Add(p.Start - p.Submit)
		under.Add(base[i].Turnaround())
		s.End = max(s.End, p.End())
		switch p.Kind() {
		case "spoiled":
			s.Spoiled++
		case "rebel":
			s.Rebels++
		default:
			s.Docile++
		}
		switch saved := p.Saved(&base[i]); {
		case saved >= 1:
			sooner++
		case saved <= -1:
			later++
		}
	}
	n := float64(len(placed))
	s.Turnaround, s.Wait = turnaround.Mean(), wait.Mean()
	s.TurnaroundChange = s.Turnaround/under.Mean() - 1
	s.Sooner, s.Later = float64(sooner)/n, float64(later)/n
	s.Utilisation, s.UtilisationWhole = m.utilisation(jobs, placed)
	s.UtilisationChange = s.Utilisation/m.openUtilisation(jobs, base) - 1
	return s
}

func (m Machine) openUtilisation(jobs []Job, placed []Placement) float64 {
	open, _ := m.utilisation(jobs, placed)
	return open
}

// hours are when the machine is open on one day.
type hours struct{ from, to float64 }

// open are the machine's hours on the days that have jobs.
func (m Machine) open(jobs []Job, placed []Placement) []hours {
	var all []hours
	for i := range jobs {
		p := &placed[i]
		if i == 0 || jobs[i].Day > jobs[i-1].Day {
			dawn := p.Submit - jobs[i].Offset
			all = append(all, hours{dawn, dawn + m.Day})
		}
		last := &all[len(all)-1]
		last.to = max(last.to, p.Start)
	}
	return all
}

// utilisation is that of the open hours and that of all the time.
func (m Machine) utilisation(jobs []Job, placed []Placement) (open, whole float64) {
	begin, end := placed[0].Submit, 0.0
	for i := range placed {
		end = max(end, placed[i].End())
	}
	if !m.Open {
		begin = 0
	}
	days := []hours{{begin, end}}
	if !m.Open {
		days = m.open(jobs, placed)
	}
	var span, inside, all float64
	for _, d := range days {
		span += d.to - d.from
	}
	first := 0 // the day of the job's submission
	for i := range placed {
		p := &placed[i]
		all += jobs[i].Sequential
		// The work is done evenly: L seconds of it in R.
		rate := jobs[i].Sequential / p.Run
		for first+1 < len(days) && days[first+1].from <= p.Submit {
			first++
		}
		for k := first; k < len(days) && days[k].from < p.End(); k++ {
			if t := min(days[k].to, p.End()) - max(days[k].from, p.Start); t > 0 {
				inside += float64(rate * t)
			}
		}
	}
	processors := float64(m.Processors)
	return inside / (processors * span), all / (processors * (end - begin))
}
