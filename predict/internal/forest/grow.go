package forest

import (
	"math"
	"math/rand/v2"
	"slices"
)

// ground holds the table from which trees grow, prepared for that purpose.
type ground struct {
	columns [][]float32 // the columns that are not constant, by row
	number  []int16     // index in Table.Columns of each of columns
	values  []float64   // the distinct answers, ascending
	rank    []int32     // by row: index of the answer in values
	weights []float64   // by row
	answers []float64   // by row: (answer - median) times weight
	tries   int         // number of columns tried at a node
	few     int         // smallest number of rows in a leaf
	drawn   int         // number of rows that each tree draws
	seed    uint64
}

func newGround(t *Table, o Options) *ground {
	n := len(t.Answers)
	g := &ground{few: o.Leaf, drawn: n, seed: o.Seed, weights: t.Weights, rank: make([]int32, n), answers: make([]float64, n)}
	g.tries = max(1, int(math.Ceil(o.Share*float64(len(t.Columns))-1e-9)))
	if o.Rows > 0 {
		g.drawn = min(n, o.Rows)
	}
	for c, values := range t.Columns {
		column := make([]float32, n)
		alike := true
		for i, x := range values {
			column[i] = single(x)
			alike = alike && (column[i] == column[0] || column[i] != column[i] && column[0] != column[0])
		}
		if !alike {
			g.columns, g.number = append(g.columns, column), append(g.number, int16(c))
		}
	}
	g.values = slices.Clone(t.Answers)
	slices.Sort(g.values)
	g.values = slices.Compact(g.values)
	// Centre the answers, so that sums of squares lose fewer digits.
	middle := g.values[len(g.values)/2]
	for i, a := range t.Answers {
		r, _ := slices.BinarySearch(g.values, a)
		g.rank[i] = int32(r)
		g.answers[i] = (a - middle) * g.weights[i]
	}
	return g
}

// grower grows one tree. Its slices rows, weight, answer and at are parallel; an index
// into them is a place. A node has the rows of a range of places.
type grower struct {
	*ground
	tree
	random  *rand.Rand
	rows    []int32
	weight  []float64 // ground.weights of rows
	answer  []float64 // ground.answers of rows
	at      []float32 // values of rows in one column
	order   []int     // permutation of the columns; those drawn are first
	sorting []int32   // rows of a leaf; scratch space of endIn
}

// draw returns a ground with the rows that a tree draws, or g itself if it draws all rows.
func (g *ground) draw(random *rand.Rand) *ground {
	n := len(g.rank)
	if g.drawn == n {
		return g
	}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	for i := range g.drawn {
		j := i + random.IntN(n-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	rows = rows[:g.drawn]
	d := *g
	d.rank, d.weights, d.answers = pick(g.rank, rows), pick(g.weights, rows), pick(g.answers, rows)
	d.columns = make([][]float32, len(g.columns))
	for c := range d.columns {
		d.columns[c] = pick(g.columns[c], rows)
	}
	return &d
}

func pick[T any](from []T, rows []int32) []T {
	picked := make([]T, len(rows))
	for i, row := range rows {
		picked[i] = from[row]
	}
	return picked
}

// grow grows the i-th tree.
func (g *ground) grow(i uint64) tree {
	random := rand.New(rand.NewPCG(g.seed, i))
	g = g.draw(random)
	n := len(g.rank)
	t := grower{
		ground: g, tree: tree{values: g.values}, random: random,
		rows: make([]int32, n), weight: slices.Clone(g.weights), answer: slices.Clone(g.answers),
		at: make([]float32, n), order: make([]int, len(g.columns)),
	}
	for i := range t.rows {
		t.rows[i] = int32(i)
	}
	for i := range t.order {
		t.order[i] = i
	}
	t.node(0, n)
	t.leaves = append(t.leaves, int32(len(t.members)))
	t.tree.nodes, t.tree.members = slices.Clip(t.tree.nodes), slices.Clip(t.tree.members)
	return t.tree
}

// node grows the subtree of the rows at places lo to hi.
func (t *grower) node(lo, hi int) {
	s, ok := t.best(lo, hi)
	if !ok {
		t.endIn(lo, hi)
		return
	}
	here := len(t.nodes)
	t.nodes = append(t.nodes, node{cut: s.cut, column: t.number[s.column], missing: s.missing})
	middle := t.divide(lo, hi, s)
	t.node(lo, middle)
	t.nodes[here].right = int32(len(t.nodes))
	t.node(middle, hi)
}

// endIn adds a leaf with the rows at places lo to hi.
func (t *grower) endIn(lo, hi int) {
	t.nodes = append(t.nodes, node{column: -1, right: int32(len(t.leaves))})
	t.leaves = append(t.leaves, int32(len(t.members)))
	total := 0.0
	t.sorting = t.sorting[:0]
	alike := t.alike(lo, hi)
	for i := lo; i < hi; i++ {
		total += t.weight[i]
		if !alike {
			t.sorting = append(t.sorting, t.rows[i])
		}
	}
	if alike || !(total > 0) { // total is 0 if the weight of a side was only a rounding error
		t.members = append(t.members, member{t.rank[t.rows[lo]], 1})
		return
	}
	slices.SortFunc(t.sorting, func(a, b int32) int { return int(t.rank[a]) - int(t.rank[b]) })
	for i := 0; i < len(t.sorting); {
		r, sum := t.rank[t.sorting[i]], 0.0
		for ; i < len(t.sorting) && t.rank[t.sorting[i]] == r; i++ {
			sum += t.weights[t.sorting[i]]
		}
		if share := float32(sum / total); share > 0 {
			t.members = append(t.members, member{r, share})
		}
	}
}

// alike reports whether all rows at places lo to hi have the same answer.
func (t *grower) alike(lo, hi int) bool {
	first := t.rank[t.rows[lo]]
	for _, row := range t.rows[lo+1 : hi] {
		if t.rank[row] != first {
			return false
		}
	}
	return true
}
