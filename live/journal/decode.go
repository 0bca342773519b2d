package journal

import (
	"fmt"
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// decode reads the JSON of a line. Its fault has neither file nor line yet.
func (s *scanner) decode(text []byte) (Entry, *workload.InputError) {
	s.scan(text)
	s.expect('{')
	var e Entry
	if s.name() != "e" && s.fault == nil {
		s.faulty(workload.Shorten([]byte(s.key)), `the key "e" first`)
	}
	switch kind := s.string(); kind {
	case "begin":
		e = s.begin()
	case "name":
		e = s.nameEntry()
	case "expect":
		e = s.expectEntry()
	case "submit":
		e = s.event(workload.Submit)
	case "start":
		e = s.event(workload.Start)
	case "finish":
		e = s.event(workload.Finish)
	default:
		s.faulty(workload.Shorten([]byte(kind)), "begin, name, submit, start, finish or expect")
	}
	if s.fault == nil && s.at != len(s.text) {
		s.key = ""
		s.fail("the end of the line")
	}
	return e, s.fault
}

// next passes on to the next field of the object, and is false behind the last.
func (s *scanner) next() bool {
	if !s.more(false, '{', '}') {
		return false
	}
	s.name()
	return s.fault == nil
}

func (s *scanner) unknown() {
	s.faulty("the key "+workload.Shorten([]byte(s.key)), "one that this version knows")
}

func (s *scanner) begin() *Begin {
	e, zone := &Begin{}, time.UTC
	for s.next() {
		switch s.key {
		case "version":
			if n := s.int(); s.fault == nil && (n < 1 || n > Version) {
				s.faulty(fmt.Sprint(n), fmt.Sprintf("%d, which this version reads", Version))
			}
		case "origin":
			text := s.string()
			t, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				s.faulty(workload.Shorten([]byte(text)), "a date and time such as 2006-01-02T15:04:05Z")
			}
			e.Origin = t
		case "zone":
			text := s.string()
			if zone = knownZone(text); zone == nil {
				s.faulty(workload.Shorten([]byte(text)), "a time zone such as Europe/Zurich")
			}
		case "source":
			e.Source = s.string()
		default:
			s.unknown()
		}
	}
	if s.fault == nil {
		e.Origin = e.Origin.In(zone)
	}
	return e
}

func (s *scanner) nameEntry() *Name {
	e := &Name{Number: workload.Unknown}
	for s.next() {
		switch s.key {
		case "key":
			e.Key = s.string()
		case "number":
			e.Number = s.int()
		case "text":
			e.Text = s.string()
		default:
			s.unknown()
		}
	}
	return e
}

func (s *scanner) expectEntry() *Expect {
	nan := math.NaN()
	e := &Expect{ID: workload.Unknown, Submit: nan, At: nan, Ours: nan, Theirs: nan}
	for s.next() {
		switch s.key {
		case "t":
			e.At = s.finite()
		case "job":
			e.ID = s.int()
		case "submit":
			e.Submit = s.float()
		case "row":
			e.Row = s.int()
		case "ours":
			e.Ours = s.float()
		case "theirs":
			e.Theirs = s.float()
		case "quantiles":
			e.Quantiles = s.floats()
		case "bounds":
			e.Bounds = s.floats()
		case "raw":
			e.Raw = s.floats()
		default:
			s.unknown()
		}
	}
	s.timed(e.At)
	return e
}

func (s *scanner) floats() []float64 {
	var all []float64
	for s.more(len(all) == 0, '[', ']') {
		all = append(all, s.float())
	}
	return all
}

// timed checks that an entry has a time.
func (s *scanner) timed(at float64) {
	if s.fault == nil && math.IsNaN(at) {
		s.key = "t"
		s.faulty("nothing", "the time")
	}
}

func (s *scanner) event(kind workload.EventKind) *Event {
	e := &Event{Kind: kind, Time: math.NaN(), AnsweredAt: math.NaN(), Job: workload.UnknownJob()}
	for s.next() {
		switch s.key {
		case "t":
			e.Time = s.finite()
		case "job":
			e.Job.ID = s.int()
		case "submit":
			e.Job.Submit = s.float()
		case "row":
			e.Job.Row = s.int()
		case "label":
			e.Label = s.string()
		case "scored":
			e.Scored = s.bool()
		case "answered":
			e.AnsweredAt = s.float()
		case "answers":
			e.Answers = s.answers()
		default:
			switch f := byKey[s.key]; {
			case f == nil:
				s.unknown()
			case f.float:
				f.SetNumber(&e.Job, s.float())
			default:
				f.SetInt(&e.Job, s.int())
			}
		}
	}
	s.timed(e.Time)
	return e
}

func (s *scanner) answers() []Answer {
	all := make([]Answer, 0, 10)
	for s.more(len(all) == 0, '[', ']') {
		s.expect('[')
		a := Answer{Predictor: s.string()}
		s.expect(',')
		a.Quantile = s.float()
		s.expect(',')
		a.Seconds = s.float()
		s.expect(',')
		n := s.int()
		a.Observations = int(n)
		if int64(a.Observations) != n { // of a 32-bit machine
			s.faulty(fmt.Sprint(n), "a number of observations")
		}
		if s.take(',') {
			a.Group = s.string()
		}
		s.expect(']')
		all = append(all, a)
	}
	return all
}
