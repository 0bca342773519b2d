package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/serve/web"
	"github.com/loadstone-hpc/loadstone/internal/browser"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// hostile is a name that would be executed in a page that interprets it as HTML.
const hostile = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`

// changes are the changes to the service that scripts use by name.
var changes = map[string]func(*fake){
	"learning": func(f *fake) {
		f.status = func(s *live.Status) {
			s.Phase, s.Learned, s.State = live.Learning, 123456, live.State{Time: f.now, Age: unknown}
		}
	},
	"stale": func(f *fake) {
		f.stale, f.age = true, 25*60
		f.withheld = &live.Withheld{Reason: live.ReasonStale, Text: "the state of the machine is too old"}
		f.status = func(s *live.Status) {
			s.Failed, s.InARow, s.Fault = 50, 50, "squeue: Unable to contact slurm controller"+f.name
			s.Ready = false
		}
	},
	"empty":   func(f *fake) { f.pending, f.settled, f.partitions = 0, 0, f.partitions[:1] },
	"crowded": func(f *fake) { f.pending = 4567 },
	"drained": func(f *fake) {
		f.withheld = &live.Withheld{Reason: "unavailable", Text: "0 of 1024 processors of the machine are available"}
		f.lost = watch.Unavailable{Drained: 1024}
		f.warnings = []workload.Warning{{Rule: "unseen-user", Text: "no job of this user is known", Count: 1}}
	},
	"hostile":  func(f *fake) { f.name, f.partitions[1].Name = hostile, hostile },
	"endless":  func(f *fake) { f.name = strings.Repeat("W", 1<<20); f.partitions[1].Name = f.name },
	"backward": func(f *fake) { f.name = "\u202emoc.live\x00\n"; f.partitions[1].Name = f.name },
}

// TestPage runs the scripts of testdata/page in a browser: one command per line, with its arguments
// after tabs. See pageScript.do.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser")
	}
	b := browser.New(t)
	defer b.For(t)
	scripts, _ := filepath.Glob("testdata/page/*.txt")
	if len(scripts) < 10 {
		t.Errorf("%d scripts", len(scripts))
	}
	for _, name := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text := jobtest.Must(os.ReadFile(name))
			b.For(t)
			b.Screen(1280, 900, "", "light")
			s := &pageScript{Browser: b, t: t, fake: newFake(), options: Options{Page: web.Files()}}
			s.fake.now = time.Now().Truncate(time.Second)
			s.fake.wait = func(_ context.Context, q live.Request) error {
				switch q.Size {
				case 13:
					return workload.OptionFault("size", q.Size, "anything else")
				case 192:
					time.Sleep(300 * time.Millisecond)
				}
				return nil
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					fields := strings.Split(line, "\t")
					s.do(fields[0], append(fields[1:], "", "", "")) // arguments may be omitted
				}
			}
		})
	}
}

// pageScript is the state of a running script.
type pageScript struct {
	*browser.Browser
	t       *testing.T
	fake    *fake
	options Options
	path    string // prefix of the page's path, without the last slash
	address string // of the page

	mu    sync.Mutex
	asked []string // since "forget"
}

const filled = `document.getElementById("answer").ariaBusy === "false" && document.getElementById("queue-list").childElementCount > 0 && document.getElementById("scores-list").childElementCount > 0`

// do executes one line of a script.
func (s *pageScript) do(command string, args []string) {
	at := command + " " + strings.TrimSpace(strings.Join(args, " "))
	element := "document.getElementById(" + strconv.Quote(args[0]) + ")"
	number, _ := strconv.Atoi(args[0])
	other, _ := strconv.Atoi(args[1])
	switch command {
	case "is": // changes the service from now on
		s.fake.change(changes[args[0]])
	case "token": // sets the token that the service requires
		s.options.TokenFile = writeToken(s.t, args[0])
	case "below": // sets the path prefix
		s.path = args[0]
	case "open": // opens the page, with a suffix of its address
		s.open(args[0])
	case "filled": // waits until the page shows an answer, the queue and the scores
		s.Wait(filled)
	case "true": // waits until an expression is true
		s.Wait(args[0])
	case "value": // checks the value of an expression, as text
		var got string
		if s.Eval("(async () => String("+args[0]+"))()", &got); got != args[1] {
			s.t.Errorf("%s: saw %s", at, got)
		}
	case "want", "lack": // checks that a text is, or is not, visible in an element found by a selector
		var got string
		s.Eval(`document.querySelector(`+strconv.Quote(args[0])+`).innerText.replaceAll("\u00a0", " ")`, &got)
		if strings.Contains(got, args[1]) == (command == "lack") {
			s.t.Errorf("%s: saw %q", at, got)
		}
	case "fill": // fills in a field as a person does, after selecting its content
		s.Eval(element+".select()", nil)
		s.Call("Input.insertText", map[string]any{"text": args[1]}, nil)
	case "submit": // submits a form
		s.Eval(element+".requestSubmit()", nil)
	case "key": // presses a key, given by name and number
		s.Key(args[0], other)
	case "forget": // forgets the recorded questions
		s.mu.Lock()
		s.asked = nil
		s.mu.Unlock()
	case "asked": // waits until a question contains a text
		for range 600 {
			if s.questions(args[0]) > 0 {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		s.t.Errorf("%s: not asked in %q", at, s.asked)
	case "times": // checks the minimum and maximum number of questions with a text
		if n := s.questions(args[2]); n < number || n > other {
			s.t.Errorf("%s: %d times in %q", at, n, s.asked)
		}
	case "clock": // advances the clock by milliseconds
		s.Events = nil
		s.Call("Emulation.setVirtualTimePolicy", map[string]any{"policy": "pauseIfNetworkFetchesPending", "budget": number}, nil)
		for !slices.ContainsFunc(s.Events, func(e browser.Event) bool { return e.Method == "Emulation.virtualTimeBudgetExpired" }) {
			s.Eval("1", nil)
		}
	case "sleep": // milliseconds
		time.Sleep(time.Duration(number) * time.Millisecond)
	case "offline": // goes offline or online
		s.Call("Network.emulateNetworkConditions", map[string]any{"offline": args[0] == "true", "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	case "screen": // sets width and colour scheme
		s.Screen(number, 900, "", args[1])
	case "axe":
		s.Axe(s.t, args[0])
	case "spread": // sets the letter spacing, in 1/100 em
		s.Spread(float64(number) / 100)
	case "quiet": // checks that there are no errors, warnings or requests outside the service, except messages with a text
		s.quiet(args[0])
	default:
		s.t.Fatalf("no command %s", command)
	}
}

// open opens the page; the first call starts the server.
func (s *pageScript) open(suffix string) {
	if s.address == "" {
		inner, err := New(s.fake, s.options)
		if err != nil {
			s.t.Fatal(err)
		}
		server := httptest.NewServer(http.StripPrefix(s.path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v1/") {
				s.mu.Lock()
				s.asked = append(s.asked, r.URL.RequestURI())
				s.mu.Unlock()
			}
			inner.handler.ServeHTTP(w, r)
		})))
		s.t.Cleanup(server.Close)
		s.address = server.URL + s.path + "/"
	}
	checks, err := os.ReadFile("testdata/page/checks.js")
	if err != nil {
		s.t.Fatal(err)
	}
	s.Open(s.address + suffix)
	s.Eval(string(checks), nil)
}

// questions returns the number of questions that contain a text.
func (s *pageScript) questions(text string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.asked {
		n += min(1, strings.Count(q, text))
	}
	return n
}

func (s *pageScript) quiet(allowed string) {
	s.Call("Page.getLayoutMetrics", nil, nil) // pending events have arrived after this
	requests := 0
	for _, e := range s.Events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			if allowed == "" || !strings.Contains(string(e.Params), allowed) {
				s.t.Errorf("%s: %s", e.Method, e.Params)
			}
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if requests++; json.Unmarshal(e.Params, &p) != nil || !strings.HasPrefix(p.Request.URL, s.address) {
				s.t.Errorf("a request for %.100s", p.Request.URL)
			}
		}
	}
	if requests == 0 {
		s.t.Error("no request was seen, not even for the page")
	}
}
