package sched

import (
	"math"
	"slices"
	"sort"
)

// ends is a list of the running jobs in order of their expected ends. It consists of
// chunks, each with the sum of its jobs' amounts, so that insert, remove and when take
// time proportional to the number of chunks plus the length of a chunk.
type ends struct {
	chunks []endChunk
}

type endChunk struct {
	list []ending
	sum  amounts // of all in the list
}

// endsPerChunk is the length at which a chunk is split in two.
const endsPerChunk = 128

// ending is the expected end of a running job.
type ending struct {
	at   float64
	seq  int64 // position among the starts, which orders equal ends
	take amounts
	slot int32
}

func (a *ending) before(b *ending) bool {
	return a.at < b.at || (a.at == b.at && a.seq < b.seq)
}

// find returns the chunk and the index in it of the first ending not before e,
// or the end of the last chunk. There must be at least one chunk.
func (x *ends) find(e *ending) (c, i int) {
	c = sort.Search(len(x.chunks)-1, func(c int) bool {
		list := x.chunks[c].list
		return !list[len(list)-1].before(e)
	})
	list := x.chunks[c].list
	return c, sort.Search(len(list), func(i int) bool { return !list[i].before(e) })
}

func (x *ends) insert(e ending) {
	if len(x.chunks) == 0 {
		x.chunks = append(x.chunks, endChunk{})
	}
	c, i := x.find(&e)
	k := &x.chunks[c]
	k.list = slices.Insert(k.list, i, e)
	k.sum.add(&e.take)
	if len(k.list) < endsPerChunk {
		return
	}
	half := endChunk{list: append(make([]ending, 0, endsPerChunk), k.list[endsPerChunk/2:]...)}
	for i := range half.list {
		half.sum.add(&half.list[i].take)
	}
	k.list = k.list[:endsPerChunk/2]
	k.sum.subtract(&half.sum)
	x.chunks = slices.Insert(x.chunks, c+1, half)
}

// remove removes an ending, which must exist.
func (x *ends) remove(at float64, seq int64) {
	e := ending{at: at, seq: seq}
	c, i := x.find(&e)
	k := &x.chunks[c]
	k.sum.subtract(&k.list[i].take)
	k.list = slices.Delete(k.list, i, i+1)
	if len(k.list) == 0 {
		x.chunks = slices.Delete(x.chunks, c, c+1)
	}
}

// by returns the amounts that are expected to be freed by a time.
func (x *ends) by(at float64) (back amounts) {
	for c := range x.chunks {
		k := &x.chunks[c]
		if k.list[len(k.list)-1].at <= at {
			back.add(&k.sum)
			continue
		}
		for i := 0; k.list[i].at <= at; i++ {
			back.add(&k.list[i].take)
		}
		break
	}
	return back
}

// first returns the first expected end, or +Inf if no job is running.
func (x *ends) first() float64 {
	if len(x.chunks) == 0 {
		return math.Inf(1)
	}
	return x.chunks[0].list[0].at
}

// when returns the earliest time at which need is expected to be free, given the amounts that
// are free now. It returns -Inf if these suffice, and +Inf if need will never be free.
func (x *ends) when(need *amounts, free amounts) float64 {
	if free.covers(need) {
		return math.Inf(-1)
	}
	for c := range x.chunks {
		k := &x.chunks[c]
		then := free
		then.add(&k.sum)
		if !then.covers(need) {
			free = then
			continue
		}
		for i := range k.list {
			if free.add(&k.list[i].take); free.covers(need) {
				return k.list[i].at
			}
		}
	}
	return math.Inf(1)
}
