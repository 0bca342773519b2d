package runtime

import "hash/maphash"

// index numbers keys from 0 in the order in which they are first met. It is a
// hash table by open addressing. A replay looks up several keys a job in
// tables that outgrow the caches: with Go's map the command runtime takes 5 % more
// processor time on a made-up log of 100,000 users, and as long on real ones.
type index struct {
	seed  maphash.Seed
	table []slot // as long as a power of two, at most half full
	keys  []Key
}

// slot is empty where number is 0; else it holds a key's hash and number + 1.
type slot struct{ hash, number uint32 }

func newIndex() index { return index{seed: maphash.MakeSeed(), table: make([]slot, 16)} }

// find returns the number of a key, or -1.
func (x *index) find(k Key) int32 {
	_, number := x.look(k, x.hash(&k))
	return number
}

// number returns the number of a key with its hash, and whether it is new.
func (x *index) number(k Key, hash uint32) (number int32, isNew bool) {
	at, number := x.look(k, hash)
	if number >= 0 {
		return number, false
	}
	x.keys = append(x.keys, k)
	x.table[at] = slot{hash, uint32(len(x.keys))}
	if 2*len(x.keys) >= len(x.table) {
		x.grow()
	}
	return int32(len(x.keys) - 1), true
}

func (x *index) hash(k *Key) uint32 { return uint32(maphash.Comparable(x.seed, *k)) }

// look returns a key's number, or -1 and the place where it belongs.
func (x *index) look(k Key, hash uint32) (at, number int32) {
	mask := uint32(len(x.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := x.table[i]
		if s.number == 0 {
			return int32(i), -1
		}
		if s.hash == hash && x.keys[s.number-1] == k {
			return int32(i), int32(s.number - 1)
		}
	}
}

// grow doubles the table.
func (x *index) grow() {
	old := x.table
	x.table = make([]slot, 2*len(old))
	mask := uint32(len(x.table) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		i := s.hash & mask
		for x.table[i].number != 0 {
			i = (i + 1) & mask
		}
		x.table[i] = s
	}
}
