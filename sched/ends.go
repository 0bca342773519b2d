package sched

import (
	"math"
	"slices"
	"sort"
)

// ends holds when the running jobs are expected to end, in order, in chunks
// that know their sum of sizes: entering, removing and asking when so many
// processors will be free cost the square root of the jobs that run.
type ends struct {
	chunks []endChunk
}

type endChunk struct {
	list []ending
	size int64 // of all in the list
}

// endsPerChunk is where a chunk is split in two.
const endsPerChunk = 128

// ending is the expected end of a running job.
type ending struct {
	at   float64
	seq  int64 // position among the starts; ties go by it
	size int64
	slot int32
}

func (a *ending) before(b *ending) bool {
	return a.at < b.at || (a.at == b.at && a.seq < b.seq)
}

// find returns the chunk and the position of the first ending not before e,
// or the end of the last chunk. There is a chunk.
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
	k.size += e.size
	if len(k.list) < endsPerChunk {
		return
	}
	half := endChunk{list: append(make([]ending, 0, endsPerChunk), k.list[endsPerChunk/2:]...)}
	for i := range half.list {
		half.size += half.list[i].size
	}
	k.list = k.list[:endsPerChunk/2]
	k.size -= half.size
	x.chunks = slices.Insert(x.chunks, c+1, half)
}

// remove takes out an ending, which there must be.
func (x *ends) remove(at float64, seq int64) {
	e := ending{at: at, seq: seq}
	c, i := x.find(&e)
	k := &x.chunks[c]
	k.size -= k.list[i].size
	k.list = slices.Delete(k.list, i, i+1)
	if len(k.list) == 0 {
		x.chunks = slices.Delete(x.chunks, c, c+1)
	}
}

// by returns what is given back by a time.
func (x *ends) by(at float64) (size int64) {
	for c := range x.chunks {
		k := &x.chunks[c]
		if k.list[len(k.list)-1].at <= at {
			size += k.size
			continue
		}
		for i := 0; k.list[i].at <= at; i++ {
			size += k.list[i].size
		}
		break
	}
	return size
}

// first returns the first expected end, infinite where nothing runs.
func (x *ends) first() float64 {
	if len(x.chunks) == 0 {
		return math.Inf(1)
	}
	return x.chunks[0].list[0].at
}

// when returns the earliest time at which enough processors are expected to
// be free, and how many are free then, those of all jobs that end then
// included. free are those that are free now: fewer than needed.
func (x *ends) when(needed, free int64) (at float64, then int64) {
	at = math.Inf(1)
	for c := range x.chunks {
		k := &x.chunks[c]
		if free+k.size < needed {
			free += k.size
			continue
		}
		for i := range k.list {
			if free >= needed && k.list[i].at > at {
				return at, free
			}
			free += k.list[i].size
			if free >= needed {
				at = k.list[i].at
			}
		}
	}
	return at, free
}
