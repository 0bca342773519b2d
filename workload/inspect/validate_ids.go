package inspect

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// maxBlocks is how many blocks of 64 neighbouring ids an idSet holds, in some 50 MiB: 67
	// million ids without gaps, or 1 million far apart.
	maxBlocks = 1 << 20
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

// add remembers an id and says whether it was there already; sure is false where the set has
// been full.
func (s *idSet) add(id int64) (in, sure bool) {
	known := s.any && id <= s.top
	sure = true
	block := s.find(id)
	switch {
	case !known:
		s.any, s.top = true, id
	case block != nil: // which is whole: it came before the set was full
		in = *block>>(id&63)&1 != 0
	default:
		in = id == s.top
		sure = in || !s.full
	}
	if block == nil {
		if len(s.blocks) == s.limit {
			s.full = true
			return in, sure && (in || !known)
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

// identity checks a job's number, and that of the one that it waited for.
func (v *validator) identity(j *workload.Job) {
	// A job has either a record of its own, with its parts, or a last part.
	part := isPart(j.Status)
	if !part || j.Status != workload.StatusPartial && !v.double {
		v.jobs++
	}
	if !v.needIDs {
		return
	}
	if c := v.byName["preceding-not-above"]; c.on && j.Preceding != workload.Unknown {
		if in, sure := v.ids.has(j.Preceding); sure && !in {
			v.hit(c, verdict{saw: float64(j.Preceding)})
		}
	}
	if j.ID == workload.Unknown {
		return
	}
	switch in, sure := v.ids.add(j.ID); {
	case part:
	case in:
		v.hit(v.byName["job-duplicate"], verdict{saw: float64(j.ID)})
	case !sure:
		v.ids.lost++
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
