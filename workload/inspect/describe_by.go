package inspect

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByValue is the summary of the jobs with one value of a column.
type ByValue struct {
	Value Value            `json:"value"`
	Name  string           `json:"name,omitempty"` // of the value, as the header or the format has it
	Jobs  int64            `json:"jobs"`
	Pct   stats.Number     `json:"share_pct"`
	Users workload.Integer `json:"users"` // different ones; Unknown where none is known
	Run   Column           `json:"run_time_s"`
	Size  Column           `json:"size_processors"`
	Work  stats.Number     `json:"work_processor_s"`
	// Load is Work over what the machine could do during the whole log's
	// submissions.
	Load stats.Number `json:"offered_load"`
}

// Breakdown is a summary for each value of a column, the most jobs first.
type Breakdown struct {
	Column string    `json:"column"`
	Values []ByValue `json:"values"`
	// Others are the jobs with values that appeared after the first mostValues;
	// nil where there are none.
	Others *ByValue `json:"others,omitempty"`
}

const (
	mostValues = 4096
	// mostByValue is how many run times and sizes, of all values together, are
	// kept for exact quantiles; beyond it every value has sketches.
	mostByValue = 1 << 22
)

// byKey is a value of the column: of whole numbers themselves, of others their
// bits; byUnknown and byOthers are no such value.
type byKey struct {
	kind  int
	value int64
}

const (
	byNumber = iota
	byUnknown
	byOthers
)

type byRow struct {
	key       byKey
	jobs      int64
	users     stats.Cardinality
	run, size summary
	work      float64
}

type byPart struct {
	at         int
	column     workload.Column
	rows       map[byKey]*byRow
	numbers    int
	kept, most int
	values     int
	sketched   bool
}

func newByPart(at int) *byPart {
	return &byPart{at: at, column: workload.Columns()[at], rows: map[byKey]*byRow{}, most: mostByValue, values: mostValues}
}

func (p *byPart) add(s *slab) {
	var last *byRow
	for i := range s.Len() {
		key := p.key(s, i)
		if last == nil || last.key != key {
			last = p.row(key)
		}
		r := last
		r.jobs++
		if u := s.user[i]; u != workload.Unknown {
			r.users.Add(u)
		}
		if x := s.run[i]; !math.IsNaN(x) {
			r.run.addOne(x)
			p.kept++
		}
		if n := s.size[i]; n != workload.Unknown {
			r.size.addOne(float64(n))
			p.kept++
		}
		r.work += workOf(s.size[i], s.run[i])
		if p.kept > p.most && !p.sketched {
			p.sketch()
		}
	}
}

func (p *byPart) key(s *slab, i int) byKey {
	if p.column.Float() {
		x := s.Float(p.at, i)
		if math.IsNaN(x) {
			return byKey{kind: byUnknown}
		}
		return byKey{byNumber, int64(math.Float64bits(x + 0))} // -0 + 0 is 0
	}
	n := s.Int(p.at, i)
	if n == workload.Unknown {
		return byKey{kind: byUnknown}
	}
	return byKey{byNumber, n}
}

// row is the row of a key; a number that comes too late is one of the others.
func (p *byPart) row(key byKey) *byRow {
	r := p.rows[key]
	if r != nil {
		return r
	}
	if key.kind == byNumber {
		if p.numbers == p.values {
			return p.row(byKey{kind: byOthers})
		}
		p.numbers++
	}
	r = &byRow{key: key}
	r.run.quantiles.Exact, r.size.quantiles.Exact = p.most+2, p.most+2
	if p.sketched {
		r.run.quantiles.Exact, r.size.quantiles.Exact = 1, 1
	}
	p.rows[key] = r
	return r
}

// sketch goes over to sketches in every row.
func (p *byPart) sketch() {
	for _, r := range p.rows {
		for _, s := range []*summary{&r.run, &r.size} {
			sketched := stats.Quantiles{Exact: 1}
			sketched.Merge(&s.quantiles)
			s.quantiles = sketched
		}
	}
	p.sketched = true
}

func (p *byPart) found(d *Description, processors int64) *Breakdown {
	b := &Breakdown{Column: p.column.Name, Values: []ByValue{}}
	span := float64(d.Log.LastSubmit - d.Log.FirstSubmit)
	rows := make([]*byRow, 0, len(p.rows))
	for _, r := range p.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *byRow) int {
		return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(a.key.kind, b.key.kind), p.compare(a.key, b.key))
	})
	for _, r := range rows {
		v := ByValue{
			Value: Value(p.text(r.key)), Jobs: r.jobs, Pct: percent(r.jobs, d.Jobs), Users: workload.Positive(r.users.Count()),
			Run: r.run.column("s", r.jobs), Size: r.size.column("processors", r.jobs),
			Work: stats.Number(r.work), Load: stats.Number(loadOf(r.work, processors, span)),
		}
		if r.key.kind == byOthers {
			v.Name = "others"
			b.Others = &v
			continue
		}
		b.Values = append(b.Values, v)
	}
	return b
}

func (p *byPart) compare(a, b byKey) int {
	if p.column.Float() {
		return cmp.Compare(math.Float64frombits(uint64(a.value)), math.Float64frombits(uint64(b.value)))
	}
	return cmp.Compare(a.value, b.value)
}

func (p *byPart) text(key byKey) string {
	switch {
	case key.kind != byNumber:
		return ""
	case p.column.Float():
		return strconv.FormatFloat(math.Float64frombits(uint64(key.value)), 'f', -1, 64)
	}
	return strconv.FormatInt(key.value, 10)
}
