package forest

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Table contains the observations from which a forest learns: a row of values
// and an answer for each. Train does not change it.
type Table struct {
	Columns [][]float64 // by column, then by row; NaN where a value is missing
	Answers []float64   // by row, finite
	Weights []float64   // by row, finite and not negative; nil means equal weights
}

// Options are the options of Train. A zero field means its default.
type Options struct {
	Trees int     // number of trees; default 30
	Leaf  int     // smallest number of rows in a leaf; default 10
	Share float64 // share of the columns that are tried at a node, in (0, 1]; default 0.4
	// Rows is the number of rows that each tree draws, without replacement,
	// and is grown on. With fewer rows training is faster and the trees differ
	// more. The default is all rows.
	Rows int
	Seed uint64
	// Workers is the number of trees that are grown at once; 0 means the
	// number of cores. The forest does not depend on it.
	Workers int
}

func (o Options) filled() (Options, error) {
	if o.Trees == 0 {
		o.Trees = 30
	}
	if o.Leaf == 0 {
		o.Leaf = 10
	}
	if o.Share == 0 {
		o.Share = 0.4
	}
	switch {
	case o.Trees < 0:
		return o, fmt.Errorf("forest: %d trees, want 1 or more", o.Trees)
	case o.Leaf < 0:
		return o, fmt.Errorf("forest: %d rows of a leaf, want 1 or more", o.Leaf)
	case o.Rows < 0:
		return o, fmt.Errorf("forest: %d rows of a tree, want 1 or more", o.Rows)
	case !(o.Share > 0 && o.Share <= 1):
		return o, fmt.Errorf("forest: the share %g of the columns, want a number above 0, at most 1", o.Share)
	}
	return o, nil
}

// check returns an error if a forest cannot be trained on the table.
func (t *Table) check() error {
	n := len(t.Answers)
	if n == 0 || n > math.MaxInt32 {
		return fmt.Errorf("forest: %d rows, want 1 to %d", n, math.MaxInt32)
	}
	if len(t.Columns) > maxColumns {
		return fmt.Errorf("forest: %d columns, want at most %d", len(t.Columns), maxColumns)
	}
	for i, c := range t.Columns {
		if len(c) != n {
			return fmt.Errorf("forest: column %d has %d rows, want %d as the answers", i+1, len(c), n)
		}
	}
	for i, a := range t.Answers {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return fmt.Errorf("forest: the answer of row %d is %g, want a finite number", i+1, a)
		}
	}
	if t.Weights == nil {
		return nil
	}
	if len(t.Weights) != n {
		return fmt.Errorf("forest: %d weights, want %d as the answers", len(t.Weights), n)
	}
	sum := 0.0
	for i, w := range t.Weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Errorf("forest: the weight of row %d is %g, want a finite number, 0 or more", i+1, w)
		}
		sum += w
	}
	if !(sum > 0 && sum <= math.MaxFloat64) {
		return fmt.Errorf("forest: the weights sum to %g, want a finite number above 0", sum)
	}
	return nil
}

// Forest contains the trees grown from a table. It does not change, and many
// goroutines may use it at once.
type Forest struct {
	columns int
	trees   []tree
}

// maxColumns is how many columns a node can name.
const maxColumns = 1<<15 - 1

// tree is one tree. Nodes are in the order of a walk that goes left first.
type tree struct {
	nodes   []node
	leaves  []int32   // where the members of each leaf begin; one more for the end
	members []member  // by leaf, then by answer
	values  []float64 // the distinct answers of the table, rising; of all its trees
}

// node is a cut, or a leaf where column is -1.
type node struct {
	cut     float32 // values below it go left, to the next node
	column  int16
	missing bool  // missing values go left
	right   int32 // the node of the others; of a leaf, its number
}

// member is an answer of a leaf with its share of the leaf's weight.
type member struct {
	value  int32 // of tree.values
	weight float32
}

// Trees returns the number of trees.
func (f *Forest) Trees() int { return len(f.trees) }

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

// Train grows a forest from a table. It is an error if the table is empty or
// the lengths of its parts differ, an answer is not finite, or an option is out
// of range.
func Train(t Table, o Options) (*Forest, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	g := newGround(&t, o)
	f := &Forest{len(t.Columns), make([]tree, o.Trees)}
	par.Each(o.Workers, o.Trees, func(i int) { f.trees[i] = g.grow(uint64(i)) })
	return f, nil
}

// single is a value as trees compare it: finite, so that differences of values are.
func single(x float64) float32 {
	const limit = math.MaxFloat32 / 4
	return float32(max(-limit, min(limit, x))) // NaN stays NaN
}
