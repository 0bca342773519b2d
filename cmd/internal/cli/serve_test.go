package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
)

// service is a service that runs in this process.
type service struct {
	t    *testing.T
	url  string
	stop func() (exitCode int, log string) // as a signal does
}

// logged is the log of a service, which is read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var listening = regexp.MustCompile(`url=(http://\S+)`)

// startService starts loadstone serve on a free port.
func startService(t *testing.T, args ...string) *service {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := &logged{}
	code := make(chan int, 1)
	args = append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)
	go func() { code <- run(ctx, args, Streams{strings.NewReader(""), log, log}) }()
	s := &service{t: t}
	s.stop = sync.OnceValues(func() (int, string) {
		cancel()
		return <-code, log.String()
	})
	t.Cleanup(func() { s.stop() })
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		if found := listening.FindStringSubmatch(log.String()); found != nil {
			s.url = found[1]
			return s
		}
		select {
		case n := <-code:
			code <- n
			t.Fatalf("%q ended with code %d\n%s", args, n, log)
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("%q does not listen\n%s", args, log)
		}
	}
}

// get returns the answer to a GET, and its status.
func (s *service) get(path string) (int, string) {
	s.t.Helper()
	r, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// read decodes the answer to a GET.
func (s *service) read(path string, into any) {
	s.t.Helper()
	status, text := s.get(path)
	if status != http.StatusOK {
		s.t.Fatalf("%s: status %d, %s", path, status, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.t.Fatalf("%s: %v in %s", path, err, text)
	}
}

// ended waits until a replay has ended.
func (s *service) ended(within time.Duration) {
	s.t.Helper()
	var status live.Status
	for end := time.Now().Add(within); status.Phase != live.Ended; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the replay takes more than %v: %+v", within, status)
		}
		s.read("/v1/status", &status)
	}
}

// queuedLog writes a log with waits into a folder.
func queuedLog(t *testing.T, jobs int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "queued.swf")
	made := filepath.Join(t.TempDir(), "made.swf")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", fmt.Sprint(jobs), "--set", "users.count=20", "--estimates", "tsafrir", "--max-estimate", "64800", "--seed", "1", "-o", made},
		{"simulate", made, "--procs", "128", "-o", name},
	} {
		if got := loadstone(t, "", append(args, "-q")...); got.code != exitDone {
			t.Fatalf("%q: exit code %d: %s", args, got.code, got.err)
		}
	}
	return name
}

// quickly is a speed at which a log takes a moment.
const quickly = "1e9"

// A replay answers, ends, goes on answering, and is stopped with code 0.
func TestServeReplay(t *testing.T) {
	s := startService(t, "--replay", queuedLog(t, 1000), "--speed", quickly, "--store", t.TempDir())
	s.ended(time.Minute)
	var answer live.Answer
	s.read("/v1/wait?size=16&time=3600", &answer)
	if len(answer.Predictions) == 0 || answer.State.Age != 0 || answer.State.Processors != 128 {
		t.Errorf("answer %+v", answer)
	}
	for path, want := range map[string]string{
		"/": "<!doctype html>", "/readyz": "ready", "/healthz": "ok", "/metrics": "loadstone_bound_coverage_ratio", "/openapi.json": "{",
	} {
		if status, text := s.get(path); status != http.StatusOK || !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("%s: status %d, %.200s", path, status, text)
		}
	}
	code, log := s.stop()
	if code != exitDone || !strings.Contains(log, "the source has ended") || !strings.Contains(log, "msg=stopping") {
		t.Errorf("exit code %d\n%s", code, log)
	}
}

// A store is of one source and of one process.
func TestServeStores(t *testing.T) {
	log, other, store := queuedLog(t, 50), filepath.Join(t.TempDir(), "other.swf"), t.TempDir()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s := startService(t, "--replay", log, "--speed", quickly, "--store", store)
	again := loadstone(t, "", "serve", "--replay", log, "--store", store, "--listen", "127.0.0.1:0")
	if again.code != exitFailed || !strings.Contains(again.err, fmt.Sprintf("saw a store that process %d has open", os.Getpid())) {
		t.Errorf("a second instance: exit code %d, %s", again.code, again.err)
	}
	s.stop()
	of := loadstone(t, "", "serve", "--replay", other, "--store", store, "--listen", "127.0.0.1:0")
	if of.code != exitFailed || !strings.Contains(of.err, "saw a store of the source replay of queued.swf, want one of the source replay of other.swf") {
		t.Errorf("another log: exit code %d, %s", of.code, of.err)
	}
}

