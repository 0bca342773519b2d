package live_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// running is a job on 8 of 10 processors that started at 100 s and requested 2000 s.
const running = `; MaxProcs: 10
11 0 100 -1 8 -1 -1 8 2000 -1 -1 1 1 1 1 1 -1 -1
`

// ended returns 60 jobs of one processor with waits of 1 to 60 s.
func ended() string {
	text := "; MaxProcs: 10\n"
	for i := 1; i <= 60; i++ {
		text += fmt.Sprintf("%d %d %d %d 1 -1 -1 1 100 -1 1 2 1 1 1 1 -1 -1\n", 100+i, i, i, i)
	}
	return text
}

// query returns the default query for the given state, history and time.
func query(t *testing.T, at, state, history string, sizes ...int64) live.Query {
	t.Helper()
	q := live.DefaultQuery()
	for i, text := range []string{state, history} {
		log, err := logfile.OpenReader([]string{"state", "history"}[i], strings.NewReader(text), workload.Options{TimeZone: "Europe/Zurich"})
		if err == nil {
			err = errors.Join(q.Logs.Add(t.Context(), log), log.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	q.At, q.Sizes = at, sizes
	return q
}

func ask(t *testing.T, q live.Query) *live.Answers {
	t.Helper()
	return jobtest.Must(live.Ask(t.Context(), q))
}

func row(t *testing.T, a *live.Answers, size int64, predictor string) live.Row {
	t.Helper()
	for _, p := range a.Rows() {
		if p.Size == size && p.Predictor == predictor {
			return p
		}
	}
	t.Fatalf("no prediction by %s for %d processors in %+v", predictor, size, a.Rows())
	return live.Row{}
}

// A job on 8 of 10 processors has run for 100 s of the 2000 s it requested. A request for 2 starts
// at once; one for 4 after the job's end, by the estimate in 1900 s. The 60 past waits of jobs of
// up to 4 processors are 1 to 60 s: their bounds are the 37th, the 54th and the 60th (R:
// qbinom(0.95, 60, q) + 1), with confidence pbinom(k-1, 60, q).
func TestAskByHand(t *testing.T) {
	q := query(t, "200", running, ended(), 2, 4)
	q.Time, q.Policy = 500, "fcfs"
	a := ask(t, q)
	if m := a.Answers[0].State; m.Free != 2 || m.Running != 1 || m.Pending != 0 || a.Past.Ended != 60 || a.Past.Waits != 61 {
		t.Errorf("state %+v, past %+v", m, a.Past)
	}
	for _, p := range []string{"downey-b-queue", "drawn", "simulated", "estimates"} {
		if r := row(t, a, 2, p); r.Expected != 0 {
			t.Errorf("%s: 2 free processors in %g s", p, r.Expected)
		}
	}
	if r := row(t, a, 4, "estimates"); r.Expected != 1900 || len(r.Bounds) != 3 || r.Bounds[0].Seconds != 1900 || !math.IsNaN(float64(r.Bounds[0].Achieved)) {
		t.Errorf("estimates: %+v, want 1900 s, a bound", r)
	}
	for i, want := range []live.Bound{{Quantile: 0.5, Seconds: 37, Achieved: 0.9538}, {Quantile: 0.8, Seconds: 54, Achieved: 0.9692}, {Quantile: 0.95, Seconds: 60, Achieved: 0.9539}} {
		if got := row(t, a, 4, "bmbp").Bounds[i]; got.Quantile != want.Quantile || got.Seconds != want.Seconds || math.Abs(float64(got.Achieved-want.Achieved)) > 5e-5 {
			t.Errorf("bmbp: %+v, want %+v", got, want)
		}
	}
	// Predictor B with the lifetime distribution: beyond t_max = 65.6 s, survival for t more
	// seconds is age / (age + t), with an age of 100 s, so that 8 t/(100+t) = 2.
	if r := row(t, a, 4, "downey-b-queue"); math.Abs(float64(r.Expected)-100./3) > 1e-6 {
		t.Errorf("B: %g s, want 33.3", r.Expected)
	}
	// Confidence is given only for bounds from past waits: for the others it would claim more than
	// was measured.
	for predictor, promised := range map[string]bool{"drawn": false, "estimates": false, "bmbp": true} {
		for _, b := range row(t, a, 4, predictor).Bounds {
			if math.IsNaN(float64(b.Seconds)) || math.IsNaN(float64(b.Achieved)) == promised {
				t.Errorf("%s: %+v, want a bound, with a confidence: %v", predictor, b, promised)
			}
		}
	}
}

// Names in a squeue listing and a sacct log are matched by their text, and times by their dates.
func TestAskOfSlurm(t *testing.T) {
	state := `JOBID|USER|QOS|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|long|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
8|alice|short|PENDING|2024-05-31T10:30:00|N/A|0:00|1:00:00|100|Resources
`
	text := "JobID|User|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n"
	for i := range 80 {
		queue, wait := "short", 5
		if i%2 == 1 {
			queue, wait = "long", 50
		}
		text += fmt.Sprintf("%d|alice|%s|COMPLETED|2024-05-30T10:%02d:00|2024-05-30T10:%02d:%02d|2024-05-30T12:00:00|%d|120|4\n", 100+i, queue, i%60, i%60, wait, 600+i)
	}
	q := query(t, "", state, text, 4)
	q.Groups, q.Processors = []string{"queue_id"}, 100
	var a *live.Answers
	for queue, want := range map[string]stats.Number{"short": 5, "long": 50} {
		q.Queue = queue
		a = ask(t, q)
		if got := row(t, a, 4, "bmbp").Bounds[0].Seconds; got != want {
			t.Errorf("queue %s: %g s, want %g", queue, got, want)
		}
	}
	if m := a.Answers[0].State; m.Time.Format(time.RFC3339) != "2024-05-31T11:00:30+02:00" || m.Running != 1 || m.Pending != 1 || a.Past.Ended != 80 {
		t.Errorf("state %+v, past %+v", m, a.Past)
	}
	// Job 7 ends at its limit at 12:00:30, in an hour; job 8 then holds all processors for an hour.
	// Backfilling can use the 4 processors that job 7 leaves free for an hour.
	q.Policy, q.Queue = "fcfs", ""
	if got := row(t, ask(t, q), 4, "estimates"); got.Expected != 7200 {
		t.Errorf("estimates: %+v, want 7200 s", got)
	}
	q.Policy, q.Time = "easy", 3600
	if got := row(t, ask(t, q), 4, "estimates"); got.Expected != 0 {
		t.Errorf("an hour: %+v, want a start at once", got)
	}
	q.Queue = "medium"
	if _, err := live.Ask(t.Context(), q); jobtest.OptionOf(err) != "queue" || !strings.Contains(err.Error(), "long, short") {
		t.Errorf("unknown queue: %v", err)
	}
}

// A query that the logs do not support gives a warning. A log of jobs without waits has no queue,
// so its answers assume an empty one.
func TestAskWarns(t *testing.T) {
	const header = "; MaxProcs: 10\n"
	job := func(wait string) string { return "1 100 " + wait + " 200 4 -1 -1 4 300 -1 1 1 1 1 1 1 -1 -1\n" }
	for _, c := range []struct{ user, state, want string }{
		{"ann", running, "unseen-user"},
		{"1", running, ""},
		{"", header + job("-1"), "no-waits"},
		{"", header + job("0"), ""},
		{"", header + job("-1") + "2 110 -1 -1 4 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1\n", ""}, // a job waits
	} {
		q := query(t, "150", c.state, ended(), 2)
		q.User, q.Predictors = c.user, []string{"downey-b-queue", "bmbp"}
		if got := strings.Join(jobtest.Rules(ask(t, q).Warnings), " "); got != c.want {
			t.Errorf("user %q of %q: warnings %s, want %s", c.user, c.state, got, c.want)
		}
	}
}

func TestAskErrors(t *testing.T) {
	const header = "; MaxProcs: 10\n"
	q := query(t, "200", strings.TrimPrefix(running, header), strings.TrimPrefix(ended(), header), 2)
	if a, err := live.Ask(t.Context(), q); !errors.Is(err, live.ErrNoProcessors) || a == nil {
		t.Errorf("no machine: %v, %v", a, err)
	}
	q = query(t, "200", running, header, 2)
	q.Predictors = []string{"bmbp", "downey-b-queue"}
	if a, err := live.Ask(t.Context(), q); !errors.Is(err, live.ErrNoAnswer) || len(a.LeftOut()) != 2 || !strings.Contains(err.Error(), "no distribution of run times") {
		t.Errorf("without history: %+v, %v", a, err)
	}
	q = query(t, "", header, ended(), 2)
	if _, err := live.Ask(t.Context(), q); err == nil || !strings.Contains(err.Error(), "saw no job with a submission time") {
		t.Errorf("an empty state: %v", err)
	}
	q = query(t, "200", running+"11 0 50 -1 1 -1 -1 1 2000 -1 -1 1 1 1 1 1 -1 -1\n", ended(), 2)
	if _, err := live.Ask(t.Context(), q); !errors.As(err, new(*workload.InputError)) {
		t.Errorf("two jobs of one number run: %v", err)
	}
}

// Options are checked beyond their tags, too; the script wait.txtar tests typing errors.
func TestOptionsAreValidated(t *testing.T) {
	for _, c := range []struct {
		option string
		change func(*live.Query)
	}{
		{"state", func(q *live.Query) { q.Logs = live.Logs{} }},
		{"at", func(q *live.Query) { q.At = "2024-05-31T10:00:00" }},
		{"policy", func(q *live.Query) { q.Policy = "priority" }},
		{"size", func(q *live.Query) { q.Sizes = []int64{4, 4} }},
		{"size", func(q *live.Query) { q.Sizes = make([]int64, live.MostSizes+1) }},
		{"predictors", func(q *live.Query) { q.Predictors = nil }},
		{"quantiles", func(q *live.Query) { q.Quantiles = []float64{0.5, 1} }},
		{"quantiles", func(q *live.Query) { q.Quantiles = nil }},
		{"groups", func(q *live.Query) { q.Groups = []string{"colour"} }},
		{"queue", func(q *live.Query) { q.Queue = "short" }},
	} {
		q := query(t, "200", running, ended(), 2)
		c.change(&q)
		if _, err := live.Ask(t.Context(), q); jobtest.OptionOf(err) != c.option {
			t.Errorf("%s: %v", c.option, err)
		}
	}
}

// A request without a time gets no answer from estimates and qbets, and the reason is given; job 11
// runs with an estimate of its own.
func TestAskWithoutTime(t *testing.T) {
	q := query(t, "200", running, ended(), 1)
	q.Predictors = []string{"estimates", "bmbp", "qbets"}
	a := ask(t, q)
	if got, want := fmt.Sprint(a.LeftOut()), "[{{estimates the request has no requested time} [1]} {{qbets it groups past waits by requested time, and the request has no requested time} [1]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	q.Time = 100
	if a = ask(t, q); len(a.LeftOut()) != 0 {
		t.Errorf("with a time: %+v", a.LeftOut())
	}
}

// steady returns a history whose jobs wait 1 to 100 s, whatever runs, and run for 1000 s on one of
// ten processors; the other nine stay idle.
func steady(jobs int) string {
	text := "; MaxProcs: 10\n"
	for k := range jobs {
		text += fmt.Sprintf("%d %d %d 1000 1 -1 -1 1 2000 -1 1 1 1 1 1 1 -1 -1\n", k+1, 2000*k, 1+37*k%100)
	}
	return text
}

// With the growing history, the schedule by estimates covers all waits, and bounds from past waits
// cover none. With the steady one it is the reverse, since no job waits for processors. On an empty
// machine a request starts now, and nothing is recommended.
func TestRecommends(t *testing.T) {
	for _, c := range []struct {
		name, history, state, want string
		kept                       bool
		coverage                   map[string]float64
	}{
		{"growing", jobtest.OneAtATime(300, ""), "9999 9999900 0", "estimates", true, map[string]float64{"estimates": 1, "bmbp": 0}},
		{"steady", steady(300), "9999 9999900 0", "bmbp", true, map[string]float64{"estimates": 0, "bmbp": 1}},
		{"few", steady(50), "9999 9999900 0", "", true, map[string]float64{"estimates": 0}},
		{"empty", steady(300), "9999 0 0 100 8 -1 -1 8 2000 -1 1 1 1 1 1 1 -1 -1\n; 1 1 1", "", true, nil},
	} {
		q := query(t, "1e7", strings.Replace(running, "11 0 100", c.state, 1), c.history, 2, 4)
		q.Policy, q.Predictors, q.Time = "fcfs", []string{"estimates", "bmbp"}, 500
		for _, a := range ask(t, q).Answers {
			if a.Recommended != c.want || a.Recommended != "" && (!a.Predictions[0].Recommended || a.Predictions[0].Predictor != c.want) || a.Judged.Kept != c.kept {
				t.Errorf("%s: recommended %q, want %q: %+v, %+v", c.name, a.Recommended, c.want, a.Judged, a.Predictions)
			}
			for _, p := range a.Predictions {
				share, ok := c.coverage[p.Predictor]
				// A bound by bmbp covers at least 95 %; here of waits that cycle through 1 to 100
				// s.
				if b := p.Bounds[2]; ok && (b.Jobs == 0 || math.Abs(float64(b.Share)-share) > 0.05) {
					t.Errorf("%s: %s covered %g of %d, want about %g", c.name, p.Predictor, b.Share, b.Jobs, share)
				}
			}
		}
	}
}

// A request of a size with few past waits gets the bound of all sizes; with groups, that of the
// group without the last column.
func TestBacksOff(t *testing.T) {
	q := query(t, "200", running, ended(), 4, 5)
	q.Predictors = []string{"bmbp"}
	a := ask(t, q)
	if g := row(t, a, 5, "bmbp").Group; g != "all" {
		t.Errorf("5 processors: group %q, want all", g)
	}
	if g := row(t, a, 4, "bmbp").Group; g == "all" {
		t.Error("4 processors have no group of their own")
	}
	q.Groups = []string{"user_id", "size"}
	if g := row(t, ask(t, q), 4, "bmbp").Group; g != "all" {
		t.Errorf("no user: group %q, want all", g)
	}
}

// Twelve waits of a queue suffice for a 75 % bound of the queue. The 95 % bound uses the waits of
// all jobs, which are shorter, but is never below the 75 % bound.
func TestBoundsAscend(t *testing.T) {
	text := "; MaxProcs: 10\n"
	for k := range 600 {
		queue, wait := 1, 5
		if k%50 == 0 {
			queue, wait = 2, 500
		}
		text += fmt.Sprintf("%d %d %d 10 1 -1 -1 1 20 -1 1 1 1 1 %d 1 -1 -1\n", k+1, 1000*k, wait, queue)
	}
	q := query(t, "1e7", strings.Replace(running, "11 0 100", "9999 9999900 0", 1), text, 1)
	q.Groups, q.Queue, q.Predictors, q.Quantiles = []string{"queue_id"}, "2", []string{"bmbp"}, []float64{0.5, 0.75, 0.95}
	p := row(t, ask(t, q), 1, "bmbp")
	for _, b := range p.Bounds {
		if b.Seconds != 500 || p.Group != "all" {
			t.Errorf("%+v of group %s, want 500 s, the last one of all", b, p.Group)
		}
	}
}

// largeWait returns a history on ten processors. In each cycle 48 jobs of one processor wait 1 to
// 100 s although all processors are free. Then two jobs of ten processors are submitted: the first
// starts at once, and the second waits 49999 s for its end, as its estimate predicts.
func largeWait(cycles int) string {
	text := "; MaxProcs: 10\n"
	id := 0
	job := func(submit, wait, run, size int) {
		id++
		text += fmt.Sprintf("%d %d %d %d %d -1 -1 %[5]d 50000 -1 1 1 1 1 1 1 -1 -1\n", id, submit, wait, run, size)
	}
	for c := range cycles {
		start := 160000 * c
		for k := range 48 {
			job(start+2000*k, 1+37*id%100, 10, 1)
		}
		job(start+100000, 0, 50000, 10)
		job(start+100001, 49999, 10, 10)
	}
	return text
}

// Every 25th job is large. QBETS, which ignores sizes, covers 95 % of all jobs but only half of the
// large ones; the estimates cover all large jobs and no small one. If QBETS is the only predictor,
// a warning reports its coverage.
func TestRecommendsBySimilarSize(t *testing.T) {
	state := strings.Replace(running, "11 0 100", "99999 19999900 0", 1)
	q := query(t, "2e7", state, largeWait(100), 1, 10)
	q.Policy, q.Predictors, q.Time, q.Judged = "fcfs", []string{"estimates", "qbets"}, 500, 18000
	a := ask(t, q)
	// The first tenth of the jobs of each group is for training: of the 4800 small ones, and of the
	// 200 large ones plus the running one, which did not wait.
	for i, want := range []live.Judged{{"size<=4", 4320, 4320, true}, {"size=5-16", 181, 181, true}} {
		one := a.Answers[i]
		if *one.Judged != want || one.Recommended != []string{"qbets", "estimates"}[i] {
			t.Errorf("recommended %s by %+v, want %+v", one.Recommended, one.Judged, want)
		}
	}
	if b := row(t, a, 10, "qbets").Bounds[2]; b.Share != 91./181 || b.Jobs != 181 {
		t.Errorf("qbets: %+v, want 91 of 181 large ones covered", b)
	}
	if b := row(t, a, 10, "estimates").Bounds[2]; b.Share != 1 || len(a.Warnings) > 0 {
		t.Errorf("estimates: %+v, want all large jobs covered; warnings %+v", b, a.Warnings)
	}
	q.Predictors = []string{"qbets"}
	if a = ask(t, q); !a.Answers[0].Judged.Kept || a.Answers[1].Judged.Kept || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0].Text, "10 processors: ") || !strings.Contains(a.Warnings[0].Text, "50.3% of 181 past waits") {
		t.Errorf("%+v", a.Warnings)
	}
	// Ten cycles have 20 large jobs, which are too few, so all jobs are judged.
	q = query(t, "2e7", state, largeWait(10), 10)
	q.Policy, q.Predictors, q.Time = "fcfs", []string{"qbets"}, 500
	if j := ask(t, q).Answers[0].Judged; j.Group != "all" {
		t.Errorf("%+v, want all jobs", j)
	}
}

// A squeue listing numbers its users in order of appearance, bob 1 and alice 2. They are not users
// 1 and 2 of a log with numbers only: user 1 always waited 5 s and user 2 always 50 s, which has no
// bearing on bob and alice.
func TestNumbersAreNotNames(t *testing.T) {
	state := `JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS
7|bob|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64
8|alice|PENDING|2024-05-31T10:30:00|N/A|0:00|1:00:00|100
`
	past := func(names string) string {
		text := "; UnixStartTime: 1717056000\n; TimeZoneString: UTC\n" + names
		for i := range 120 {
			user := 1 + i%2
			text += fmt.Sprintf("%d %d %d 600 4 -1 -1 4 7200 -1 1 %d 1 1 1 1 -1 -1\n", 100+i, 60*i, []int{5, 50}[i%2], user)
		}
		return text
	}
	asked := func(names, user string) live.Row {
		q := query(t, "", state, past(names), 4)
		q.Predictors, q.Groups, q.User, q.Processors = []string{"bmbp"}, []string{"user_id"}, user, 100
		return row(t, ask(t, q), 4, "bmbp")
	}
	for _, user := range []string{"bob", "alice"} { // no past waits are theirs, so those of all jobs are used
		if p := asked("", user); p.Group != "all" {
			t.Fatalf("%s has the waits of a user with a number: %+v", user, p)
		}
	}
	// Users with names are matched by name, whatever their numbers.
	for user, want := range map[string]stats.Number{"alice": 5, "bob": 50} {
		if got := asked("; User: 1 alice\n; User: 2 bob\n", user).Bounds[0].Seconds; got != want {
			t.Errorf("%s: %g s, want %g", user, got, want)
		}
	}
}
