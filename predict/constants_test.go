package predict

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
)

// boundLog is a log, or a piece of one, of docs/findings/waits.md: the jobs from one to before
// another, of which a negative number counts from the end.
type boundLog struct {
	name, log string
	from, to  int
}

func boundLogs() []boundLog {
	const ricc = "RICC-2010-2.swf.gz"
	return []boundLog{
		{"KTH-SP2-1996", "KTH-SP2-1996-2.1-cln.swf.gz", 0, math.MaxInt},
		{"SDSC-Par-1996", "SDSC-Par-1996-3.1-cln.swf.gz", 0, math.MaxInt},
		{"UniLu-Gaia-2014", "UniLu-Gaia-2014-1.swf.gz", 0, math.MaxInt},
		{"METACENTRUM-2013", "METACENTRUM-wagap-2013.21-fields.swf.gz", 0, math.MaxInt},
		{"ANL-Theta-2023", "ANL-Theta-2023.crlf-unsorted.swf.gz", 0, math.MaxInt},
		{"HPC_KRC", "", 0, math.MaxInt},
		{"RICC-2010, first 60,000", ricc, 0, 60_000},
		{"from 100,000", ricc, 100_000, 160_000},
		{"from 193,000", ricc, 193_000, 253_000},
		{"from 300,000", ricc, 300_000, 360_000},
		{"last 60,000", ricc, -60_000, math.MaxInt},
	}
}

func (l boundLog) jobs(t *testing.T) (jobs []workload.Job) {
	if l.log == "" {
		jobs = jobsOfKRC(t)
	} else {
		jobs = jobtest.InOrder(t, l.log)
	}
	jobs = slices.DeleteFunc(jobs, func(j workload.Job) bool { return !HasWait(&j) })
	if l.from < 0 {
		l.from += len(jobs)
	}
	return jobs[l.from:min(l.to, len(jobs))]
}

// jobsOfKRC returns the jobs of a log of another form: the times between submissions, run times,
// processors requested and used, and waits.
func jobsOfKRC(t *testing.T) (jobs []workload.Job) {
	file, err := os.Open(reallogs.Path(t, "other/hpcwld-HPC_KRC.csv"))
	jobtest.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	jobtest.NoError(t, err)
	now := 0.0
	for i, row := range rows[1:] {
		var x [5]float64
		for k := range x {
			x[k], err = strconv.ParseFloat(row[k], 64)
			jobtest.NoError(t, err)
		}
		now += x[0]
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Run, j.Wait = int64(i+1), int64(i), now, x[1], x[4]
		j.Processors, j.Size = int64(x[2]), int64(x[2])
		jobs = append(jobs, j)
	}
	return jobs
}

var boundQuantiles = []float64{0.5, 0.8, 0.95, 0.99}

// heardLog is what a log tells of its jobs to what chooses a bound from those of BMBP, QBETS
// and the forest, which do not depend on the choice.
type heardLog struct {
	watched []*combined // by quantile
	events  []heardEvent
	jobs    int
}

// heardEvent is a submission, or a start where the wait is known.
type heardEvent struct {
	row       int64
	now, wait float64
	given     givenBounds  // the conformal's
	past      [][2]float64 // by quantile, of BMBP and QBETS
}

func (*heardLog) Name() string                           { return "heard" }
func (*heardLog) Predict(workload.Request) (Bound, bool) { return NoBound(), false }
func (*heardLog) Ended(workload.Request, float64)        {}

func (h *heardLog) Submitted(r workload.Request) {
	e := heardEvent{row: r.Row, now: r.Submit, wait: math.NaN(), given: *h.watched[0].waiting[r.Row]}
	for _, b := range h.watched {
		past := b.given[r.Row].past
		e.past = append(e.past, [2]float64{past[0].Seconds, past[1].Seconds})
	}
	h.events = append(h.events, e)
	h.jobs++
}

func (h *heardLog) Observe(j workload.Job, _ Bound) {
	h.events = append(h.events, heardEvent{row: j.Row, now: j.Start(), wait: j.Wait})
}

