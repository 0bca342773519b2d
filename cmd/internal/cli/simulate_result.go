package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
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
	Schema    string          `json:"schema"`
	Log       logJSON         `json:"log"`
	Policy    string          `json:"policy"`
	Queues    []int64         `json:"queues,omitempty"`
	Estimates string          `json:"estimates,omitempty"`
	Classes   string          `json:"classes,omitempty"`
	Corrected bool            `json:"corrected"`
	Killed    bool            `json:"killed_at_estimate"`
	Tau       number          `json:"tau_s"`
	Whole     scheduleJSON    `json:"schedule"`
	Sites     []scheduleJSON  `json:"sites,omitempty"`
	Line      []schedLineJSON `json:"over_time"`
}

type scheduleJSON struct {
	Partition    *int64     `json:"partition,omitempty"`
	Jobs         int        `json:"jobs"`
	Processors   int64      `json:"processors"`
	First        number     `json:"first_submit_s"`
	Last         number     `json:"last_end_s"`
	Wait         spreadJSON `json:"wait_s"`
	Response     spreadJSON `json:"response_s"`
	Slowdown     spreadJSON `json:"bounded_slowdown"`
	Waited       number     `json:"waited_pct"`
	Utilisation  number     `json:"utilisation"`
	QueuedMean   number     `json:"queued_mean"`
	QueuedMost   int        `json:"queued_most"`
	QueuedMostAt number     `json:"queued_most_at_s"`
}

type spreadJSON struct {
	Mean   number `json:"mean"`
	Median number `json:"median"`
	Q90    number `json:"q90"`
	Q95    number `json:"q95"`
	Max    number `json:"max"`
}

type schedLineJSON struct {
	From        number `json:"from_s"`
	To          number `json:"to_s"`
	QueuedMean  number `json:"queued_mean"`
	QueuedMost  int    `json:"queued_most"`
	Utilisation number `json:"utilisation"`
}

func spreadOf(s score.Spread) spreadJSON {
	return spreadJSON{number(s.Mean), number(s.Median), number(s.Q90), number(s.Q95), number(s.Max)}
}

func scheduleOf(s score.Schedule, partition *int64) scheduleJSON {
	return scheduleJSON{
		Partition: partition, Jobs: s.Jobs, Processors: s.Processors, First: number(s.First), Last: number(s.Last),
		Wait: spreadOf(s.Wait), Response: spreadOf(s.Response), Slowdown: spreadOf(s.BoundedSlowdown), Waited: number(s.WaitedPct),
		Utilisation: number(s.Utilisation), QueuedMean: number(s.QueuedMean), QueuedMost: s.QueuedMost, QueuedMostAt: number(s.QueuedMostAt),
	}
}

// lineRows is how many stretches of time the table for people shows.
const lineRows = 12

func (r *simulateRun) result() result {
	o, whole := &r.o, r.watch.whole.Result()
	js := simulateJSON{
		Schema: "loadstone.simulate/1", Log: logJSON{Name: o.input, Jobs: int(r.jobs)}, Policy: o.policy, Queues: o.queues,
		Corrected: o.correct, Killed: o.kill, Tau: number(whole.Tau), Whole: scheduleOf(whole, nil),
	}
	if r.policy.UsesEstimates() {
		js.Estimates = o.estimates
		if o.predicts() {
			js.Classes = o.classes
		}
	}
	for _, p := range whole.Line {
		js.Line = append(js.Line, schedLineJSON{number(p.From), number(p.To), number(p.QueuedMean), p.QueuedMost, number(p.BusyMean / float64(whole.Processors))})
	}
	csv := table{head: []string{"partition", "jobs", "processors", "first_submit_s", "last_end_s"}}
	for _, what := range []string{"wait_s", "response_s", "bounded_slowdown"} {
		for _, q := range []string{"mean", "median", "q90", "q95", "max"} {
			csv.head = append(csv.head, what+"_"+q)
		}
	}
	csv.head = append(csv.head, "waited_pct", "utilisation", "queued_mean", "queued_most", "queued_most_at_s")
	csv.add(js.Whole.cells("")...)
	sites := table{head: []string{"site", "processors", "jobs", "wait mean", "median", "slowdown mean", "utilisation", "queued mean", "most"}}
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
		csv.add(one.cells(name)...)
		sites.add(name, strconv.FormatInt(s.Processors, 10), strconv.Itoa(s.Jobs), sig(s.Wait.Mean)+" s", sig(s.Wait.Median)+" s",
			sig(s.BoundedSlowdown.Mean), percent(100*s.Utilisation), sig(s.QueuedMean), strconv.Itoa(s.QueuedMost))
	}
	return result{json: js, csv: csv, text: func(w io.Writer) error { return r.print(w, whole, sites) }}
}

// cells are those of a row of CSV.
func (s scheduleJSON) cells(partition string) []string {
	row := []string{partition, strconv.Itoa(s.Jobs), strconv.FormatInt(s.Processors, 10), s.First.text(), s.Last.text()}
	for _, x := range []spreadJSON{s.Wait, s.Response, s.Slowdown} {
		row = append(row, x.Mean.text(), x.Median.text(), x.Q90.text(), x.Q95.text(), x.Max.text())
	}
	return append(row, s.Waited.text(), s.Utilisation.text(), s.QueuedMean.text(), strconv.Itoa(s.QueuedMost), s.QueuedMostAt.text())
}

// print writes the result for people.
func (r *simulateRun) print(w io.Writer, s score.Schedule, sites table) error {
	if _, err := fmt.Fprintf(w, "%s: %d jobs, utilisation %s, %s waited\n\n", r.describe(), s.Jobs, percent(100*s.Utilisation), percent(s.WaitedPct)); err != nil {
		return err
	}
	people := table{head: []string{"", "mean", "median", "90%", "95%", "max"}}
	for _, row := range []struct {
		name, unit string
		score.Spread
	}{{"wait", " s", s.Wait}, {"response time", " s", s.Response}, {fmt.Sprintf("bounded slowdown (tau %s s)", sig(s.Tau)), "", s.BoundedSlowdown}} {
		people.add(row.name, sig(row.Mean)+row.unit, sig(row.Median)+row.unit, sig(row.Q90)+row.unit, sig(row.Q95)+row.unit, sig(row.Max)+row.unit)
	}
	if err := people.writeTo(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "\nqueued: %s on average, at most %d\n\n", sig(s.QueuedMean), s.QueuedMost); err != nil {
		return err
	}
	line := table{head: []string{"from day", "to", "queued", "at most", "utilisation"}}
	const day = 86400
	for _, p := range score.Coarser(s.Line, lineRows) {
		line.add(fixed((p.From-s.First)/day, 1), fixed((p.To-s.First)/day, 1), sig(p.QueuedMean), strconv.Itoa(p.QueuedMost), percent(100*p.BusyMean/float64(s.Processors)))
	}
	if err := line.writeTo(w); err != nil || len(sites.rows) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return sites.writeTo(w)
}
