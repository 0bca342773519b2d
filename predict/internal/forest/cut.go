package forest

import "math"

// split is a cut of a node's rows.
type split struct {
	column  int // index in ground.columns
	cut     float32
	missing bool // missing values go left
	score   float64
}

// best draws cuts for the rows at places lo to hi and returns the best of them, or
// false if the rows are too few, if their answers are all equal, or if no cut leaves
// enough rows on both sides.
func (t *grower) best(lo, hi int) (best split, ok bool) {
	if hi-lo < 2*t.few || t.alike(lo, hi) {
		return best, false
	}
	all := side{rows: hi - lo}
	for i := lo; i < hi; i++ {
		all.weight += t.weight[i]
		all.answer += t.answer[i]
	}
	best.score = math.Inf(-1)
	tries := t.tries
	for i := 0; i < len(t.order) && tries > 0; i++ {
		j := i + t.random.IntN(len(t.order)-i)
		t.order[i], t.order[j] = t.order[j], t.order[i]
		c := t.order[i]
		least, largest, missing := t.gather(c, lo, hi)
		if !(least < largest) && missing == 0 || missing == hi-lo {
			continue // all values are equal
		}
		tries--
		s := split{column: c, cut: t.cutBetween(least, largest)}
		if missing == 0 {
			t.consider(&best, s, all, t.below(lo, hi, s.cut))
			continue
		}
		left, gone := t.belowSome(lo, hi, s.cut)
		t.consider(&best, s, all, left)
		s.missing = true
		t.consider(&best, s, all, left.with(gone))
	}
	return best, !math.IsInf(best.score, -1)
}

// cutBetween draws a cut in (least, largest]. If the two are equal, the cut is above them
// and separates the missing values from the others.
func (t *grower) cutBetween(least, largest float32) float32 {
	if least == largest {
		return math.Nextafter32(largest, math.MaxFloat32)
	}
	cut := least + float32(1-t.random.Float64())*(largest-least)
	if !(cut > least && cut <= largest) { // by rounding
		return largest
	}
	return cut
}

// side describes the rows on one side of a cut: their number, their total weight and
// the sum of their weighted answers.
type side struct {
	rows           int
	weight, answer float64
}

func (s side) with(o side) side {
	return side{s.rows + o.rows, s.weight + o.weight, s.answer + o.answer}
}

// consider replaces best by s if s is better and leaves enough rows on both sides. The
// variance decreases most for the cut with the largest sum, over both sides, of
// answer²/weight.
func (t *grower) consider(best *split, s split, all, left side) {
	right := side{all.rows - left.rows, all.weight - left.weight, all.answer - left.answer}
	if left.rows < t.few || right.rows < t.few || !(left.weight > 0 && right.weight > 0) {
		return
	}
	s.score = left.answer*left.answer/left.weight + right.answer*right.answer/right.weight
	if s.score > best.score {
		*best = s
	}
}

// gather copies the rows' values of a column to t.at, and returns the least and the
// largest of them and the number of missing values.
func (t *grower) gather(c, lo, hi int) (least, largest float32, missing int) {
	least, largest = math.MaxFloat32, -math.MaxFloat32
	column, at := t.columns[c], t.at[lo:hi]
	for i, row := range t.rows[lo:hi] {
		x := column[row]
		at[i] = x
		if x < least {
			least = x
		}
		if x > largest {
			largest = x
		}
		if x != x {
			missing++
		}
	}
	return least, largest, missing
}

// below sums the rows whose gathered value is below the cut. No value may be missing. It
// avoids a branch, which the processor could not predict.
func (t *grower) below(lo, hi int, cut float32) side {
	at := t.at[lo:hi]
	weight, answer := t.weight[lo:hi], t.answer[lo:hi]
	weight, answer = weight[:len(at)], answer[:len(at)]
	var s side
	for i, x := range at {
		mask := int64(int32(math.Float32bits(x-cut)) >> 31) // all ones where x < cut
		s.rows -= int(mask)
		s.weight += math.Float64frombits(math.Float64bits(weight[i]) & uint64(mask))
		s.answer += math.Float64frombits(math.Float64bits(answer[i]) & uint64(mask))
	}
	return s
}

// belowSome is like below, but values may be missing; it also sums the rows where they
// are.
func (t *grower) belowSome(lo, hi int, cut float32) (left, missing side) {
	for i := lo; i < hi; i++ {
		one := side{1, t.weight[i], t.answer[i]}
		switch x := t.at[i]; {
		case x < cut:
			left = left.with(one)
		case x != x:
			missing = missing.with(one)
		}
	}
	return left, missing
}

// divide partitions the rows at places lo to hi by a cut, and returns the place where
// the right side begins.
func (t *grower) divide(lo, hi int, s split) int {
	column := t.columns[s.column]
	i, j := lo, hi
	for i < j {
		if x := column[t.rows[i]]; x < s.cut || s.missing && x != x {
			i++
			continue
		}
		j--
		t.rows[i], t.rows[j] = t.rows[j], t.rows[i]
		t.weight[i], t.weight[j] = t.weight[j], t.weight[i]
		t.answer[i], t.answer[j] = t.answer[j], t.answer[i]
	}
	return i
}