func hear(t *testing.T, jobs []workload.Job) *heardLog {
	t.Helper()
	all, err := NewBounds([]string{CombinedBound}, boundQuantiles, 0.95, BoundOptions{})
	jobtest.NoError(t, err)
	h := &heardLog{}
	for _, b := range all {
		h.watched = append(h.watched, b.(*combined))
	}
	for _, err := range replayBounds(stream(jobs), append(all, h)...) {
		jobtest.NoError(t, err)
	}
	h.watched = nil
	return h
}

// constants are those of the choice.
type constants struct {
	steps    controlSteps
	weighing weighing
}

// boundWorth is what combined is worth at a quantile: its pinball loss over the better of BMBP's
// and QBETS', its coverage, and how many groups of 500 jobs it covers less than the quantile less
// 0.05.
type boundWorth struct {
	ratio, covered float64
	weak, groups   int
}

// worth returns what combined is worth with other constants, by quantile.
func (h *heardLog) worth(k constants) (worth []boundWorth) {
	type givenJob struct {
		experts []expertBounds
		past    [][2]float64
		seconds []float64
		number  int
	}
	c := &conformal{quantiles: boundQuantiles, waiting: map[int64]*givenBounds{}}
	var mixtures []mixture
	for range boundQuantiles {
		c.controls = append(c.controls, newControl(k.steps))
		mixtures = append(mixtures, mixture{weighing: k.weighing})
	}
	given := map[int64]*givenJob{}
	held := make([][]float64, len(boundQuantiles)) // by quantile and job: 1 if its bound held, NaN if it is not scored
	loss := make([][3]float64, len(boundQuantiles))
	for i := range held {
		held[i] = make([]float64, h.jobs)
	}
	number := 0
	for _, e := range h.events {
		c.advance(e.now)
		if math.IsNaN(e.wait) {
			g := e.given
			g.missed = make([]bool, len(boundQuantiles))
			if len(g.paths) > 0 {
				g.bounds = c.steer(nil, g.user, g.paths)
			}
			c.give(e.row, &g)
			j := &givenJob{past: e.past, number: number}
			number++
			for i, past := range e.past {
				x := expertBounds{past[0], past[1], g.bounds[i].Seconds}
				mixtures[i].complete(boundQuantiles[i], &x)
				j.experts, j.seconds = append(j.experts, x), append(j.seconds, mixtures[i].bound(&x))
			}
			given[e.row] = j
			continue
		}
		g, j := c.waiting[e.row], given[e.row]
		delete(c.waiting, e.row)
		delete(given, e.row)
		c.judge(g, e.wait)
		for i, q := range boundQuantiles {
			if !math.IsNaN(j.seconds[i]) {
				mixtures[i].learn(q, &j.experts[i], e.wait)
			}
			held[i][j.number] = math.NaN()
			if j.number >= h.jobs/TrainingPart && !math.IsNaN(j.past[i][0]+j.past[i][1]) {
				held[i][j.number] = map[bool]float64{true: 1}[e.wait <= j.seconds[i]]
				for n, bound := range []float64{j.seconds[i], j.past[i][0], j.past[i][1]} {
					loss[i][n] += pinball(q, bound, e.wait)
				}
			}
		}
	}
	for i, q := range boundQuantiles {
		scored := slices.DeleteFunc(held[i], math.IsNaN)
		w := boundWorth{ratio: loss[i][0] / min(loss[i][1], loss[i][2])}
		for group := range slices.Chunk(scored, 500) {
			share := 0.0
			for _, x := range group {
				share += x / float64(len(group))
				w.covered += x / float64(len(scored))
			}
			if len(group) == 500 {
				w.groups++
				if share < q-0.05 {
					w.weak++
				}
			}
		}
		worth = append(worth, w)
	}
	return worth
}

// meanLog is the mean of the logarithms of the ratios, over logs and quantiles.
func meanLog(of [][]boundWorth) float64 {
	sum := 0.0
	for _, worth := range of {
		for _, w := range worth {
			sum += math.Log(w.ratio) / float64(len(of)*len(worth))
		}
	}
	return sum
}

