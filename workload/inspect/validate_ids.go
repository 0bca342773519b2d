package inspect

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// maxBlocks is how many blocks of 64 neighbouring ids an idSet holds, in some 50 MiB: 67
	// million ids without gaps, or 1 million far apart.
	maxBlocks = 1 << 20
	// maxPending is how many references to jobs that have not been seen yet are
	// kept, to tell those that come later from those that never do.
	maxPending = 1 << 16
	// maxDistinct is how many different queues or partitions are told apart.
	maxDistinct = 1 << 16
)

// idSet remembers the ids seen. An id above all before it is new, whatever the
// set holds, so that ids that ascend are told exactly in any number; others
// are as long as the set has room.
type idSet struct {
	limit  int // of blocks
	blocks map[int64]*uint64
	key    int64 // of the block used last
	block  *uint64
	any    bool
	top    int64 // the highest id
	full   bool
	lost   int64 // ids that a full set was asked for and cannot tell
}

// find returns the block of an id, nil if there is none.
func (s *idSet) find(id int64) *uint64 {
	if key := id >> 6; s.block == nil || key != s.key {
		s.key, s.block = key, s.blocks[key]
	}
	return s.block
}

// has reports whether an id was added; sure is false where the set has been full.
func (s *idSet) has(id int64) (in, sure bool) {
	if !s.any || id >= s.top {
		return s.any && id == s.top, true
	}
	if block := s.find(id); block != nil { // which is whole: it came before the set was full
		return *block>>(id&63)&1 != 0, true
	}
	return false, !s.full
}

// add remembers an id and says whether it was there already; sure as in has.
func (s *idSet) add(id int64) (in, sure bool) {
	in, sure = s.has(id)
	if !s.any || id > s.top {
		s.any, s.top = true, id
	}
	block := s.find(id)
	if block == nil {
		if len(s.blocks) == s.limit {
			s.full = true
			return in, sure && in || id == s.top
		}
		if s.blocks == nil {
			s.blocks = map[int64]*uint64{}
		}
		block = new(uint64)
		s.block, s.blocks[s.key] = block, block
	}
	*block |= 1 << (id & 63)
	return in, sure
}

// identity checks a job's number and its reference to a preceding job.
func (v *validator) identity(j *workload.Job) {
	// A job has either a record of its own, with its parts, or a last part.
	part := isPart(j.Status)
	if !part || j.Status != workload.StatusPartial && !v.double {
		v.jobs++
	}
	if !v.needIDs {
		return
	}
	v.refer(j)
	if j.ID == workload.Unknown {
		return
	}
	in, sure := v.ids.add(j.ID)
	switch {
	case part:
	case in:
		v.hit(v.byName["job-duplicate"], verdict{saw: float64(j.ID)})
	case !sure:
		v.ids.lost++
	}
	if len(v.preceding.later) > 0 {
		if _, ok := v.preceding.later[j.ID]; ok {
			v.preceding.later[j.ID] = true
		}
	}
}

func (v *validator) endIDs() {
	if c := v.byName["job-duplicate"]; v.ids.lost > 0 {
		c.note = fmt.Sprintf("%d ids not checked: they do not ascend, and there are too many to remember", v.ids.lost)
		if c.count == 0 {
			v.cannot(c.Name, c.note, "")
		}
	}
}

// precedingJobs holds the references to preceding jobs that did not stand
// above. Mostly there are none.
type precedingJobs struct {
	limit   int
	pending []reference
	later   map[int64]bool // the ids referred to: whether each has come since
	missed  int64          // references beyond the bound
	lost    int64          // references that a full idSet could not tell
}

// reference is a job that names another as its preceding one.
type reference struct{ row, line, job, to int64 }

// refer notes a job's reference, unless what it refers to stands above.
func (v *validator) refer(j *workload.Job) {
	p := &v.preceding
	if j.Preceding == workload.Unknown {
		return
	}
	switch in, sure := v.ids.has(j.Preceding); {
	case in:
	case !sure:
		p.lost++
	case len(p.pending) == p.limit:
		p.missed++
	default:
		if _, noted := p.later[j.Preceding]; !noted {
			p.later[j.Preceding] = false
		}
		p.pending = append(p.pending, reference{j.Row, v.log.Line(j.Row), j.ID, j.Preceding})
	}
}

// endPreceding sorts the references into those to a later job and those to none.
func (v *validator) endPreceding() {
	p, none := &v.preceding, v.byName["preceding-unknown"]
	for _, r := range p.pending {
		c := none
		if p.later[r.to] {
			c = v.byName["preceding-later"]
		}
		if v.counts(c) {
			c.places = append(c.places, placeOf(r.row, r.line, r.job, c.Field, plain(float64(r.to)), c.want))
		}
	}
	if p.missed > 0 {
		none.count += p.missed
		none.note = fmt.Sprintf("%d of these may belong to preceding-later", p.missed)
	}
	if p.lost > 0 {
		why := fmt.Sprintf("%d preceding jobs not checked: job ids do not ascend, and there are too many to remember", p.lost)
		for _, c := range []*check{none, v.byName["preceding-later"]} {
			if c.count == 0 {
				v.cannot(c.Name, why, "")
			} else if c.note == "" {
				c.note = why
			}
		}
	}
}

// distinct counts different identifiers, up to a bound.
type distinct struct {
	ids  map[int64]struct{}
	last int64
}

func (d *distinct) add(id int64) {
	if d.ids == nil {
		d.ids, d.last = map[int64]struct{}{}, workload.Unknown
	}
	if id == d.last || id == workload.Unknown || len(d.ids) == maxDistinct {
		return
	}
	d.ids[id] = struct{}{}
	d.last = id
}
