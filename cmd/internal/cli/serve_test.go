package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
	stop func() (exitCode int, log string) // as by a signal
}

// logged is the log of a service; it can be read while it is written.
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

// get returns the answer to a GET request, and its status.
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

// read decodes the answer to a GET request.
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

// queuedLog writes a log with waits to a directory.
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

// quickly is a speed at which the replay of a log takes only a moment.
const quickly = "1e9"