// Faults of the command line say what is wanted, with exit code 2.
func TestServeUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"unknown.conf": "# comment\n\nlistne = 127.0.0.1:0\n",
		"twice.conf":   "replay = a.swf\nspeed = 1\nspeed = 2\n",
		"value.conf":   "replay = a.swf\nspeed = fast\n",
		"line.conf":    "replay\n",
		"none.conf":    "replay =\n",
		"nested.conf":  "config = other.conf\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"":                        "want exactly one of --slurm, --state, --replay, saw none",
		"--slurm --replay a.swf":  "saw slurm (by --slurm) and replay (by --replay)",
		"--slurm=false":           "saw none",
		"--slurm --speed 3":       "--speed 3: want --replay with it",
		"--replay a --speed 0":    "--speed 0: want a number above 0, at most 1e12",
		"--replay a --speed NaN":  "--speed NaN: want a number above 0",
		"--slurm --interval 0":    "--interval 0: want 0.1 to 1e12",
		"--slurm --history a.swf": `--history "a.swf": want --state with it`,
		"--replay a --store=":     `--store "": want a folder`,
		"--replay a --procs 0":    "--procs 0: want 1 or more",
		"--replay a log.swf":      `unknown command "log.swf"`,
		"--config unknown.conf":   "unknown.conf:3: unknown setting listne, want the name of a flag without --; did you mean listen?",
		"--config twice.conf":     "twice.conf:3: speed is set a second time, see line 2",
		"--config value.conf":     `value.conf:2: speed: "fast": want a number`,
		"--config line.conf":      `line.conf:1: saw "replay", want name = value`,
		"--config none.conf":      "none.conf:1: replay: the value is missing",
		"--config nested.conf":    "nested.conf:1: config is set on the command line or by LOADSTONE_CONFIG, not in a file of settings",
		"--slurm --confidence 2":  "--confidence 2: want a number between 0 and 1",
		"--slurm --log-level all": "--log-level \"all\": want one of debug, info, warn, error",
	} {
		got := loadstone(t, "", append([]string{"serve"}, strings.Fields(args)...)...)
		if got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %swant %s", args, got.code, got.err, want)
		}
	}
	for args, want := range map[string]string{
		"--replay none.swf":   "none.swf: no such file",
		"--config no.conf":    "no.conf: no such file",
		"--replay twice.conf": "twice.conf",
	} {
		got := loadstone(t, "", append([]string{"serve"}, strings.Fields(args)...)...)
		if got.code != exitFailed || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %swant %s", args, got.code, got.err, want)
		}
	}
}

// The command line goes before the environment, and that before the file.
func TestServeSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("serve.conf", []byte("\ufeff# of a test\r\nreplay = file.swf\r\nspeed = 1\n  interval=60\npredictors = bmbp , qbets\nshow-users = true\nhosts = a,b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LOADSTONE_CONFIG", "serve.conf")
	t.Setenv("LOADSTONE_SPEED", "2")
	t.Setenv("LOADSTONE_INTERVAL", "2m")
	t.Setenv("LOADSTONE_STORE", "") // unset
	t.Setenv("LOADSTONE_PORT", "tcp://10.0.0.1:80")
	var got serveOptions
	a := &app{}
	cmd := newServeCmd(a, func(_ context.Context, _ *app, o serveOptions) error { got = o; return nil })
	cmd.SetArgs([]string{"--speed", "3"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	s := got.Source
	if s.Replay != "file.swf" || s.Speed != 3 || s.Interval != 120 || got.Store != "" || !got.Live.ShowUsers || strings.Join(got.Live.Predictors, ",") != "bmbp,qbets" || strings.Join(got.HTTP.Hosts, ",") != "a,b" {
		t.Errorf("options %+v", got)
	}
	if text := fmt.Sprint(got.settings...); !strings.Contains(text, "interval120") || !strings.Contains(text, "listen127.0.0.1:8080") {
		t.Errorf("settings for the log: %q", got.settings)
	}
}
