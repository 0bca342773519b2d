package live

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PastWaits are the waits that earlier jobs have had. They predict nothing: they are
// given where no predictor is recommended, or none can answer.
type PastWaits struct {
	Jobs      int        `json:"jobs" help:"How many jobs, at most 1000."`
	Partition string     `json:"partition,omitempty" help:"Their partition; missing for jobs of all."`
	Sizes     string     `json:"sizes,omitempty" help:"Their processors, such as 5-16; missing for jobs of all sizes."`
	Since     time.Time  `json:"since" help:"When the first of them started."`
	Waits     []PastWait `json:"waits" help:"By quantile, ascending."`
}

// PastWait is the wait that a share of the jobs has not exceeded.
type PastWait struct {
	Quantile float64      `json:"quantile"`
	Seconds  stats.Number `json:"wait_s"`
}

const (
	mostPastWaits   = 1000 // of a group
	fewestPastWaits = 20   // of a group that is like the request
)

// startGroup is the jobs of a partition, or all (workload.Unknown), and of a range of
// sizes, or all (predict.UnknownSize).
type startGroup struct {
	partition int64
	sizes     predict.Group
}

// groupsOf returns the groups of a request, each once, the narrowest first.
func groupsOf(r *workload.Request) (all []startGroup) {
	for _, partition := range []int64{r.Partition, workload.Unknown} {
		for _, sizes := range []predict.Group{predict.GroupOf(r), predict.UnknownSize} {
			if g := (startGroup{partition, sizes}); !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// startTally keeps the waits of the latest jobs to start, by group. Any goroutine may
// read it.
type startTally struct {
	mu     sync.Mutex
	groups map[startGroup]*latestStarts
}

// latestStarts is a ring.
type latestStarts struct {
	at, waits []float64 // s
	next      int       // the place of the next one in a full ring
}

func (t *startTally) add(r *workload.Request, at, wait float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.groups == nil {
		t.groups = map[startGroup]*latestStarts{}
	}
	for _, g := range groupsOf(r) {
		of := t.groups[g]
		if of == nil {
			of = &latestStarts{}
			t.groups[g] = of
		}
		if len(of.waits) < mostPastWaits {
			of.at, of.waits = append(of.at, at), append(of.waits, wait)
			continue
		}
		of.at[of.next], of.waits[of.next] = at, wait
		of.next = (of.next + 1) % mostPastWaits
	}
}

// like returns the waits, ascending, of the narrowest group of a request that has enough
// of them, and the start of its first job; none before any job has started.
func (t *startTally) like(r *workload.Request) (g startGroup, since float64, waits []float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, g = range groupsOf(r) {
		of := t.groups[g]
		if last := g == (startGroup{workload.Unknown, predict.UnknownSize}); of != nil && (last || len(of.waits) >= fewestPastWaits) {
			waits = slices.Sorted(slices.Values(of.waits))
			return g, slices.Min(of.at), waits
		}
	}
	return g, math.NaN(), nil
}

// pastWaits returns those of jobs like a request; nil before any job has started.
func (s *Service) pastWaits(r *workload.Request) *PastWaits {
	g, since, waits := s.engine.starts.like(r)
	n := len(waits)
	if n == 0 {
		return nil
	}
	p := &PastWaits{Jobs: n, Since: s.timeAt(since)}
	p.Partition, _ = s.feed.Text("Partition", g.partition)
	if g.sizes != predict.UnknownSize {
		p.Sizes = g.sizes.String()
	}
	for _, q := range s.o.Quantiles {
		// The smallest wait that so large a share of them has not exceeded.
		p.Waits = append(p.Waits, PastWait{q, stats.Number(waits[max(0, int(math.Ceil(q*float64(n)-1e-9))-1)])})
	}
	return p
}
