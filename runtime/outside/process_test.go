package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// hundred answers every submission with 100 s.
const hundred = `sed -u -n 's/^{"submit":{"row":\([0-9]*\),.*/{"row":\1,"predicted_s":100}/p'`

// jobs returns n jobs, one every 10 s, that run 15 s each.
func jobs(n int) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for i := range n {
			j := workload.UnknownJob()
			j.Row, j.ID, j.Submit, j.Wait, j.Run, j.User = int64(i), int64(100+i), float64(10*i), 0, 15, int64(i%2)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// holders returns a command that opens a pipe before it runs a line, and a function that fails the
// test unless all processes that hold the pipe open end soon.
func holders(t *testing.T, line string) (held string, gone func()) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0) // to avoid blocking in open
	if err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return "exec 3>'" + name + "'; " + line, func() {
		t.Helper()
		f.Close()
		r.SetReadDeadline(time.Now().Add(20 * time.Second))
		if n, err := r.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%s: processes are left: %d, %v", line, n, err)
		}
	}
}

// replay runs a command on n jobs and returns the predictions and the error.
func replay(t *testing.T, ctx context.Context, c Command, n int) (seconds []float64, fault error) {
	t.Helper()
	p, err := Start(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	for row, err := range runtime.Replay(jobs(n), nil, runtime.Entry{Own: p}) {
		if err != nil {
			return seconds, err
		}
		seconds = append(seconds, row.Predictions[0].Seconds)
	}
	return seconds, p.Finish()
}

// TestWaits checks that a program receives submissions, starts and ends, and can give bounds for
// quantiles of the wait.
func TestWaits(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	for answer, want := range map[string]string{
		`"predicted_s":60,"bounds_s":[90,null],"history_n":3`: "{{60 3} [90 NaN]} <nil>",
		`"predicted_s":null`:                  "{{NaN 0} []} <nil>",
		`"predicted_s":1,"bounds_s":[1]`:      "{{NaN 0} []} line 1 of its output: bounds_s: saw 1 bounds, expected 2: one for each of the quantiles [0.5 0.95]",
		`"predicted_s":1,"bounds_s":[1,-2]`:   "{{NaN 0} []} line 1 of its output: bounds_s: saw -2, expected seconds of 0 or more, or null",
		`"predicted_s":1,"bounds_s":[1,"2"]`:  `{{NaN 0} []} line 1 of its output: bounds_s: saw "2", expected seconds of 0 or more, or null`,
		`"predicted_s":1,"quantiles":[90,91]`: `{{NaN 0} []} line 1 of its output: saw "{\"row\":1,\"predicted_s\":1,\"quantiles\":[90,91]}", expected {"row":1,"predicted_s":SECONDS,"bounds_s":[SECONDS,SECONDS]}, or null for SECONDS`,
	} {
		p, err := Start(context.Background(), Command{Label: "bounds", Line: "tee '" + text + "' | " + strings.Replace(hundred, `"predicted_s":100`, answer, 1)}, []float64{0.5, 0.95})
		if err != nil {
			t.Fatal(err)
		}
		for j := range jobs(1) {
			a := p.Ask(&j.Request)
			p.Started(&j)
			p.Observe(&j)
			if err := errors.Unwrap(p.Finish()); fmt.Sprint(a, " ", err) != want {
				t.Errorf("%s: %v %v, want %s", answer, a, err, want)
			}
		}
		p.Stop()
		if !strings.HasSuffix(want, "<nil>") {
			continue
		}
		sent, err := os.ReadFile(text)
		begin, events, _ := strings.Cut(string(sent), "\n")
		if err != nil || !strings.HasPrefix(begin, `{"begin":{"protocol":"loadstone.wait-predictor/1","quantiles":[0.5,0.95],"submit":{"row":"1","job_id":"1","submit_time_s":"s",`) ||
			!strings.Contains(begin, `},"start":{"row":"1","wait_time_s":"s","allocated_processors":"processors"},"end":{"row":"1","wait_time_s":"s","run_time_s":"s",`) ||
			events != `{"submit":{"row":1,"job_id":100,"submit_time_s":0,"user_id":0}}
{"start":{"row":1,"job_id":100,"submit_time_s":0,"user_id":0,"wait_time_s":0}}
{"end":{"row":1,"job_id":100,"submit_time_s":0,"user_id":0,"wait_time_s":0,"run_time_s":15}}
{"done":{"jobs":1}}
` {
			t.Errorf("it was sent:\n%s\n%v", sent, err)
		}
	}
}

func TestPredictions(t *testing.T) {
	line, gone := holders(t, hundred)
	got, err := replay(t, context.Background(), Command{Label: "hundred", Line: line}, 3000)
	if err != nil || len(got) != 3000 || got[0] != 100 || got[2999] != 100 {
		t.Errorf("%d predictions: %v", len(got), err)
	}
	gone()
}

// TestMisbehaviour checks that every fault is an error with the value found and the value expected,
// and leaves no process behind.
func TestMisbehaviour(t *testing.T) {
	const soon, late = 300 * time.Millisecond, time.Minute
	const two = "read a; read b; "
	for name, c := range map[string]struct {
		line  string
		limit time.Duration
		want  string
	}{
		"exits":             {"exit 3", late, "it ended (exit status 3) after 0 answers, expected "},
		"dies":              {two + "kill -9 $$", late, "it ended (signal: killed) after 0 answers, expected the answer to the submission of row 1"},
		"hangs":             {"cat >/dev/null", soon, "no answer to the submission of row 1 for 300ms"},
		"closes its output": {two + "exec >&-; sleep 100", late, "it closed its standard output after 0 answers, expected the answer to the submission of row 1"},
		"garbage":           {two + "echo 12; sleep 100", late, `line 1 of its output: saw "12", expected {"row":1,"predicted_s":SECONDS}, or null for SECONDS`},
		"NaN":               {two + `echo '{"row":1,"predicted_s":NaN}'`, late, `saw "{\"row\":1,\"predicted_s\":NaN}", expected {"row":1,`},
		"negative":          {two + `echo '{"row":1,"predicted_s":-1}'`, late, "predicted_s: saw -1, expected seconds of 0 or more, or null"},
		"history":           {two + `echo '{"row":1,"predicted_s":1,"history_n":-1}'`, late, "history_n: saw -1, expected 0 or more"},
		"no row":            {two + `echo '{"predicted_s":1}'`, late, `saw "{\"predicted_s\":1}", expected {"row":1,`},
		"two in a line":     {two + `echo '{"row":1,"predicted_s":1}{"row":2,"predicted_s":1}'`, late, `expected {"row":1,`},
		"out of order":      {two + `echo '{"row":2,"predicted_s":1}'`, late, "line 1 of its output: row: saw 2, expected 1, the row of the submission that awaits its answer"},
		"unasked":           {two + `printf '{"row":1,"predicted_s":1}\n{"row":2,"predicted_s":1}\n'; cat >/dev/null`, soon, "no answer to the submission of row 3 for 300ms"},
		"floods":            {"yes", late, `line 1 of its output: saw "y", expected `},
		"endless line":      {two + `tr '\0' x </dev/zero`, late, "line 1 of its output: saw more than 65536 bytes in one line, expected an answer"},
		"half a line":       {two + `printf '{"row"'`, late, `line 1 of its output: saw "{\"row\"" and the end of its output, expected a whole line`},
		"half a line, late": {two + `printf '{"row"'; sleep 100`, soon, `line 1 of its output: saw "{\"row\"" and no end of the line for 300ms`},
		"exit code":         {hundred + "; exit 4", late, "it ended (exit status 4), expected exit code 0"},
		"stays":             {hundred + "; sleep 100", 3 * time.Second, "it has not exited 3s after the last line"},
		"last words":        {hundred + "; echo bye", late, `line 31 of its output: saw "bye", expected nothing`},
		"leaves a child":    {"sleep 100 & " + two + "exit 5", late, "expected the answer to the submission of row 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line, gone := holders(t, c.line)
			var said []string
			_, err := replay(t, context.Background(), Command{Label: "odd", Line: "echo one >&2; printf two >&2; " + line, Limit: c.limit, Said: func(line string) { said = append(said, line) }}, 30)
			if fault := new(Fault); !errors.As(err, &fault) || fault.Label != "odd" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if strings.Join(said, "|") != "one|two" {
				t.Errorf("on standard error it said %q", said)
			}
			gone()
		})
	}
}

