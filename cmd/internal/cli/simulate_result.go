package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scheduleWatch scores a simulation: the whole, and each site where there are
// several.
type scheduleWatch struct {
	whole score.ScheduleTally
	sites []*siteWatch // as they are met
	by    map[int64]*siteWatch
	many  bool
	// longer is told how many jobs wait on a machine; it may be nil.
	longer func(queued int)
	// The whole's queue and machine, over all sites.
	queued int
	busy   int64
}

type siteWatch struct {
	partition int64
	score.ScheduleTally
	queued int
	busy   int64
}

var _ sched.Settler = (*scheduleWatch)(nil)

func newScheduleWatch(tau float64, processors int64, sites map[int64]int64) *scheduleWatch {
	w := &scheduleWatch{whole: score.ScheduleTally{Tau: tau, Processors: processors}, by: map[int64]*siteWatch{}, many: sites != nil}
	if w.many {
		w.whole.Processors = 0 // the sum of the sites that have jobs
	}
	return w
}

// Blocked implements sched.Observer.
func (w *scheduleWatch) Blocked(*workload.Request, *sched.State) {}

// Started implements sched.Observer.
func (w *scheduleWatch) Started(*workload.Request, *sched.State) {}

// Settled implements sched.Settler.
func (w *scheduleWatch) Settled(s *sched.State) {
	queued, busy := s.Queued(), s.Processors()-s.Free()
	if w.longer != nil {
		w.longer(queued)
	}
	if !w.many {
		w.whole.Queue(s.Now(), queued, busy)
		return
	}
	x := w.at(s.Site())
	if x.Processors == 0 {
		x.Processors = s.Processors()
		w.whole.Processors += s.Processors()
	}
	w.queued += queued - x.queued
	w.busy += busy - x.busy
	x.queued, x.busy = queued, busy
	x.Queue(s.Now(), queued, busy)
	w.whole.Queue(s.Now(), w.queued, w.busy)
}

// at is the watch of a site. Its first job comes before its first Settled.
func (w *scheduleWatch) at(partition int64) *siteWatch {
	x := w.by[partition]
	if x == nil {
		x = &siteWatch{partition: partition}
		x.Tau = w.whole.Tau
		w.by[partition] = x
		w.sites = append(w.sites, x)
	}
	return x
}

