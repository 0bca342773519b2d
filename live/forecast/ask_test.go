package forecast_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// running is a job of 8 of 10 processors that started at 100 s, of the 2000 s that
// it asks for.
const running = `; MaxProcs: 10
11 0 100 -1 8 -1 -1 8 2000 -1 -1 1 1 1 1 1 -1 -1
`

// ended are 60 jobs of one processor with waits of 1 to 60 s.
func ended() string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&b, "%d %d %d %d 1 -1 -1 1 100 -1 1 2 1 1 1 1 -1 -1\n", 100+i, i, i, i)
	}
	return b.String()
}

func open(t *testing.T, name, text string) *workload.Log {
	t.Helper()
	log, err := logfile.OpenReader(name, strings.NewReader(text), workload.Options{TimeZone: "Europe/Zurich"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// query is the default one about a state and a history.
func query(t *testing.T, state, history string, o forecast.StateOptions, sizes ...int64) forecast.Query {
	t.Helper()
	q := forecast.DefaultQuery()
	var err error
	if q.State, err = forecast.ReadState(context.Background(), open(t, "state", state), o); err != nil {
		t.Fatal(err)
	}
	q.History = &forecast.History{}
	if err := q.History.Add(context.Background(), open(t, "history", history)); err != nil {
		t.Fatal(err)
	}
	q.Sizes = sizes
	return q
}

func ask(t *testing.T, q forecast.Query) *forecast.Answer {
	t.Helper()
	a, err := forecast.Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func row(t *testing.T, a *forecast.Answer, size int64, predictor string) forecast.Prediction {
	t.Helper()
	for _, p := range a.Predictions {
		if p.Processors == size && p.Predictor == predictor {
			return p
		}
	}
	t.Fatalf("no prediction by %s for %d processors in %+v", predictor, size, a.Predictions)
	return forecast.Prediction{}
}

func rules(a *forecast.Answer) []string {
	var out []string
	for _, w := range a.Warnings {
		out = append(out, w.Rule)
	}
	return out
}

// A job of 8 of 10 processors has run for 100 s of the 2000 that it asked for.
// A request of 2 starts at once, one of 4 after its end: by the estimate in
// 1900 s. The 60 past waits of jobs of up to 4 processors are 1 to 60 s: their
// bounds are the 37th, the 54th and the 60th (R: qbinom(0.95, 60, q) + 1), with
// pbinom(k-1, 60, q) for confidence.
func TestAskByHand(t *testing.T) {
	q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 2, 4)
	q.Time, q.Policy = 500, "fcfs"
	q.Run = func(n int64) float64 { return 8000 / min(float64(n), 4) }
	a := ask(t, q)
	if a.State.Free != 2 || a.State.Running != 1 || a.State.Queued != 0 || a.History.Ended != 60 || a.History.Waits != 61 {
		t.Errorf("state %+v, history %+v", a.State, a.History)
	}
	for _, p := range []string{"downey-a-exact", "downey-b-queue", "drawn", "simulated", "estimates"} {
		if r := row(t, a, 2, p); r.Expected != 0 {
			t.Errorf("%s: 2 free processors in %g s", p, r.Expected)
		}
	}
	if r := row(t, a, 4, "estimates"); r.Expected != 1900 || len(r.Bounds) != 3 || r.Bounds[0].Seconds != 1900 || !math.IsNaN(float64(r.Bounds[0].Achieved)) {
		t.Errorf("estimates: %+v, want 1900 s, a bound", r)
	}
	for i, want := range []forecast.Bound{{Quantile: 0.5, Seconds: 37, Achieved: 0.9538}, {Quantile: 0.8, Seconds: 54, Achieved: 0.9692}, {Quantile: 0.95, Seconds: 60, Achieved: 0.9539}} {
		if got := row(t, a, 4, "bmbp").Bounds[i]; got.Quantile != want.Quantile || got.Seconds != want.Seconds || math.Abs(float64(got.Achieved-want.Achieved)) > 5e-5 {
			t.Errorf("bmbp: %+v, want %+v", got, want)
		}
	}
	// A exact is the law's own quantile for one running job: its remaining
	// lifetime at the age of 100 s, past t_max = 65.6 s the age over (1-q) less
	// the age: 100, 400 and 1900 s, without a mean.
	r := row(t, a, 4, "downey-a-exact")
	if !math.IsInf(float64(r.Expected), 1) {
		t.Errorf("A exact's mean is %g", r.Expected)
	}
	for i, want := range []float64{100, 400, 1900} {
		if got := float64(r.Bounds[i].Seconds); math.Abs(got-want) > 1e-6*want {
			t.Errorf("A exact: %g s, want %g", got, want)
		}
	}
	// B: 8 t/(100+t) = 2.
	if r := row(t, a, 4, "downey-b-queue"); math.Abs(float64(r.Expected)-100./3) > 1e-6 {
		t.Errorf("B: %g s, want 33.3", r.Expected)
	}
	// Confidence is only of bounds from past waits: a number beside the others
	// would promise what nobody has measured.
	for predictor, promised := range map[string]bool{"drawn": false, "estimates": false, "bmbp": true} {
		for _, b := range row(t, a, 4, predictor).Bounds {
			if math.IsNaN(float64(b.Seconds)) || math.IsNaN(float64(b.Achieved)) == promised {
				t.Errorf("%s: %+v, want a bound, with a confidence: %v", predictor, b, promised)
			}
		}
	}
	// Turnaround: 8000 s on one processor are 4000 on 2 and 2000 on 4, all above
	// the time asked for: none is chosen.
	for _, c := range a.Turnarounds {
		if c.Least != nil {
			t.Errorf("%s chooses %d processors, whose run would be killed", c.Predictor, *c.Least)
		}
	}
	if !slices.Contains(rules(a), "all-too-long") {
		t.Errorf("warnings %v", a.Warnings)
	}
	// Without the limit: 4000 by 2; by 4 B's 33 + 2000, the estimates' 3900.
	q.Time, q.Policy, q.Predictors = 0, "easy", []string{"downey-b-queue", "estimates", "bmbp"}
	a = ask(t, q)
	for i, want := range []float64{100./3 + 2000, 3900} {
		c := a.Turnarounds[i]
		if c.Least == nil || *c.Least != 4 || math.Abs(float64(c.Sizes[1].Turnaround)-want) > 1e-6 || c.Sizes[0].Turnaround != 4000 {
			t.Errorf("%+v, want 4 processors in %g s", c, want)
		}
	}
	if len(a.Turnarounds) != 2 {
		t.Errorf("%d turnarounds: bmbp has no expected wait", len(a.Turnarounds))
	}
}

// Names of a squeue listing and of a sacct log are matched by their texts, and
// their times by their dates.
func TestAskOfSlurm(t *testing.T) {
	state := `JOBID|USER|QOS|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|long|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
8|alice|short|PENDING|2024-05-31T10:30:00|N/A|0:00|1:00:00|100|Resources
`
	var b strings.Builder
	b.WriteString("JobID|User|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n")
	for i := range 80 {
		queue, wait := "short", 5
		if i%2 == 1 {
			queue, wait = "long", 50
		}
		fmt.Fprintf(&b, "%d|alice|%s|COMPLETED|2024-05-30T10:%02d:00|2024-05-30T10:%02d:%02d|2024-05-30T12:00:00|%d|120|4\n", 100+i, queue, i%60, i%60, wait, 600+i)
	}
	q := query(t, state, b.String(), forecast.StateOptions{Processors: 100}, 4)
	q.Groups = []string{"queue_id"}
	var a *forecast.Answer
	for queue, want := range map[string]stats.Number{"short": 5, "long": 50} {
		q.Queue = queue
		a = ask(t, q)
		if got := row(t, a, 4, "bmbp").Bounds[0].Seconds; got != want {
			t.Errorf("queue %s: %g s, want %g", queue, got, want)
		}
	}
	if a.State.Time != "2024-05-31T11:00:30+02:00" || a.State.Running != 1 || a.State.Queued != 1 || a.History.Ended != 80 {
		t.Errorf("state %+v, history %+v", a.State, a.History)
	}
	// Job 7 ends by its limit at 12:00:30, in an hour; job 8 then holds all for
	// an hour. 4 processors beside job 7 are to be had for an hour, by backfilling.
	q.Policy, q.Queue = "fcfs", ""
	if got := row(t, ask(t, q), 4, "estimates"); got.Expected != 7200 {
		t.Errorf("estimates: %+v, want 7200 s", got)
	}
	q.Policy, q.Time = "easy", 3600
	if got := row(t, ask(t, q), 4, "estimates"); got.Expected != 0 {
		t.Errorf("an hour: %+v, want a start at once", got)
	}
	q.Queue = "medium"
	var option *workload.OptionError
	if _, err := forecast.Ask(context.Background(), q); !errors.As(err, &option) || option.Option != "queue" || !strings.Contains(option.Want, "long, short") {
		t.Errorf("a queue that nobody knows: %v", err)
	}
}

// Until conformal has learned it answers as bmbp does, for a size without past waits too:
// from those of all jobs.
func TestAskConformalOfNewSize(t *testing.T) {
	q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 7)
	q.Predictors = []string{"bmbp", predict.ConformalBound}
	a := ask(t, q)
	bmbp, conformal := row(t, a, 7, "bmbp"), row(t, a, 7, predict.ConformalBound)
	known := 0
	for i, b := range bmbp.Bounds {
		x, y := float64(b.Seconds), float64(conformal.Bounds[i].Seconds)
		if x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			t.Errorf("%g: %g s, bmbp has %g", b.Quantile, y, x)
		}
		if x > 0 {
			known++
		}
	}
	if known == 0 {
		t.Errorf("no bounds: %+v", bmbp)
	}
}

// Behind a job that waits, a request without a time is planned with the run time that is
// drawn, which a warning says; with a time, or at the head, it is not.
func TestAskDrawnWithoutTime(t *testing.T) {
	const waits = "12 150 -1 -1 9 -1 -1 9 500 -1 -1 1 1 1 1 1 -1 -1\n"
	for _, c := range []struct {
		state string
		time  float64
		want  bool
	}{{running + waits, 0, true}, {running + waits, 600, false}, {running, 0, false}} {
		q := query(t, c.state, ended(), forecast.StateOptions{At: "200"}, 4)
		q.Predictors, q.Time = []string{"drawn"}, c.time
		if a := ask(t, q); slices.Contains(rules(a), "no-time") != c.want {
			t.Errorf("time %g: %v", c.time, a.Warnings)
		}
	}
}

// Ended jobs of 1 to 4 processors waited for 5 s and ran for 100 s, those of 5 to 8
// waited for 50 s and ran for 900 s. Bounds of ranges of sizes are of the jobs of the
// range alone.
func TestAskByRangesOfSizes(t *testing.T) {
	var b strings.Builder
	b.WriteString("; MaxProcs: 8\n")
	for i := range 800 {
		size, wait, run := 1+i%4, 5, 100.0
		if i%2 == 1 {
			size, wait, run = 5+i/2%4, 50, 900.0
		}
		fmt.Fprintf(&b, "%d %d %d %g %d -1 -1 %d -1 -1 1 2 1 1 1 1 -1 -1\n", 100+i, i, wait, run-float64(i%7), size, size)
	}
	for _, size := range []int64{4, 8} {
		state := fmt.Sprintf("; MaxProcs: 8\n11 0 1950 -1 %d -1 -1 %d -1 -1 -1 1 1 1 1 1 -1 -1\n", size, size)
		q := query(t, state, b.String(), forecast.StateOptions{At: "2000"}, 2, 8)
		q.Predictors, q.Groups = []string{"bmbp"}, []string{"size:4"}
		a := ask(t, q)
		for n, wait := range map[int64]stats.Number{2: 5, 8: 50} {
			if r := row(t, a, n, "bmbp"); r.Bounds[1].Seconds != wait || r.Observations < 400 || r.Observations > 401 || r.Group != map[int64]string{2: "size<=4", 8: "size>4"}[n] {
				t.Errorf("%d processors: %+v, want %g s of its 400 waits", n, r, wait)
			}
		}
	}
}

// What the query says and the state or its history does not bear out is a warning.
func TestAskWarns(t *testing.T) {
	waiting := running + "12 150 -1 -1 4 -1 -1 4 20 -1 -1 1 1 1 1 1 -1 -1\n" // on 4 processors, of which 2 are free
	for _, c := range []struct {
		rule, text string
		state      string
		change     func(*forecast.Query)
	}{
		{"unseen-queue", "has queue 99", running, func(q *forecast.Query) { q.Queue = "99" }},
		{"unseen-partition", "has partition 96", running, func(q *forecast.Query) { q.Partition = "96" }},
		{"unseen-user", "has user 98", running, func(q *forecast.Query) { q.User = "98" }},
		{"unseen-queue", "has queue 97", running, func(q *forecast.Query) { q.Policy = "priority(queues=1,97)" }},
		{"request-lacks-groups", "the request has no account_id, queue_id, which its groups use", running, func(q *forecast.Query) { q.Groups = []string{"account", "queue", "size:4"} }},
		{"other-policy", "under easy jobs go ahead", waiting, func(*forecast.Query) {}},
		{"submitted-later", "submitted after the moment", running + "14 900 -1 -1 1 -1 -1 1 20 -1 -1 1 1 1 1 1 -1 -1\n", func(*forecast.Query) {}},
		{"idle-machine", "no job runs, and jobs wait that fit on the machine", "; MaxProcs: 10\n12 150 -1 -1 4 -1 -1 4 20 -1 -1 1 1 1 1 1 -1 -1\n", func(*forecast.Query) {}},
		{"no-run-time", "the run time on 2 processors is not known", running, func(q *forecast.Query) {
			q.Sizes = []int64{2, 4}
			q.Run, _ = predict.RunByTable(map[int64]float64{4: 10})
		}},
	} {
		q := query(t, c.state, ended(), forecast.StateOptions{At: "200"}, 2)
		q.Predictors = []string{"downey-b-queue", "bmbp"}
		c.change(&q)
		a := ask(t, q)
		i := slices.Index(rules(a), c.rule)
		if i < 0 || !strings.Contains(a.Warnings[i].Text, c.text) {
			t.Errorf("warnings %v, want %s with %q", a.Warnings, c.rule, c.text)
		}
	}
	q := query(t, waiting, ended(), forecast.StateOptions{At: "200"}, 2)
	q.Policy, q.Queue = "fcfs", "1"
	if a := ask(t, q); len(a.Warnings) > 0 {
		t.Errorf("warnings %v, want none", a.Warnings)
	}
}

// A moment long after the end of a log is answered from its last jobs, and a warning
// says so; one within a week of it is not remarkable.
func TestAskAfterTheLog(t *testing.T) {
	for at, want := range map[string]string{
		"500":       "",
		"604000":    "",
		"864060":    "10 days before the moment asked about",
		"315576060": "120 months before the moment asked about", // ten years of 365.25 days
	} {
		q := query(t, ended(), ended(), forecast.StateOptions{At: at, Processors: 10}, 2)
		q.Predictors = []string{"bmbp"}
		a := ask(t, q)
		i := slices.Index(rules(a), "after-the-log")
		if (want == "") != (i < 0) || i >= 0 && !strings.Contains(a.Warnings[i].Text, want) {
			t.Errorf("at %s: warnings %v, want %q", at, a.Warnings, want)
		}
	}
}

// A log of jobs without waits has no queue to show, and its answers are of an empty one.
func TestAskWarnsOfNoWaits(t *testing.T) {
	const header = "; MaxProcs: 10\n"
	job := func(wait string) string { return "1 100 " + wait + " 200 4 -1 -1 4 300 -1 1 1 1 1 1 1 -1 -1\n" }
	for state, want := range map[string]bool{
		header + job("-1"): true,
		header + job("0"):  false,
		header + job("-1") + "2 110 -1 -1 4 -1 -1 4 300 -1 -1 1 1 1 1 1 -1 -1\n": false, // a job waits
	} {
		q := query(t, state, ended(), forecast.StateOptions{At: "150"}, 2)
		q.Predictors = []string{"drawn"}
		if got := slices.Contains(rules(ask(t, q)), "no-waits"); got != want {
			t.Errorf("%q: no-waits %v, want %v", state, got, want)
		}
	}
}

// Before a log begins there is one reason for no answer, not one for each predictor.
func TestAskBeforeTheLog(t *testing.T) {
	q := query(t, ended(), ended(), forecast.StateOptions{At: "-1000", Processors: 10}, 2)
	_, err := forecast.Ask(context.Background(), q)
	const want = "the log begins at 1 s, after the moment asked about, -1000 s"
	if !errors.Is(err, forecast.ErrNoAnswer) || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "drawn") {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A exact is for the head of the queue: behind one job or two it has no answer.
func TestAskAExactBehindOthers(t *testing.T) {
	waiting := func(n int) string {
		text := running
		for i := range n {
			text += fmt.Sprintf("%d 150 -1 -1 4 -1 -1 4 20 -1 -1 1 1 1 1 1 -1 -1\n", 12+i)
		}
		return text
	}
	for n, want := range map[int]string{1: "1 job is ahead", 2: "2 jobs are ahead"} {
		q := query(t, waiting(n), ended(), forecast.StateOptions{At: "200"}, 2)
		q.Predictors = []string{"downey-a-exact", "bmbp"}
		a := ask(t, q)
		if len(a.LeftOut) != 1 || a.LeftOut[0].Predictor != "downey-a-exact" || !strings.Contains(a.LeftOut[0].Why, want) {
			t.Errorf("left out %+v, want A exact, since %s", a.LeftOut, want)
		}
	}
}

// Sizes whose run times are unknown, or above the 500 s that are asked for, are not
// chosen. A run of just 500 s is.
func TestAskWarnsOfSizesNotChosen(t *testing.T) {
	for _, c := range []struct {
		run  map[int64]float64
		want []string
	}{
		{map[int64]float64{1: 500, 2: 400, 4: 10}, nil},
		{map[int64]float64{1: 501, 2: 501, 4: 500}, []string{"too-long on 1, 2 processors"}},
		{map[int64]float64{2: 600, 4: 10}, []string{"too-long on 2 processors", "no-run-time on 1 processors"}},
		{map[int64]float64{1: 600, 2: 600}, []string{"all-too-long", "no-run-time on 4 processors"}},
		{map[int64]float64{1: 600, 2: 600, 4: 600}, []string{"all-too-long"}},
	} {
		q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 1, 2, 4)
		q.Time, q.Predictors = 500, []string{"downey-b-queue"}
		var err error
		if q.Run, err = predict.RunByTable(c.run); err != nil {
			t.Fatal(err)
		}
		a := ask(t, q)
		var got []string
		for _, w := range a.Warnings {
			if i := strings.Index(w.Text, "on "); w.Rule != "all-too-long" && i >= 0 {
				got = append(got, w.Rule+" "+w.Text[i:strings.Index(w.Text, " processors")]+" processors")
				continue
			}
			got = append(got, w.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.run, got, c.want)
		}
	}
}

// One history serves several states, and answers do not depend on what was asked
// before.
func TestHistoryServesManyStates(t *testing.T) {
	q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 4)
	first := ask(t, q)
	other := q
	var err error
	if other.State, err = forecast.ReadState(context.Background(), open(t, "other", strings.Replace(running, "10\n", "16\n", 1)), forecast.StateOptions{At: "30"}); err != nil {
		t.Fatal(err)
	}
	// By 30 s the jobs of up to 15 s have run and ended: submission, wait and run
	// time of job i are i s each, so 3i <= 30 have ended and 2i <= 30 have started.
	if a := ask(t, other); a.State.Processors != 16 || a.History.Ended != 10 || a.History.Waits != 15 {
		t.Errorf("at 30 s: %+v, %+v, want 10 ended, 15 waits on 16 processors", a.State, a.History)
	}
	if again := ask(t, q); fmt.Sprint(again.Predictions) != fmt.Sprint(first.Predictions) {
		t.Errorf("%+v the second time, %+v the first", again.Predictions, first.Predictions)
	}
}