// The constants of combined, each with others in its place, and what it is worth on each log with
// constants that are each chosen on the other logs: the tables of docs/findings/waits.md.
func TestFindingConstants(t *testing.T) {
	longtest.Only(t)
	var logs []*heardLog
	for _, l := range boundLogs() {
		logs = append(logs, hear(t, l.jobs(t)))
	}
	checkConstants(t, logs)
}

func checkConstants(t *testing.T, logs []*heardLog) {
	inUse := constants{chosenSteps, chosenWeighing}
	choices := []struct {
		name   string
		values []float64 // the second is in use
		set    func(k *constants, x float64)
	}{
		{"step of all jobs", []float64{0.00109, 0.00218, 0.00436}, func(k *constants, x float64) { k.steps.all = x }},
		{"step of a user", []float64{0.00436, 0.00872, 0.01744}, func(k *constants, x float64) { k.steps.user = x }},
		{"margin", []float64{0, 0.023, 0.046}, func(k *constants, x float64) { k.steps.margin = x }},
		{"half-life, starts", []float64{10_000, 30_000, 100_000}, func(k *constants, x float64) { k.weighing.remembered = math.Pow(0.5, 1/x) }},
		{"share of `bmbp` times 1-q", []float64{0.001, 0.002, 0.004}, func(k *constants, x float64) { k.weighing.bmbp = x }},
	}
	// By choice, value and log.
	worth := make([][][][]boundWorth, len(choices))
	var base [][]boundWorth
	for _, l := range logs {
		base = append(base, l.worth(inUse))
	}
	for i, c := range choices {
		row := "| " + c.name
		for n, x := range c.values {
			of := base
			if n != 1 {
				k := inUse
				c.set(&k, x)
				of = nil
				for _, l := range logs {
					of = append(of, l.worth(k))
				}
			}
			worth[i] = append(worth[i], of)
			row += fmt.Sprintf(" | %.4g: %.3f", x, math.Exp(meanLog(of)))
		}
		t.Log(row + " |")
		papers.Page(t, "findings/waits.md", row+" |")
	}
	for l, log := range logs {
		k, differ := inUse, []string{}
		for i, c := range choices {
			best, least := 0, math.Inf(1)
			for n := range c.values {
				others := slices.Delete(slices.Clone(worth[i][n]), l, l+1)
				if loss := meanLog(others); loss < least {
					best, least = n, loss
				}
			}
			if best != 1 {
				differ = append(differ, fmt.Sprintf("%s %.4g", c.name, c.values[best]))
			}
			c.set(&k, c.values[best])
		}
		w := log.worth(k)
		if at95 := w[2]; !(at95.ratio <= 0.9) || at95.covered < 0.94 || at95.covered > 0.98 {
			t.Errorf("%s: at 0.95 %.3f of the better rival's loss, covers %.4f", boundLogs()[l].name, at95.ratio, at95.covered)
		}
		row := fmt.Sprintf("| %s | %.1f | %d of %d", boundLogs()[l].name, 100*w[2].covered, w[2].weak, w[2].groups)
		for _, w := range w {
			row += fmt.Sprintf(" | %.2f", w.ratio)
			if !(w.ratio < 1) {
				t.Errorf("%s: %.3f of the better rival's loss", boundLogs()[l].name, w.ratio)
			}
		}
		row += " | " + strings.Join(differ, ", ") + " |"
		t.Log(row)
		papers.Page(t, "findings/waits.md", row)
	}
}

// What is chosen with the constants in use is what combined gives.
func TestConstantsInUse(t *testing.T) {
	jobs := queueOf(2500, 2)
	ratios, covered := combinedScores(t, jobs, boundQuantiles...)
	for i, w := range hear(t, jobs).worth(constants{chosenSteps, chosenWeighing}) {
		if math.Abs(w.ratio-ratios[i]) > 1e-9 || math.Abs(w.covered-covered[i]) > 1e-9 {
			t.Errorf("quantile %g: %+v, want %.6f and %.6f", boundQuantiles[i], w, ratios[i], covered[i])
		}
	}
}
