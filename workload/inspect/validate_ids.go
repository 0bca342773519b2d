package inspect

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxBlocks is how many blocks of 64 neighbouring ids an idSet holds, in some 50 MiB: 67
// million ids without gaps, or 1 million far apart.
const maxBlocks = 1 << 20

// idSet remembers the ids seen. An id above all before it is new, whatever the
// set holds, so that ids that ascend are told exactly in any number; others
// are as long as the set has room.
type idSet struct {
	limit  int // of blocks
	blocks map[int64]*uint64
	key    int64 // of the block used last
	block  *uint64
	top    int64 // the highest id; workload.Unknown for none
	full   bool
}

func newIDSet(limit int) idSet {
	return idSet{limit: limit, blocks: map[int64]*uint64{}, top: workload.Unknown}
}

// has reports whether an id was added; sure is false where the set has been full.
func (s *idSet) has(id int64) (in, sure bool) {
	if key := id >> 6; s.block == nil || key != s.key {
		s.key, s.block = key, s.blocks[key]
	}
	switch {
	case id >= s.top:
		return id == s.top, true
	case s.block != nil: // which is whole: it came before the set was full
		return *s.block>>(id&63)&1 != 0, true
	}
	return false, !s.full
}

// add remembers an id, and is has as it was before.
func (s *idSet) add(id int64) (in, sure bool) {
	in, sure = s.has(id)
	s.top = max(s.top, id)
	if s.block == nil {
		if s.full = len(s.blocks) == s.limit; s.full {
			return in, sure
		}
		s.block = new(uint64)
		s.blocks[s.key] = s.block
	}
	*s.block |= 1 << (id & 63)
	return in, sure
}
