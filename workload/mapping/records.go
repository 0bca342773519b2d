package mapping

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// records are the ways in which objects that are not flat become rows, by the name
// that a mapping has for them.
var records = map[string]rowOf{"philly": philly}

func recordNames() []string { return slices.Sorted(maps.Keys(records)) }

// philly reads a job of Philly, which was executed in attempts: beside its plain
// members it has the columns attempts.first_start, attempts.last_end,
// and attempts.nodes and attempts.gpus of the last attempt that says where it ran.
// What lies between two attempts is within the run time, and such jobs are counted.
func philly(s *jsontext.Scanner, set func(column, value []byte), w *workload.Warnings) {
	if !s.Enter('{') {
		return
	}
	a := phillyAttempts{start: []byte{}, end: []byte{}}
	for s.Next() {
		switch key := bytes.Clone(s.Key()); {
		case string(key) == "attempts" && s.Kind() == '[':
			a.read(s)
		case s.Kind() == '{' || s.Kind() == '[':
			s.Skip()
			set(key, nil)
		default:
			set(key, scalar(s))
		}
	}
	number := func(n int) []byte {
		if n == 0 {
			return []byte{}
		}
		return strconv.AppendInt(nil, int64(n), 10)
	}
	set([]byte("attempts.first_start"), a.start)
	set([]byte("attempts.last_end"), a.end)
	set([]byte("attempts.nodes"), number(a.nodes))
	set([]byte("attempts.gpus"), number(a.gpus))
	if a.count > 1 {
		w.Add("several-attempts", "jobs of several attempts: their run time is from the first start to the last end", 0, "")
	}
}

// phillyAttempts summarises the attempts of a job.
type phillyAttempts struct {
	count, nodes, gpus int
	start, end         []byte // of the first and the last; empty where not recorded
}

func (a *phillyAttempts) read(s *jsontext.Scanner) {
	if !s.Enter('[') {
		return
	}
	for s.Next() {
		a.count++
		a.end = []byte{}
		if !s.Enter('{') {
			return
		}
		for s.Next() {
			switch key := string(s.Key()); {
			case key == "start_time" && a.count == 1:
				a.start = bytes.Clone(scalar(s))
			case key == "end_time":
				a.end = bytes.Clone(scalar(s))
			case key == "detail" && s.Kind() == '[':
				if nodes, gpus := phillyPlaces(s); nodes > 0 {
					a.nodes, a.gpus = nodes, gpus
				}
			default:
				s.Skip()
			}
		}
	}
}

// phillyPlaces counts the nodes and GPUs of an attempt.
func phillyPlaces(s *jsontext.Scanner) (nodes, gpus int) {
	if !s.Enter('[') {
		return 0, 0
	}
	for s.Next() {
		nodes++
		if !s.Enter('{') {
			return nodes, gpus
		}
		for s.Next() {
			if string(s.Key()) != "gpus" || s.Kind() != '[' || !s.Enter('[') {
				s.Skip()
				continue
			}
			for s.Next() {
				gpus++
				s.Skip()
			}
		}
	}
	return nodes, gpus
}
