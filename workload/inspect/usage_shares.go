package inspect

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Shares lists the users, or accounts, with the most processor time.
type Shares struct {
	Column   string      `json:"column"`
	Distinct int64       `json:"distinct"`
	Unknown  int64       `json:"unknown_jobs"` // whose user, or account, is unknown
	Top      []UserShare `json:"top"`          // largest processor time first
}

// UserShare is the use of the machine by one user or account. Shares are of all jobs and of
// the processor time of all jobs in the log.
type UserShare struct {
	ID      int64       `json:"id"`
	Name    string      `json:"name,omitempty"` // from the header or the format
	Jobs    int64       `json:"jobs"`
	JobsPct stats.Share `json:"jobs_pct" show:"share of jobs,%"`
	Work    float64     `json:"work_processor_s"`
	WorkPct stats.Share `json:"work_pct" show:"share of hours,%"`
}

type share struct {
	jobs int64
	work float64
}

type sharesPart struct {
	column  int
	of      map[int64]*share
	all     share
	unknown int64
}

func (p *sharesPart) add(s *slab) {
	for i := range s.Len() {
		work := workOf(s.size[i], s.run[i])
		p.all.jobs++
		p.all.work += work
		n := s.Int(p.column, i)
		if n == workload.Unknown {
			p.unknown++
			continue
		}
		x := p.of[n]
		if x == nil {
			x = &share{}
			p.of[n] = x
		}
		x.jobs++
		x.work += work
	}
}

func (p *sharesPart) found(h *workload.Header, top int) *Shares {
	if len(p.of) == 0 {
		return nil
	}
	column := workload.ColumnAt(p.column).Name
	names := h.NamesOf(column)
	out := &Shares{Column: column, Distinct: int64(len(p.of)), Unknown: p.unknown, Top: []UserShare{}}
	for id, x := range p.of {
		out.Top = append(out.Top, UserShare{
			ID: id, Name: names[id], Jobs: x.jobs, JobsPct: stats.Share(float64(x.jobs) / float64(p.all.jobs)),
			Work: x.work, WorkPct: stats.Share(x.work / p.all.work),
		})
	}
	slices.SortFunc(out.Top, func(a, b UserShare) int {
		return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.ID, b.ID))
	})
	out.Top = slices.Clip(out.Top[:min(top, len(out.Top))])
	return out
}
