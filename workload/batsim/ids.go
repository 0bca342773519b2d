package batsim

// idSet remembers numbers of jobs, which are mostly close together, at a bit
// each. Its memory is bounded: beyond it, numbers count as seen.
type idSet struct {
	Pages map[int64]*[1 << idPage / 64]uint64
}

const (
	idPage  = 16      // bits of a number within its page, of 8 KiB
	idPages = 1 << 12 // 32 MiB: 268 million numbers in a row
)

// Add adds a number; it is false if the set may have had it.
func (s *idSet) Add(id int64) bool {
	if s.Pages == nil {
		s.Pages = map[int64]*[1 << idPage / 64]uint64{}
	}
	page := s.Pages[id>>idPage]
	if page == nil {
		if len(s.Pages) == idPages {
			return false
		}
		page = new([1 << idPage / 64]uint64)
		s.Pages[id>>idPage] = page
	}
	word, bit := id&(1<<idPage-1)/64, uint64(1)<<(id&63)
	if page[word]&bit != 0 {
		return false
	}
	page[word] |= bit
	return true
}
