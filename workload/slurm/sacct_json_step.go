package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctJSONStep is what the job table has from a step.
type sacctJSONStep struct{ id, tasks, cpu, memory, energy []byte }

// stepsOf reads the job's steps.
func (d *sacctJSONJob) stepsOf() {
	r := &d.r
	if r.Kind() == 'n' {
		r.Skip()
		return
	}
	if !r.Enter('[') {
		return
	}
	for r.Next() {
		if !r.Enter('{') {
			return
		}
		var s sacctJSONStep
		for r.next(1) {
			switch string(r.Key()) {
			case "step":
				s.id = d.stepID()
			case "tasks":
				s.tasks = d.only("count", r.scalar)
			case "time":
				s.cpu = d.only("total", r.seconds)
			case "statistics":
				s.energy = d.only("energy", func() []byte { return d.only("consumed", r.positive) })
			case "tres":
				used := d.only("requested", func() []byte { return d.only("max", func() []byte { return r.tres("") }) })
				s.memory = parse.TRES(used, "mem")
			default:
				r.Skip()
			}
		}
		d.steps = append(d.steps, s)
	}
}

// only reads an object of which one member is wanted, by f.
func (d *sacctJSONJob) only(key string, f func() []byte) (value []byte) {
	if d.r.Kind() == 'n' {
		d.r.Skip()
		return nil
	}
	if !d.r.Enter('{') {
		return nil
	}
	for d.r.Next() {
		if string(d.r.Key()) == key {
			value = f()
		} else {
			d.r.Skip()
		}
	}
	return value
}

// stepID reads a step's own number or name. It is "batch", {"job_id": 4, "step_id":
// "batch"} or "4.batch", by the version.
func (d *sacctJSONJob) stepID() []byte {
	id := d.only("id", func() []byte {
		if d.r.Kind() == '{' {
			return d.only("step_id", d.r.scalar)
		}
		return d.r.scalar()
	})
	id = id[bytes.LastIndexByte(id, '.')+1:]
	if len(id) == 0 {
		return []byte("0")
	}
	return id
}
