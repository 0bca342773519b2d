package inspect

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxBlocks is how many blocks of 64 neighbouring ids an idSet holds: a table
// of 64 MiB, which is 200 million ids without gaps, or 3 million far apart.
const maxBlocks = 3 << 20

// idSet remembers the ids seen. An id above all before it is new, whatever the
// set holds, so that ids that ascend are told exactly in any number; others
// are as long as the set has room.
type idSet struct {
	keys   []uint64 // of blocks, see keyOf; 0 where the slot is free
	bits   []uint64
	blocks int
	limit  int    // of blocks
	slot   int    // of the block used last
	key    uint64 // of it, 0 where there is none
	any    bool
	top    int64 // the highest id
	full   bool
	lost   int64 // ids that a full set was asked for and cannot tell
}

func newIDSet(limit int) idSet { return idSet{limit: limit} }

// keyOf is the number of an id's block, never 0.
func keyOf(id int64) uint64 { return uint64(id>>6) + 1<<58 }

// has reports whether an id was added; sure is false where the set has been full.
func (s *idSet) has(id int64) (in, sure bool) {
	if !s.any || id > s.top {
		return false, true
	}
	slot, found := s.find(keyOf(id))
	if id == s.top {
		return true, true
	}
	if found {
		return s.bits[slot]>>(id&63)&1 != 0, true
	}
	return false, !s.full
}

// add remembers an id and says whether it was there already; sure as in has.
func (s *idSet) add(id int64) (in, sure bool) {
	above := !s.any || id > s.top
	if !above && id == s.top {
		return true, true
	}
	if above {
		s.any, s.top = true, id
	}
	key := keyOf(id)
	slot, found := s.slot, key == s.key
	if !found {
		slot, found = s.find(key)
	}
	if !found {
		if s.blocks == s.limit {
			// A block that the set has is whole: it came before this.
			s.full = true
			return false, above
		}
		if 4*(s.blocks+1) > 3*len(s.keys) {
			s.grow()
			slot, _ = s.find(key)
		}
		s.keys[slot] = key
		s.blocks++
	}
	s.slot, s.key = slot, key
	bit := uint64(1) << (id & 63)
	in = s.bits[slot]&bit != 0
	s.bits[slot] |= bit
	return in, true
}

// find returns the slot of a block, or the free one where it belongs.
func (s *idSet) find(key uint64) (slot int, found bool) {
	if len(s.keys) == 0 {
		return 0, false
	}
	// Fibonacci hashing: neighbouring blocks go far apart.
	slot = int(key * 0x9e3779b97f4a7c15 >> (64 - bits.TrailingZeros(uint(len(s.keys)))))
	for s.keys[slot] != 0 {
		if s.keys[slot] == key {
			return slot, true
		}
		slot = (slot + 1) & (len(s.keys) - 1)
	}
	return slot, false
}

func (s *idSet) grow() {
	keys, words := s.keys, s.bits
	size := max(64, 2*len(keys))
	s.keys, s.bits = make([]uint64, size), make([]uint64, size)
	for i, key := range keys {
		if key != 0 {
			slot, _ := s.find(key)
			s.keys[slot], s.bits[slot] = key, words[i]
		}
	}
}

// identity checks a job's number and its reference to a preceding job.
func (v *validator) identity(j *workload.Job) {
	if j.Preceding == workload.Unknown && !math.IsNaN(j.Think) && v.hit(ruleThinkWithoutPreceding) {
		v.at(ruleThinkWithoutPreceding, j, plain(j.Think), "none, or a preceding job")
	}
	part := j.Status >= workload.StatusPartial && j.Status <= workload.StatusLastFailed
	// A job has either a record of its own, beside its parts, or a last part.
	if !part || j.Status != workload.StatusPartial && !v.limits.double {
		v.jobs++
	}
	needIDs := v.found[ruleJobDuplicate].on || v.found[rulePrecedingUnknown].on || v.found[rulePrecedingLater].on
	if j.ID == workload.Unknown {
		if v.hit(ruleJobUnknown) {
			v.at(ruleJobUnknown, j, "nothing", "a number")
		}
	} else if needIDs {
		v.preceding.refer(v, j)
		in, sure := v.ids.add(j.ID)
		switch {
		case part:
		case in:
			if v.hit(ruleJobDuplicate) {
				v.at(ruleJobDuplicate, j, whole(j.ID), "a unique number")
			}
		case !sure:
			v.ids.lost++
		}
		v.preceding.seen(j.ID)
		return
	}
	if needIDs {
		v.preceding.refer(v, j)
	}
}

func (v *validator) endIDs() {
	if v.ids.lost > 0 {
		v.found[ruleJobDuplicate].note = fmt.Sprintf("%d ids not checked: they do not ascend, and there are too many to remember", v.ids.lost)
		if v.found[ruleJobDuplicate].count == 0 {
			v.cannot(ruleJobDuplicate, v.found[ruleJobDuplicate].note)
		}
	}
}

// distinct counts different identifiers, up to a bound.
type distinct struct {
	ids  map[int64]struct{}
	last int64
}

// maxDistinct is how many different queues or partitions are told apart.
const maxDistinct = 1 << 16

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
