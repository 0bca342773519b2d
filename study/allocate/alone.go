package allocate

import (
	"math"
	"slices"
	"sort"
)

// alone works out what becomes of one job that chooses while all others do
// what they did: on AVG's schedule, from the moment at which the job is at the
// head of the queue and finds fewer processors than it can use. No other job
// starts before it does, so that all it waits for are the ends of the jobs
// that run then. submits, in seconds, ascending, are those of all jobs: they
// have the job reconsider.
func alone(t *task, v *view, c chooser, lockIn bool, submits []float64) (p Placement) {
	p = Placement{Offer: v.now, Offered: v.free, Most: t.most}
	held := unhurried(c.choose(t, v, t.most), v.now, p.Offer)
	p.Chosen = held.size
	limit := t.most
	place := func(n int) Placement {
		p.Start, p.Size, p.Run = v.now, n, t.run(n)
		return p
	}
	if held.size <= v.free {
		return place(held.size)
	}
	// The rest happens to a copy.
	after := *v
	after.running = slices.Clone(v.running)
	v = &after
	next := sort.Search(len(submits), func(i int) bool { return submits[i] > v.now })
	for {
		if lockIn {
			limit = held.size
		}
		at := held.until
		if len(v.running) > 0 {
			at = min(at, v.running[0].end)
		}
		if !held.final && next < len(submits) {
			at = min(at, submits[next])
		}
		if math.IsInf(at, 1) {
			return place(min(limit, v.free)) // no end cannot be: nothing runs and not all is free
		}
		v.now = max(v.now, at)
		v.release()
		asked := v.now >= held.until
		for !held.final && next < len(submits) && submits[next] <= v.now {
			next++
			v.queued++
			asked = true
		}
		switch {
		case v.free >= held.size:
			return place(min(limit, v.free))
		case held.final && asked:
			return place(v.free)
		case asked:
			if held = unhurried(c.choose(t, v, limit), v.now, p.Offer); held.size <= v.free {
				return place(held.size)
			}
		}
	}
}
