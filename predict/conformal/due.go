package conformal

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// dueBounds are when the bounds of jobs end, the first on top: by moment, row and the
// number of the quantile.
type dueBounds heap.Heap[int]

func (d *dueBounds) push(at float64, row int64, quantile int) {
	(*heap.Heap[int])(d).Push(heap.Item[int]{At: at, Seq: row, Value: quantile})
}

// before takes out and yields those that ended before that moment. One that ends at it
// may still hold.
func (d *dueBounds) before(now float64) iter.Seq2[int64, int] {
	return func(yield func(int64, int) bool) {
		for len(*d) > 0 && (*d)[0].At < now {
			e := (*heap.Heap[int])(d).Pop()
			if !yield(e.Seq, e.Value) {
				return
			}
		}
	}
}

// tidy drops those of jobs that have started, where these are many.
func (d *dueBounds) tidy(waiting map[int64]*given) {
	quantiles := 1
	for _, g := range waiting {
		quantiles = len(g.Bounds)
		break
	}
	if len(*d) < 1024+2*quantiles*len(waiting) {
		return
	}
	var kept dueBounds
	for _, e := range *d {
		if _, ok := waiting[e.Seq]; ok {
			kept.push(e.At, e.Seq, e.Value)
		}
	}
	*d = kept
}
