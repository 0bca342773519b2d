package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
)

type nowJSON struct {
	Schema      string          `json:"schema"`
	State       nowStateJSON    `json:"state"`
	History     nowHistoryJSON  `json:"history"`
	Request     nowRequestJSON  `json:"request"`
	Policy      string          `json:"policy"`
	Queues      []int64         `json:"queues,omitempty"`
	Lifetimes   *lifetimesJSON  `json:"lifetimes"`
	Confidence  float64         `json:"confidence"`
	Predictions []nowRowJSON    `json:"predictions"`
	LeftOut     []nowMissJSON   `json:"left_out"`
	Turnarounds []nowChoiceJSON `json:"turnarounds,omitempty"`
}

type nowStateJSON struct {
	Name       string       `json:"name"`
	Now        stats.Number `json:"now_s"` // of the state's clock
	Time       string       `json:"time,omitempty"`
	Processors int64        `json:"processors"`
	Free       int64        `json:"free_processors"`
	Running    int          `json:"running"`
	Queued     int          `json:"queued"`
}

type nowHistoryJSON struct {
	Logs  []string `json:"logs"`
	Ended int      `json:"ended"`
	Waits int      `json:"waits"`
}

type nowRequestJSON struct {
	Processors []int64      `json:"processors"`
	Time       stats.Number `json:"requested_time_s"`
	Queue      string       `json:"queue,omitempty"`
	User       string       `json:"user,omitempty"`
}

type nowRowJSON struct {
	Processors   int64          `json:"processors"`
	Predictor    string         `json:"predictor"`
	Expected     stats.Number   `json:"expected_s"`
	Bounds       []nowBoundJSON `json:"bounds"`
	Observations int            `json:"observations"`
	Group        string         `json:"group,omitempty"`
}

type nowBoundJSON struct {
	Quantile float64      `json:"quantile"`
	Seconds  stats.Number `json:"bound_s"`
	Achieved stats.Number `json:"achieved_confidence"`
}

type nowMissJSON struct {
	Predictor  string  `json:"predictor"`
	Processors []int64 `json:"processors"`
	Why        string  `json:"why"`
}

type nowChoiceJSON struct {
	Predictor string        `json:"predictor"`
	Least     *int64        `json:"least_turnaround_processors"`
	Sizes     []nowSizeJSON `json:"sizes"`
}

type nowSizeJSON struct {
	Processors int64        `json:"processors"`
	Wait       stats.Number `json:"wait_s"`
	Run        stats.Number `json:"run_time_s"`
	Turnaround stats.Number `json:"turnaround_s"`
}

