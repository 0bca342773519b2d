package live

import (
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// request makes a request of a question.
func (s *Service) request(v *view, q *Question) (workload.Request, error) {
	r := workload.UnknownJob().Request
	r.Submit, r.Row, r.Processors, r.Size = v.at, v.rows, q.Size, q.Size
	switch {
	case q.Size < 1:
		return r, workload.OptionFault("size", q.Size, "1 processor or more")
	case q.Time < 0 || math.IsNaN(q.Time) || math.IsInf(q.Time, 0):
		return r, workload.OptionFault("time", q.Time, "a number of seconds above 0")
	case q.Memory < 0 || math.IsNaN(q.Memory) || math.IsInf(q.Memory, 0):
		return r, workload.OptionFault("memory", q.Memory, "a number of KB above 0")
	}
	if q.Time > 0 {
		r.Time = q.Time
	}
	if q.Memory > 0 {
		r.Memory = q.Memory
	}
	var err error
	if r.Partition, err = s.named("partition", "Partition", q.Partition); err != nil {
		return r, err
	}
	if r.Queue, err = s.named("queue", "Queue", q.Queue); err != nil {
		return r, err
	}
	if n, ok := s.feed.Find("User", q.User); ok && q.User != "" {
		r.User = n
	}
	if n, ok := s.feed.Find("Account", q.Account); ok && q.Account != "" {
		asked := workload.NoAsked
		asked.Account = n
		r.Asked = &asked
	}
	return r, s.fits(v, &r)
}

// named returns the number of a name.
func (s *Service) named(option, key, text string) (int64, error) {
	if text == "" {
		return workload.Unknown, nil
	}
	number, ok := s.feed.Find(key, text)
	if !ok {
		return number, workload.OptionFault(option, strconv.Quote(text), "%s", s.known(key))
	}
	return number, nil
}

// known lists names for a message.
func (s *Service) known(key string) string {
	const most = 8
	texts := s.feed.Texts(key)
	switch {
	case len(texts) == 0:
		return "none: no name is known"
	case len(texts) > most:
		texts = append(texts[:most:most], "...")
	}
	return "one of " + strings.Join(texts, ", ")
}

// fits says whether the machine can run a request, and its partition. A request without a
// partition gets the default one.
func (s *Service) fits(v *view, r *workload.Request) error {
	most := v.capacity.Total
	if most == 0 {
		most = v.capacity.Processors
	}
	if most > 0 && r.Size > most {
		return workload.OptionFault("size", r.Size, "at most %d, the processors of the machine", most)
	}
	for _, p := range v.capacity.Partitions {
		if r.Partition == workload.Unknown && p.Default {
			r.Partition = p.Number
		}
		if p.Number != r.Partition {
			continue
		}
		most := p.Total
		if p.MaxProcessors > 0 && (most == 0 || p.MaxProcessors < most) {
			most = p.MaxProcessors
		}
		if most > 0 && r.Size > most {
			return workload.OptionFault("size", r.Size, "at most %d in the partition %s", most, p.Name)
		}
		if p.MaxTime > 0 && r.Time > p.MaxTime {
			return workload.OptionFault("time", r.Time, "at most %g s in the partition %s", p.MaxTime, p.Name)
		}
	}
	return nil
}

// request repeats a question.
func (q *Question) request() Request {
	known := func(x float64) stats.Number {
		if x > 0 {
			return stats.Number(x)
		}
		return unknown
	}
	return Request{q.Size, known(q.Time), known(q.Memory), q.Partition, q.Queue, q.User, q.Account}
}
