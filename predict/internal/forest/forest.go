package forest

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Table contains the observations from which a forest learns: a row of values
// and an answer for each. Train does not change it.
type Table struct {
	Columns [][]float64 // by column, then by row; NaN where a value is missing
	Answers []float64   // by row, finite
	Weights []float64   // by row, finite and not negative, some above 0
	// Offsets, by row and finite, are subtracted from the answers in every other tree; nil
	// means that all trees learn the answers themselves.
	Offsets []float64
}

// Options are the options of Train.
type Options struct {
	Trees int     // number of trees, 1 or more
	Leaf  int     // smallest number of rows in a leaf, 1 or more
	Share float64 // share of the columns tried at a node, in (0, 1]
	// Rows is the number of rows that each tree draws, without replacement,
	// and is grown on. With fewer rows training is faster and the trees differ
	// more. 0 means all rows.
	Rows int
	Seed uint64
}

// Forest contains the trees grown from a table. It is read-only and safe for
// concurrent use.
type Forest struct {
	columns int
	trees   []tree
}

// tree is one tree. Its nodes are in preorder.
type tree struct {
	nodes   []node
	leaves  []int32   // index of the first member of each leaf, then len(members)
	members []member  // by leaf, then by answer
	values  []float64 // the distinct answers, ascending; shared with other trees
	// relative means that the tree learned answers minus offsets. Its answers plus the offset
	// of a row are limited to the range from least to most.
	relative    bool
	least, most float64
}

// node is a cut, or a leaf if column is -1.
type node struct {
	cut     float32 // values below it go left, to the next node
	column  int16
	missing bool  // missing values go left
	right   int32 // index of the right node; in a leaf, the number of the leaf
}

// member is an answer of a leaf with its share of the leaf's weight.
type member struct {
	value  int32 // index in tree.values
	weight float32
}

// Renewed returns a forest with the trees of newer followed by trees of f, the
// most recent first, up to number trees in all. Both must have the same
// columns.
func (f *Forest) Renewed(newer *Forest, number int) *Forest {
	if f == nil {
		return newer
	}
	all := append(slices.Clip(newer.trees), f.trees...)
	return &Forest{newer.columns, all[:min(number, len(all))]}
}

// Train grows a forest from a table. It uses all cores, but the forest does not depend on their
// number. The table must have at least one row and at most 2¹⁵-1 columns.
func Train(t Table, o Options) *Forest {
	grounds := []*ground{newGround(&t, o)}
	if t.Offsets != nil {
		relative := t
		relative.Answers = slices.Clone(t.Answers)
		for i, x := range t.Offsets {
			relative.Answers[i] -= x
		}
		grounds = append(grounds, newGround(&relative, o))
	}
	least, most := slices.Min(t.Answers), slices.Max(t.Answers)+beyond
	f := &Forest{len(t.Columns), make([]tree, o.Trees)}
	par.Each(0, o.Trees, func(i int) {
		kind := i % len(grounds)
		grown := grounds[kind].grow(uint64(i))
		grown.relative, grown.least, grown.most = kind == 1, least, most
		f.trees[i] = grown
	})
	return f
}

// beyond is the largest difference by which a prediction with an offset may exceed all answers
// of the table.
const beyond = math.Ln2

// single converts a value to single precision. The result is limited so that the difference of
// two values is finite.
func single(x float64) float32 {
	const limit = math.MaxFloat32 / 4
	return float32(max(-limit, min(limit, x))) // NaN stays NaN
}
