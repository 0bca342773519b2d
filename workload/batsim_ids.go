package workload

// idSet remembers numbers of jobs, which are mostly close together, at a bit
// each. Its memory is bounded: beyond it, numbers count as seen.
type idSet struct {
	pages map[int64]*[1 << idPage / 64]uint64
}

const (
	idPage  = 16      // bits of a number within its page, of 8 KiB
	idPages = 1 << 12 // 32 MiB: 268 million numbers in a row
)

// add adds a number; it is false if the set may have had it.
func (s *idSet) add(id int64) bool {
	if s.pages == nil {
		s.pages = map[int64]*[1 << idPage / 64]uint64{}
	}
	page := s.pages[id>>idPage]
	if page == nil {
		if len(s.pages) == idPages {
			return false
		}
		page = new([1 << idPage / 64]uint64)
		s.pages[id>>idPage] = page
	}
	word, bit := id&(1<<idPage-1)/64, uint64(1)<<(id&63)
	if page[word]&bit != 0 {
		return false
	}
	page[word] |= bit
	return true
}
