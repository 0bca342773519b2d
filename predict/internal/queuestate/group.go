package queuestate

import "math"

// Group is some jobs: all, a user's or a queue's.
type Group struct {
	Waiting, Running Load
	Submits          float64 // the sum of the submission times of the waiting
	Line             Line
	Wait, Run        Smoothed // ln(1+s)
	Last             Previous
	Burst            Burst
	Seen             int64 // State.Seen when a job of the group was last met
}

// Load is jobs, their processors and their work.
type Load struct{ Jobs, Processors, Work float64 }

func (l *Load) add(j *Job, sign float64) {
	if l.Jobs += sign; l.Jobs <= 0 {
		*l = Load{} // and no rounded rest
		return
	}
	l.Processors += sign * j.Processors
	l.Work += sign * j.Work
}

// Burst is the jobs submitted within an hour of the first of them.
type Burst struct {
	Begin float64
	Jobs  int
}

// Previous is a group's job that was submitted last.
type Previous struct {
	Row          int64
	Submit, Wait float64 // Wait is NaN until it starts
	Processors   float64
	Length       float64
}

// Smoothed is a mean of numbers that weighs later ones more.
type Smoothed struct {
	Mean float64
	N    int
}

func (s *Smoothed) add(x, weight float64) {
	s.N++
	s.Mean += (x - s.Mean) * max(weight, 1/float64(s.N))
}

func (s *Smoothed) value() float64 {
	if s == nil || s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}
