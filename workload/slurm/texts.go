package slurm

import "hash/maphash"

// texts numbers the texts of one column of one chunk from 1, in the order
// in which they appear. It keeps them behind one another, in memory that reset
// leaves for the next chunk.
type texts struct {
	text  []byte
	ends  []int32     // of each text in text
	slots []chunkSlot // hash table with linear probing, at most half full
	last  int64       // number met last: jobs of one user stand together
}

type chunkSlot struct {
	hash   uint32
	number int32 // 0 is free
}

// chunkSeed serves all chunks: numbers do not depend on it.
var chunkSeed = maphash.MakeSeed()

// Number returns the number of a text, and whether it is new.
func (c *texts) Number(text []byte) (n int64, isNew bool) {
	if c.last > 0 && string(c.At(c.last)) == string(text) {
		return c.last, false
	}
	if 2*(len(c.ends)+1) > len(c.slots) {
		c.grow()
	}
	hash := uint32(maphash.Bytes(chunkSeed, text))
	mask := len(c.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		s := &c.slots[i]
		if s.number == 0 {
			c.text = append(c.text, text...)
			c.ends = append(c.ends, int32(len(c.text)))
			c.last = int64(len(c.ends))
			s.hash, s.number = hash, int32(c.last)
			return c.last, true
		}
		if s.hash == hash && string(c.At(int64(s.number))) == string(text) {
			c.last = int64(s.number)
			return c.last, false
		}
	}
}

// Len is how many texts there are.
func (c *texts) Len() int { return len(c.ends) }

// At is text n, counted from 1.
func (c *texts) At(n int64) []byte {
	start := int32(0)
	if n > 1 {
		start = c.ends[n-2]
	}
	return c.text[start:c.ends[n-1]]
}

func (c *texts) grow() {
	old := c.slots
	c.slots = make([]chunkSlot, max(64, 2*len(old)))
	mask := len(c.slots) - 1
	for _, s := range old {
		if s.number != 0 {
			i := int(s.hash) & mask
			for c.slots[i].number != 0 {
				i = (i + 1) & mask
			}
			c.slots[i] = s
		}
	}
}

// Reset forgets the texts.
func (c *texts) Reset() {
	clear(c.slots)
	c.text, c.ends, c.last = c.text[:0], c.ends[:0], 0
}