// scoring passes jobs on and scores them.
func (w *scheduleWatch) scoring(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				w.whole.Add(&j)
				if w.many {
					w.at(j.Partition).Add(&j)
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

type simulateJSON struct {
	Schema    string           `json:"schema"`
	Log       workload.Summary `json:"log"`
	Policy    string           `json:"policy"`
	Queues    []int64          `json:"queues,omitempty"`
	Estimates string           `json:"estimates,omitempty"`
	Classes   string           `json:"classes,omitempty"`
	Corrected bool             `json:"corrected"`
	Killed    bool             `json:"killed_at_estimate"`
	Tau       stats.Number     `json:"tau_s"`
	Whole     scheduleJSON     `json:"schedule"`
	Sites     []scheduleJSON   `json:"sites,omitempty"`
	Line      []schedLineJSON  `json:"over_time"`
}

type scheduleJSON struct {
	Partition    *int64       `json:"partition,omitempty"`
	Jobs         int          `json:"jobs"`
	Processors   int64        `json:"processors"`
	First        stats.Number `json:"first_submit_s"`
	Last         stats.Number `json:"last_end_s"`
	Wait         spreadJSON   `json:"wait_s"`
	Response     spreadJSON   `json:"response_s"`
	Slowdown     spreadJSON   `json:"bounded_slowdown"`
	Waited       stats.Number `json:"waited_pct"`
	Utilisation  stats.Number `json:"utilisation"`
	QueuedMean   stats.Number `json:"queued_mean"`
	QueuedMost   int          `json:"queued_most"`
	QueuedMostAt stats.Number `json:"queued_most_at_s"`
}

type spreadJSON struct {
	Mean   stats.Number `json:"mean"`
	Median stats.Number `json:"median"`
	Q90    stats.Number `json:"q90"`
	Q95    stats.Number `json:"q95"`
	Max    stats.Number `json:"max"`
}

type schedLineJSON struct {
	From        stats.Number `json:"from_s"`
	To          stats.Number `json:"to_s"`
	QueuedMean  stats.Number `json:"queued_mean"`
	QueuedMost  int          `json:"queued_most"`
	Utilisation stats.Number `json:"utilisation"`
}

func spreadOf(s score.Spread) spreadJSON {
	return spreadJSON{stats.Number(s.Mean), stats.Number(s.Median), stats.Number(s.Q90), stats.Number(s.Q95), stats.Number(s.Max)}
}

func scheduleOf(s score.Schedule, partition *int64) scheduleJSON {
	return scheduleJSON{
		Partition: partition, Jobs: s.Jobs, Processors: s.Processors, First: stats.Number(s.First), Last: stats.Number(s.Last),
		Wait: spreadOf(s.Wait), Response: spreadOf(s.Response), Slowdown: spreadOf(s.BoundedSlowdown), Waited: stats.Number(s.WaitedPct),
		Utilisation: stats.Number(s.Utilisation), QueuedMean: stats.Number(s.QueuedMean), QueuedMost: s.QueuedMost, QueuedMostAt: stats.Number(s.QueuedMostAt),
	}
}

// lineRows is how many stretches of time the table for people shows.
const lineRows = 12

func (r *simulateRun) result() result {
	o, whole := &r.o, r.watch.whole.Result()
	js := simulateJSON{
		Schema: "loadstone.simulate/1", Log: workload.Summary{Name: o.input, Jobs: int(r.jobs)}, Policy: o.policy, Queues: o.queues,
		Corrected: o.correct, Killed: o.kill, Tau: stats.Number(whole.Tau), Whole: scheduleOf(whole, nil),
	}
	if r.policy.UsesEstimates() {
		js.Estimates = o.estimates
		if o.predicts() {
			js.Classes = o.classes
		}
	}
	for _, p := range whole.Line {
		js.Line = append(js.Line, schedLineJSON{stats.Number(p.From), stats.Number(p.To), stats.Number(p.QueuedMean), p.QueuedMost, stats.Number(p.BusyMean / float64(whole.Processors))})
	}
	csv := present.Table{Head: []string{"partition", "jobs", "processors", "first_submit_s", "last_end_s"}}
	for _, what := range []string{"wait_s", "response_s", "bounded_slowdown"} {
		for _, q := range []string{"mean", "median", "q90", "q95", "max"} {
			csv.Head = append(csv.Head, what+"_"+q)
		}
	}
	csv.Head = append(csv.Head, "waited_pct", "utilisation", "queued_mean", "queued_most", "queued_most_at_s")
	csv.Add(js.Whole.cells("")...)
	sites := present.Table{Head: []string{"site", "processors", "jobs", "wait mean", "median", "slowdown mean", "utilisation", "queued mean", "most"}}
	for _, x := range r.watch.sites {
		name := "unknown"
		partition := &x.partition
		if x.partition == workload.Unknown {
			partition = nil
		} else {
			name = strconv.FormatInt(x.partition, 10)
		}
		s := x.Result()
		one := scheduleOf(s, partition)
		js.Sites = append(js.Sites, one)
		csv.Add(one.cells(name)...)
		sites.Add(name, strconv.FormatInt(s.Processors, 10), strconv.Itoa(s.Jobs), present.Sig(s.Wait.Mean)+" s", present.Sig(s.Wait.Median)+" s",
			present.Sig(s.BoundedSlowdown.Mean), present.Percent(100*s.Utilisation), present.Sig(s.QueuedMean), strconv.Itoa(s.QueuedMost))
	}
	return result{json: js, csv: csv, text: func(w io.Writer) error { return r.print(w, whole, sites) }}
}

// cells are those of a row of CSV.
func (s scheduleJSON) cells(partition string) []string {
	row := []string{partition, strconv.Itoa(s.Jobs), strconv.FormatInt(s.Processors, 10), present.Full(s.First), present.Full(s.Last)}
	for _, x := range []spreadJSON{s.Wait, s.Response, s.Slowdown} {
		row = append(row, present.Full(x.Mean), present.Full(x.Median), present.Full(x.Q90), present.Full(x.Q95), present.Full(x.Max))
	}
	return append(row, present.Full(s.Waited), present.Full(s.Utilisation), present.Full(s.QueuedMean), strconv.Itoa(s.QueuedMost), present.Full(s.QueuedMostAt))
}

// print writes the result for people.
func (r *simulateRun) print(w io.Writer, s score.Schedule, sites present.Table) error {
	if _, err := fmt.Fprintf(w, "%s: %d jobs, utilisation %s, %s waited\n\n", r.describe(), s.Jobs, present.Percent(100*s.Utilisation), present.Percent(s.WaitedPct)); err != nil {
		return err
	}
	people := present.Table{Head: []string{"", "mean", "median", "90%", "95%", "max"}}
	for _, row := range []struct {
		name, unit string
		score.Spread
	}{{"wait", " s", s.Wait}, {"response time", " s", s.Response}, {fmt.Sprintf("bounded slowdown (tau %s s)", present.Sig(s.Tau)), "", s.BoundedSlowdown}} {
		people.Add(row.name, present.Sig(row.Mean)+row.unit, present.Sig(row.Median)+row.unit, present.Sig(row.Q90)+row.unit, present.Sig(row.Q95)+row.unit, present.Sig(row.Max)+row.unit)
	}
	if err := people.WriteTable(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "\nqueued: %s on average, at most %d\n\n", present.Sig(s.QueuedMean), s.QueuedMost); err != nil {
		return err
	}
	line := present.Table{Head: []string{"from day", "to", "queued", "at most", "utilisation"}}
	const day = 86400
	for _, p := range score.Coarser(s.Line, lineRows) {
		line.Add(present.Fixed((p.From-s.First)/day, 1), present.Fixed((p.To-s.First)/day, 1), present.Sig(p.QueuedMean), strconv.Itoa(p.QueuedMost), present.Percent(100*p.BusyMean/float64(s.Processors)))
	}
	if err := line.WriteTable(w); err != nil || len(sites.Rows) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return sites.WriteTable(w)
}