func TestAskErrors(t *testing.T) {
	q := query(t, strings.TrimPrefix(running, "; MaxProcs: 10\n"), strings.TrimPrefix(ended(), "; MaxProcs: 10\n"), forecast.StateOptions{At: "200"}, 2)
	if a, err := forecast.Ask(context.Background(), q); !errors.Is(err, forecast.ErrNoProcessors) || a == nil {
		t.Errorf("no machine: %v, %v", a, err)
	}
	q = query(t, running, ended(), forecast.StateOptions{At: "200"}, 2)
	q.History, q.Predictors = nil, []string{"bmbp", "downey-b-queue"}
	a, err := forecast.Ask(context.Background(), q)
	if !errors.Is(err, forecast.ErrNoAnswer) || len(a.LeftOut) != 2 || !strings.Contains(err.Error(), "no distribution of run times") {
		t.Errorf("without history: %+v, %v", a, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := forecast.ReadState(ctx, open(t, "state", running), forecast.StateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a state after the end: %v", err)
	}
}

// What no tag of an option tells is checked too.
func TestOptionsAreValidated(t *testing.T) {
	for _, c := range []struct {
		option string
		change func(*forecast.Query)
	}{
		{"state", func(q *forecast.Query) { q.State = nil }},
		{"size", func(q *forecast.Query) { q.Sizes = nil }},
		{"size", func(q *forecast.Query) { q.Sizes = []int64{0} }},
		{"size", func(q *forecast.Query) { q.Sizes = []int64{4, 4} }},
		{"size", func(q *forecast.Query) { q.Sizes = make([]int64, forecast.MostSizes+1) }},
		{"run-times", func(q *forecast.Query) { q.Run, _ = predict.RunByTable(map[int64]float64{3: 1}) }},
		{"policy", func(q *forecast.Query) { q.Policy = "priority" }},
		{"predictors", func(q *forecast.Query) { q.Predictors = nil }},
		{"predictors", func(q *forecast.Query) { q.Predictors = []string{"downey-a"} }},
		{"quantiles", func(q *forecast.Query) { q.Quantiles = []float64{0.5, 1} }},
		{"quantiles", func(q *forecast.Query) { q.Quantiles = nil }},
		{"groups", func(q *forecast.Query) { q.Groups = []string{"colour"} }},
		{"user", func(q *forecast.Query) { q.User = "ann" }},
	} {
		q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 2)
		c.change(&q)
		var option *workload.OptionError
		if _, err := forecast.Ask(context.Background(), q); !errors.As(err, &option) || option.Option != c.option {
			t.Errorf("%s: %v", c.option, err)
		}
	}
	for _, o := range []forecast.StateOptions{{At: "noon"}, {At: "2024-05-31T10:00:00"}, {At: "Inf"}} {
		var option *workload.OptionError
		if _, err := forecast.ReadState(context.Background(), open(t, "state", running), o); !errors.As(err, &option) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A request without a time gets no estimates and no qbets, and is told why; job 11
// runs on an estimate of its own.
func TestAskWithoutTime(t *testing.T) {
	q := query(t, running, ended(), forecast.StateOptions{At: "200"}, 1)
	q.Predictors = []string{"estimates", "bmbp", "qbets"}
	a := ask(t, q)
	var got []string
	for _, m := range a.LeftOut {
		got = append(got, m.Predictor+": "+m.Why)
	}
	want := []string{"estimates: the request has no requested time", "qbets: it groups past waits by requested time, and the request has no requested time"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	q.Time = 100
	if a = ask(t, q); len(a.LeftOut) != 0 {
		t.Errorf("with a time: %+v", a.LeftOut)
	}
}
