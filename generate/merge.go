package generate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// merger holds the next submission of every class, the earliest on top. At one instant
// the class that the model names first comes first.
type merger struct {
	heap heap.Heap[*clock]
	left []int64 // jobs of each class still to come; nil for any number
}

// newMerger draws the first submission of every class that has jobs. quotas is how
// many each has, nil for any number.
func newMerger(classes []class, quotas []int64) *merger {
	m := &merger{left: slices.Clone(quotas)}
	for i := range classes {
		if quotas != nil && quotas[i] == 0 {
			continue
		}
		c := classes[i].arrivals.start()
		m.heap.Push(heap.Item[*clock]{At: c.next(), Seq: int64(i), Value: c})
	}
	return m
}

// group is the bag of the earliest submission.
func (m *merger) group() int64 { return m.heap[0].Value.group }

// first returns the earliest submission and its class.
func (m *merger) first() (time float64, class int) { return m.heap[0].At, int(m.heap[0].Seq) }

// advance draws the next submission of the class on top.
func (m *merger) advance() {
	x := m.heap[0]
	x.At = x.Value.next()
	if m.left != nil {
		if m.left[x.Seq]--; m.left[x.Seq] == 0 {
			x.At = math.Inf(1)
		}
	}
	m.heap.Replace(x)
}
