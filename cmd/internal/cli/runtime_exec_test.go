package cli

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// TestRuntimeExec: a program is scored beside the others, and what it says on its
// standard error is passed on.
func TestRuntimeExec(t *testing.T) {
	log, p := writeLog(t, runtimeLog), filepath.Join(t.TempDir(), "p.csv")
	const program = `echo hello >&2; sed -u -n 's/^{"submit":{"row":\([0-9]*\),.*/{"row":\1,"predicted_s":100,"history_n":7}/p'`
	var r evaluate.RunTimesResult
	got := loadstone(t, "", "runtime", log, "-q", "--predictors", "last", "--classes", "user", "--exec", "hundred: "+program,
		"--require", "accuracy(hundred,exec)>=0.6", "--predictions", p, "--format", "json")
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatal(err, got.err)
	}
	s := r.Score("hundred", evaluate.ProgramClasses)
	// 100 s for 100, 50, 200, 50, 200 and 100 s.
	if got.err != "hundred: hello\n" || s == nil || s.Predicted != 6 || !near(s.AccuracyMean, (1+0.5+0.5+0.5+0.5+1)/6) || len(r.Scores) != 2 ||
		!reflect.DeepEqual(r.Programs, []evaluate.RunTimesProgram{{Predictor: "hundred", Command: program}}) {
		t.Errorf("%+v, %+v, %q", s, r.Programs, got.err)
	}
	if text := mustRead(t, p); !strings.Contains(text, "\n1,exec,hundred,100,100,7\n") {
		t.Errorf("predictions\n%s", text)
	}
}

// TestRuntimeExecFaults: a program's fault is told of it, not of the log, and
// there is no result.
func TestRuntimeExecFaults(t *testing.T) {
	log := writeLog(t, runtimeLog)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--exec", "bad: read a; read b; echo 7"}, exitFailed, `loadstone: --exec bad: line 1 of its output: saw "7", expected {"row":1,`},
		{[]string{"--exec", "bad: cat >/dev/null", "--exec-timeout", "100ms"}, exitFailed, "loadstone: --exec bad: no answer to the submission of row 1 for 100ms"},
		{[]string{"--exec", "bad: exit 1", "--exec", "good: cat"}, exitFailed, "loadstone: --exec bad: it ended (exit status 1)"},
		{[]string{"--exec", "./a", "--exec", "./a"}, exitUsage, `--exec "a,exec": want each predictor once with the same classes; 'name: ./my.py' gives a program a name`},
		{[]string{"--exec", " "}, exitUsage, "want a command line, such as ./my.py"},
		{[]string{"--exec", "./a", "--require", "accuracy(b,exec)>0"}, exitUsage, `instead of "b"`},
	} {
		got := loadstone(t, "", append([]string{"runtime", log, "-o", filepath.Join(t.TempDir(), "o.json")}, c.args...)...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) || strings.Contains(got.err, "job runtime") {
			t.Errorf("%q: exit code %d, %q, want %d and %q", c.args, got.code, got.err, c.code, c.want)
		}
	}
}

// TestRuntimeExecInterrupted: a signal ends the program and what it started.
func TestRuntimeExecInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	dir := t.TempDir()
	held := filepath.Join(dir, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	log := writeLog(t, runtimeLog)
	p := newProcess(t, dir, "runtime", log, "--exec", "exec 3>held; echo >&3; sleep 1000 & cat >/dev/null")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(held) // waits for the program
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGINT)
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, &p.err)
	}
	r.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := r.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("processes are left: %d, %v", n, err)
	}
}

// manualPrograms writes the programs of the manual into the current folder. Where
// a language is missing, its program is not among the names.
func manualPrograms(t *testing.T) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for _, p := range []struct{ page, language, name, needs string }{
		{"guides/benchmark-a-predictor.md", "python", "last2.py", "python3 -c ''"},
		{"reference/pipelines.md", "r", "last2.R", "Rscript -e 'library(jsonlite)'"},
	} {
		text := mustRead(t, "../../../docs/"+p.page)
		code := regexp.MustCompile("(?s)```" + p.language + "\n(.*?)```").FindStringSubmatch(text)
		if code == nil {
			t.Fatalf("docs/%s has no program in %s", p.page, p.language)
		}
		if err := os.WriteFile(filepath.Join(dir, p.name), []byte(code[1]), 0o777); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("sh", "-c", p.needs).CombinedOutput(); err != nil {
			t.Logf("%s is not run: %s: %v: %s", p.name, p.needs, err, out)
			continue
		}
		names = append(names, p.name)
	}
	t.Chdir(dir)
	if len(names) == 0 {
		t.Skip("neither python3 nor R with jsonlite is installed")
	}
	return names
}

// TestRuntimeManualPrograms: the manual's programs have last2's scores, to the
// last digit.
func TestRuntimeManualPrograms(t *testing.T) {
	for _, log := range []string{"", "swf/KTH-SP2-1996-2.1-cln.swf.gz"} {
		t.Run(log, func(t *testing.T) {
			args := []string{"runtime", "", "-q", "--replicates", "0", "--predictors", "last2", "--classes", "user"}
			if log == "" {
				args[1] = writeLog(t, runtimeLog)
			} else {
				dir := t.TempDir()
				if got := loadstone(t, "", "split", reallogs.Path(t, log), "-q", "--parts", "9", "-o", filepath.Join(dir, "{n}.swf")); got.code != exitDone {
					t.Fatal(got.err)
				}
				args[1] = filepath.Join(dir, "5.swf")
			}
			names := manualPrograms(t)
			for _, name := range names {
				args = append(args, "--exec", "./"+name)
			}
			var r evaluate.RunTimesResult
			decode(t, &r, args...)
			want := r.Score("last2", "user")
			for _, name := range names {
				got := r.Score(name, evaluate.ProgramClasses)
				if got == nil {
					t.Fatalf("%s is not scored", name)
				}
				if got.RunTime != want.RunTime || got.RunTimeDetail != want.RunTimeDetail {
					t.Errorf("%s: %+v %+v, want %+v %+v", name, got.RunTime, got.RunTimeDetail, want.RunTime, want.RunTimeDetail)
				}
			}
		})
	}
}
