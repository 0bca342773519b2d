package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// histories is what some rules know of every class of one way of classing.
// All that is known of a class lies side by side: the count of its run times,
// then each rule's numbers. One class is then one or two cache lines, however
// many rules there are.
type histories struct {
	classes Classes
	rules   []rule
	from    []int // where each rule's numbers begin, and where the last one's end
	early   []int // the rules that are
	stride  int
	numbers map[Key]int32 // of the classes
	blocks  [][]float64   // of blockClasses classes each
}

// blockClasses is how many classes a block holds: blocks are never moved, so
// that a long replay does not copy what it knows.
const blockClasses = 1 << 8

func newHistories(c Classes) *histories {
	return &histories{classes: c, from: []int{1}, stride: 1, numbers: map[Key]int32{}}
}

// add makes room for one more rule, before the first class.
func (h *histories) add(r rule) {
	if _, ok := r.(early); ok {
		h.early = append(h.early, len(h.rules))
	}
	h.rules = append(h.rules, r)
	h.stride += r.width()
	h.from = append(h.from, h.stride)
}

// class gives the number of a class, a new one where it was not met before.
func (h *histories) class(k Key) int32 {
	class, met := h.numbers[k]
	if met {
		return class
	}
	class = int32(len(h.numbers))
	h.numbers[k] = class
	if int(class) == len(h.blocks)*blockClasses {
		h.blocks = append(h.blocks, make([]float64, blockClasses*h.stride))
	}
	return class
}

func (h *histories) state(class int32) []float64 {
	return h.blocks[class/blockClasses][int(class%blockClasses)*h.stride:][:h.stride]
}

// of is the part of a class's numbers that rule i keeps.
func (h *histories) of(state []float64, i int) []float64 { return state[h.from[i]:h.from[i+1]] }

// observe enters a job of a class that ended.
func (h *histories) observe(class int32, j *workload.Job) {
	state := h.state(class)
	n := int(state[0])
	for i, r := range h.rules {
		r.observe(h.of(state, i), n, j)
	}
	state[0]++
}

// predict puts the prediction of rule i for a request of a class into
// p[out[i]]. What a rule has nothing to say about stays as it was.
func (h *histories) predict(class int32, r *workload.Request, p []workload.Prediction, out []int) {
	state := h.state(class)
	n := int(state[0])
	if n == 0 {
		for _, i := range h.early {
			p[out[i]] = h.rules[i].predict(h.of(state, i), n, r)
		}
		return
	}
	for i, rule := range h.rules {
		p[out[i]] = rule.predict(h.of(state, i), n, r)
	}
}