func (r *nowRun) result() result {
	s := r.state
	limit := stats.Number(math.NaN())
	if r.o.now.limit > 0 {
		limit = stats.Number(r.o.now.limit)
	}
	js := nowJSON{
		Schema: "loadstone.predict-now/1",
		State: nowStateJSON{Name: r.o.now.state, Now: stats.Number(s.now), Processors: s.processors, Free: s.snapshot.Free(),
			Running: len(s.snapshot.Running), Queued: len(s.snapshot.Queued)},
		History:    nowHistoryJSON{r.o.now.history, r.history.ended, r.history.waits},
		Request:    nowRequestJSON{r.o.now.sizes, limit, r.o.now.queue, r.o.now.user},
		Policy:     r.o.now.policy,
		Queues:     r.o.now.queues,
		Confidence: r.o.confidence,
		LeftOut:    []nowMissJSON{},
	}
	if js.History.Logs == nil {
		js.History.Logs = []string{}
	}
	if dated(s.clock, s.now) {
		js.State.Time = s.clock.At(s.now).Format(time.RFC3339)
	}
	if r.law != nil {
		js.Lifetimes = lifetimesJSONOf(r.law)
	}
	csv := present.Table{Head: []string{"processors", "predictor", "expected_s", "quantile", "bound_s", "achieved_confidence", "observations", "group"}}
	people := present.Table{Head: []string{"processors", "predictor", "expected"}}
	for _, q := range nowQuantiles {
		people.Head = append(people.Head, percentShort(q)+" wait at most")
	}
	people.Head = append(people.Head, "from")
	for _, size := range r.o.now.sizes { // sizes first: a user asks about those
		for _, row := range r.rows {
			if row.processors != size {
				continue
			}
			j := nowRowJSON{Processors: size, Predictor: row.predictor, Expected: stats.Number(row.expected), Bounds: []nowBoundJSON{}, Observations: row.observations, Group: row.group}
			cells := []string{strconv.FormatInt(size, 10), row.predictor, seconds(row.expected)}
			left := []string{cells[0], row.predictor, present.Full(j.Expected)}
			for i := range nowQuantiles {
				if i >= len(row.bounds) {
					cells = append(cells, "-")
					continue
				}
				b := row.bounds[i]
				x := nowBoundJSON{b.Quantile, stats.Number(b.Seconds), stats.Number(b.Achieved)}
				j.Bounds = append(j.Bounds, x)
				csv.Add(left[0], left[1], left[2], present.Full(b.Quantile), present.Full(x.Seconds), present.Full(x.Achieved), strconv.Itoa(row.observations), row.group)
				cell := seconds(b.Seconds)
				if !math.IsNaN(b.Seconds) && !math.IsNaN(b.Achieved) {
					cell += " (" + present.Percent(100*b.Achieved) + ")"
				}
				cells = append(cells, cell)
			}
			if len(row.bounds) == 0 {
				csv.Add(left[0], left[1], left[2], "", "", "", strconv.Itoa(row.observations), row.group)
			}
			js.Predictions = append(js.Predictions, j)
			people.Add(append(cells, strconv.Itoa(row.observations))...)
		}
	}
	for _, m := range r.missing {
		js.LeftOut = append(js.LeftOut, nowMissJSON{m.predictor, m.sizes, m.why})
	}
	for _, c := range r.choices {
		j := nowChoiceJSON{Predictor: c.predictor}
		if c.best >= 0 {
			j.Least = &c.choices[c.best].Size
		}
		for _, x := range c.choices {
			j.Sizes = append(j.Sizes, nowSizeJSON{x.Size, stats.Number(x.Wait), stats.Number(x.Run), stats.Number(x.Turnaround)})
		}
		js.Turnarounds = append(js.Turnarounds, j)
	}
	return result{json: js, csv: csv, text: func(w io.Writer) error { return r.print(w, people) }}
}

// print writes the result for people.
func (r *nowRun) print(w io.Writer, people present.Table) error {
	s := r.state
	running, queued := len(s.snapshot.Running), len(s.snapshot.Queued)
	line := fmt.Sprintf("at %s: %d %s on %d of %d processors, %d %s; policy %s; history: %d ended, %d waits",
		s.when(), running, present.Plural(running, "job runs", "jobs run"), s.processors-s.snapshot.Free(), s.processors,
		queued, present.Plural(queued, "waits", "wait"), r.o.now.policy, r.history.ended, r.history.waits)
	if _, err := fmt.Fprintf(w, "%s\n\n", line); err != nil {
		return err
	}
	if err := people.WriteTable(w); err != nil {
		return err
	}
	if len(r.choices) > 0 {
		if err := r.printChoices(w); err != nil {
			return err
		}
	}
	for i, m := range r.missing {
		if i == 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		sizes := ""
		if len(m.sizes) < len(r.o.now.sizes) {
			var list []string
			for _, n := range m.sizes {
				list = append(list, strconv.FormatInt(n, 10))
			}
			sizes = " for " + strings.Join(list, ", ") + " processors"
		}
		if _, err := fmt.Fprintf(w, "no %s%s: %s\n", m.predictor, sizes, m.why); err != nil {
			return err
		}
	}
	return nil
}

func (r *nowRun) printChoices(w io.Writer) error {
	t := present.Table{Head: []string{"processors", "run time"}}
	for _, c := range r.choices {
		t.Head = append(t.Head, "turnaround by "+c.predictor)
	}
	for i, n := range r.o.now.sizes {
		cells := []string{strconv.FormatInt(n, 10), seconds(r.run(n))}
		for _, c := range r.choices {
			cell := seconds(c.choices[i].Turnaround)
			if i == c.best {
				cell += " least"
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return t.WriteTable(w)
}

// seconds writes a time for people.
func seconds(x float64) string {
	if text := present.Sig(x); text != "-" {
		return text + " s"
	}
	return "-"
}

// percentShort is a share in per cent without decimals that say nothing.
func percentShort(x float64) string { return strconv.FormatFloat(100*x, 'g', -1, 64) + "%" }
