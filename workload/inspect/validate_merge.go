package inspect

import (
	"errors"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/workload"
)

// opener is a part's first job whose submission is known.
type opener struct {
	submit         float64
	row, line, job int64
}

// placements are the jobs of a part with a known start and end, in its order: how many
// processors are busy is known when all parts are there.
type placements struct {
	submit, start, end, size, row, line, id []float64
}

func (p *placements) columns() [7]*[]float64 {
	return [...]*[]float64{&p.submit, &p.start, &p.end, &p.size, &p.row, &p.line, &p.id}
}

func (p *placements) add(j *placed) {
	for i, x := range [...]float64{j.submit, j.start, j.end, float64(j.size), float64(j.row), float64(j.line), float64(j.id)} {
		c := p.columns()[i]
		*c = append(*c, x)
	}
}

// NewValidator returns a Validator for a log with the header of log. An invalid option is a
// *workload.OptionError.
func NewValidator(log *workload.Log, o ValidateOptions) (*Validator, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return newValidator(log, o), nil
}

// Validation returns the findings of all jobs read. Header and warnings are taken from log.
// The Validator must not be used afterwards.
func (v *Validator) Validation(log *workload.Log) Validation {
	v.log = log
	v.sweepPlaced(0, 0, &v.placed)
	return v.validation()
}

var errIDs = errors.New("job numbers occur in several parts, or too many of them do not ascend: want one run, or --rules without job-duplicate and preceding-*")

// Merge adds the findings of later, which must have the same options and have read the part
// of the log that follows. It returns an error if the log cannot be checked in parts, for
// example because job ids occur in several of them.
func (v *Validator) Merge(later *Validator) error {
	v.starts = nil // which has seen a part
	v.sweepPlaced(0, 0, &v.placed)
	v.placed = placements{}
	v.sweepPlaced(v.rows, v.lines, &later.placed)
	v.submissions(later)
	header := newValidator(v.log, v.o) // whose findings every part has
	for r := range v.found {
		to, from := &v.found[r], &later.found[r]
		if r == ruleMachineOverFull {
			continue
		}
		to.count += from.count - header.found[r].count
		for _, p := range from.places[min(len(from.places), len(header.found[r].places)):] {
			if len(to.places) < v.o.First {
				to.places = append(to.places, v.moved(p))
			}
		}
	}
	v.jobs += later.jobs
	for id := range later.queues.ids {
		v.queues.add(id)
	}
	for id := range later.partitions.ids {
		v.partitions.add(id)
	}
	if !v.mergePreceding(later) || !v.ids.merge(&later.ids) {
		return errIDs
	}
	v.rows += later.rows
	v.lines += later.lines
	return nil
}

// moved is a place of the part that follows as one of the log.
func (v *Validator) moved(p Place) Place {
	if p.Row > 0 {
		p.Row += workload.Integer(v.rows)
	}
	if p.Line > 0 {
		p.Line += workload.Integer(v.lines)
	}
	return p
}

// submissions holds the first submission of the part that follows against the last.
func (v *Validator) submissions(later *Validator) {
	f := later.first
	if f == nil {
		return
	}
	if f.submit < v.submit && v.hit(ruleSubmitOrder) {
		line := f.line
		if line > 0 {
			line += v.lines
		}
		v.note(ruleSubmitOrder, f.row+v.rows, line, f.job, v.rules[ruleSubmitOrder].Field, plain(f.submit), atLeast(v.submit))
	}
	if v.submit = later.submit; v.first == nil {
		v.first = f
	}
}

// sweepPlaced sweeps the jobs of a part that so many rows and lines precede.
func (v *Validator) sweepPlaced(rows, lines int64, p *placements) {
	for i := range p.submit {
		j := placed{submit: p.submit[i], start: p.start[i], end: p.end[i], size: int64(p.size[i]), row: int64(p.row[i]) + rows, line: int64(p.line[i]), id: int64(p.id[i])}
		if j.line > 0 {
			j.line += lines
		}
		v.busy.take(&j)
	}
}

// merge adds the ids of a set; false where one is in both, or there is no room.
func (s *idSet) merge(later *idSet) bool {
	if s.full || later.full || s.lost+later.lost > 0 {
		return false
	}
	for i, key := range later.keys {
		if key == 0 {
			continue
		}
		for word := later.bits[i]; word != 0; word &= word - 1 {
			if in, sure := s.add(int64(key-1<<58)<<6 | int64(bits.TrailingZeros64(word))); in || !sure {
				return false
			}
		}
	}
	return !s.full
}

// mergePreceding adds the references of the part that follows, whose ids are not added yet.
func (v *Validator) mergePreceding(later *Validator) bool {
	p, l := &v.preceding, &later.preceding
	if p.missed+l.missed+p.lost+l.lost > 0 {
		return false
	}
	for to, seen := range p.later {
		if in, _ := later.ids.has(to); in && !seen {
			p.later[to] = true
		}
	}
	for _, r := range l.pending {
		if in, _ := v.ids.has(r.to); in {
			continue // it stands above, in an earlier part
		}
		if len(p.pending) == p.limit {
			return false
		}
		if p.later == nil {
			p.later = map[int64]bool{}
		}
		p.later[r.to] = p.later[r.to] || l.later[r.to]
		r.row += v.rows
		if r.line > 0 {
			r.line += v.lines
		}
		p.pending = append(p.pending, r)
	}
	return true
}
