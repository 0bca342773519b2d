// Package ids remembers which numbers of jobs a log has had, in bounded memory.
package ids

import "math"

// maxBlocks is the maximum number of blocks of 64 neighbouring ids in a Set, about 50 MiB: 67
// million ids without gaps, or 1 million ids far apart.
const maxBlocks = 1 << 20

// Set remembers ids. Ascending ids are checked exactly, however many there are; other ids only
// while the set has room.
type Set struct {
	MaxBlocks int
	blocks    map[int64]*uint64
	key       int64 // of the block used last
	block     *uint64
	top       int64 // highest id; math.MinInt64 if there is none
	full      bool
}

// New returns an empty set.
func New() Set {
	return Set{MaxBlocks: maxBlocks, blocks: map[int64]*uint64{}, top: math.MinInt64}
}

// Has reports whether an id was added. isSure is false if it may have been added when the set
// was full.
func (s *Set) Has(id int64) (seen, isSure bool) {
	if key := id >> 6; s.block == nil || key != s.key {
		s.key, s.block = key, s.blocks[key]
	}
	switch {
	case id >= s.top:
		return id == s.top, true
	case s.block != nil: // a complete block: it dates from before the set was full
		return *s.block>>(id&63)&1 != 0, true
	}
	return false, !s.full
}

// Add adds an id and returns what Has returned before.
func (s *Set) Add(id int64) (seen, isSure bool) {
	seen, isSure = s.Has(id)
	s.top = max(s.top, id)
	if s.block == nil {
		if s.full = len(s.blocks) == s.MaxBlocks; s.full {
			return seen, isSure
		}
		s.block = new(uint64)
		s.blocks[s.key] = s.block
	}
	*s.block |= 1 << (id & 63)
	return seen, isSure
}