// TestUnreadInput checks that a program that does not read its input never blocks the replay
// forever, whatever is sent; nor does one that answers ends of jobs until it no longer reads.
func TestUnreadInput(t *testing.T) {
	for line, want := range map[string]string{
		"sleep 100":                   "it has not read its input for 300ms, after 0 answers",
		"sed -u -n 's/^{\"end.*/&/p'": "it has not read its input for 300ms, after 0 answers",
	} {
		held, gone := holders(t, line)
		p, err := Start(context.Background(), Command{Label: "odd", Line: held, Limit: 300 * time.Millisecond}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for j := range jobs(5000) {
			p.Observe(&j)
		}
		if p.Err() == nil {
			p.Predict(&workload.Request{})
		}
		if p.Err() == nil || !strings.Contains(p.Err().Error(), want) {
			t.Errorf("%s: %v, want %s", line, p.Err(), want)
		}
		p.Stop()
		gone()
	}
}

// TestCancelled checks that the program ends with the context, whatever is waiting for it.
func TestCancelled(t *testing.T) {
	line, gone := holders(t, "sleep 100 & cat >/dev/null")
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := replay(t, ctx, Command{Label: "slow", Line: line}, 30); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's error", err)
	}
	gone()
}

// TestEscapedChild checks that a process that leaves the group and holds the program's output open
// does not delay the report that the program has exited.
func TestEscapedChild(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	for line, want := range map[string]string{
		hundred:                     "",
		"read a; read b; exit 7":    "it ended (exit status 7) after 0 answers, expected the answer to the submission of row 1",
		hundred + "; printf 'ends'": `line 31 of its output: saw "ends", expected nothing`,
	} {
		begin := time.Now()
		_, err := replay(t, context.Background(), Command{Label: "parent", Line: "setsid sleep 60 & " + line}, 30)
		if took := time.Since(begin); took > 50*time.Second {
			t.Errorf("%s: it took %v", line, took)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// waiter waits a while for more input before it answers. If it has seen the end of the job in
// question, it answers with the job's run time.
const waiter = `
import json, os, select
seen, todo = {}, []
buffer = b""
def more(seconds):
    global buffer
    if not select.select([0], [], [], seconds)[0]:
        return False
    part = os.read(0, 1 << 20)
    lines = (buffer + part).split(b"\n")
    buffer = lines.pop()
    for line in lines:
        event = json.loads(line)
        if "submit" in event:
            todo.append(event["submit"]["row"])
        if "end" in event:
            seen[event["end"]["row"]] = event["end"]["run_time_s"]
    return part != b""
while more(None):
    while todo:
        while more(0.02):
            pass
        row = todo.pop(0)
        os.write(1, json.dumps({"row": row, "predicted_s": seen.get(row)}).encode() + b"\n")
`

// TestWaitingShowsNothing checks that a program that waits for further input gains nothing by it.
func TestWaitingShowsNothing(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	program := filepath.Join(t.TempDir(), "waiter.py")
	if err := os.WriteFile(program, []byte(waiter), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := replay(t, context.Background(), Command{Label: "waiter", Line: "python3 '" + program + "'"}, 30)
	if err != nil || len(got) != 30 {
		t.Fatalf("%d predictions, %v", len(got), err)
	}
	for i, s := range got {
		if s == s {
			t.Errorf("row %d: it answers %g s, want null", i+1, s)
		}
	}
}

func TestParseCommand(t *testing.T) {
	for text, want := range map[string]Command{
		"./my.py --window 20":      {Label: "my.py", Line: "./my.py --window 20"},
		"mine: python3 my.py":      {Label: "mine", Line: "python3 my.py"},
		"mine: a\nb":               {Label: "mine", Line: "a\nb"},
		"http://example.org/x.py ": {Label: "x.py", Line: "http://example.org/x.py"},
	} {
		if got := ParseCommand(text); got.Label != want.Label || got.Line != want.Line {
			t.Errorf("%q: %q %q, want %q %q", text, got.Label, got.Line, want.Label, want.Line)
		}
	}
	for _, c := range []Command{{}, {Label: "a"}, {Label: "a,b", Line: "x"}, {Label: "a", Line: "x\x00"}, {Label: "a", Line: "x", Limit: -1}} {
		if option := new(workload.OptionError); !errors.As(c.Validate(), &option) {
			t.Errorf("%+v is valid", c)
		}
	}
}
