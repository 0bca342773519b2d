package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

const secret = "correct-horse-battery-staple"

// newServer returns a server for a fake service.
func newServer(t testing.TB, f *fake, o Options) *Server {
	t.Helper()
	s, err := New(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request, with pairs of header names and values, to a server.
func ask(s *Server, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost/", strings.NewReader(body))
	// Parsed as by a server: NewRequest panics for an invalid target.
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// summary returns the status of a response and, if it has problem details, which must be complete,
// the parameter at fault.
func summary(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Code < 400 {
		return fmt.Sprint(w.Code)
	}
	p := problemIn(t, w)
	return strings.TrimSpace(fmt.Sprint(p.Status, " ", p.Parameter))
}

func problemIn(t testing.TB, w *httptest.ResponseRecorder) (p Problem) {
	t.Helper()
	err := json.Unmarshal(w.Body.Bytes(), &p)
	if err != nil || w.Header().Get("Content-Type") != "application/problem+json" || p.Status != w.Code || p.Title == "" || p.Type == "" || p.Detail == "" {
		t.Fatalf("status %d: %v, %+v: %s", w.Code, err, p, w.Body)
	}
	return p
}

func long(n int) string { return strings.Repeat("x", n) }

// Requests and their answers: see testdata/requests.txt.
func TestRequests(t *testing.T) {
	text := jobtest.Must(os.ReadFile("testdata/requests.txt"))
	for line := range strings.Lines(string(text)) {
		line, want, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok || line[0] == '#' {
			continue
		}
		f := newFake()
		s := newServer(t, f, Options{Hosts: []string{"Portal.example.org"}})
		line, host, _ := strings.Cut(line, " @")
		line, body, _ := strings.Cut(line, " <")
		method, target, _ := strings.Cut(line, " ")
		w := ask(s, method, target, body, "Host", host)
		got := summary(t, w)
		if w.Code < 400 && len(f.asked) > 0 {
			got += fmt.Sprintf(" %+v", f.asked[0])
		}
		if method == "POST" && w.Code == 200 {
			got = ""
			for i, asked := range f.asked {
				got += []string{"", ", "}[min(i, 1)] + fmt.Sprint(asked)
			}
		}
		if got != want {
			t.Errorf("%.100s: %s, want %s", line, got, want)
		}
	}
}

// Every parameter of every route is refused if it is out of range, of the wrong type, too long, not
// a valid text, or repeated, and so is an unknown parameter. The question then does not reach the
// service.
func TestParametersAreChecked(t *testing.T) {
	needed := map[string]string{"/v1/wait": "size=1"}
	for _, r := range routes() {
		if r.question == nil {
			continue
		}
		path := strings.ReplaceAll(r.Path, "{id}", "1") + "?"
		bad := map[string]string{path + needed[r.Path] + "&colour=red": "colour", path + "%zz": "", path + "a;b=1": ""}
		for _, p := range r.Parameters() {
			others := needed[r.Path] + "&"
			if strings.HasPrefix(others, p.Name+"=") {
				others, bad[path] = "", p.Name
			}
			values := []string{"%00", "%FF", "1&" + p.Name + "=1"}
			switch {
			case p.Range != "":
				values = append(values, "x", "NaN", "Inf", "1e999", "-1", "0")
			case p.Choices != nil:
				values = append(values, "asleep")
			default:
				values = append(values, long(mostText+1))
			}
			for _, value := range values {
				bad[path+others+p.Name+"="+value] = p.Name
			}
		}
		for target, parameter := range bad {
			f := newFake()
			if got, want := summary(t, ask(newServer(t, f, Options{}), "GET", target, "")), strings.TrimSpace("400 "+parameter); got != want || len(f.asked) > 0 {
				t.Errorf("%.90s: %s, want %s; asked %v", target, got, want, f.asked)
			}
		}
	}
}

// A body with too many requests is refused before it is decoded, which would take many times its
// size in memory, and a larger one before it is read.
func TestLongBodies(t *testing.T) {
	for body, want := range map[string]string{
		`{"sizes":[` + strings.Repeat("1,", 400_000) + `1]}`: "more than 100 requests", `{"requests":[` + strings.Repeat("{},", 300_000) + `{}]}`: "more than 100 requests",
		`{"sizes":[` + strings.Repeat("1,", mostWaits) + `1]}`: "more than 100 requests", strings.Repeat("[", 100_000): "incomplete JSON", `{"user":"` + long(mostBody): "larger than 1048576 bytes",
	} {
		f := newFake()
		s := newServer(t, f, Options{})
		var w *httptest.ResponseRecorder
		used := testing.AllocsPerRun(1, func() { w = ask(s, "POST", "/v1/wait", body) })
		if p := problemIn(t, w); !strings.Contains(p.Detail, want) || used > 5000 || len(f.asked) > 0 {
			t.Errorf("%.20s: %+v after %g allocations", body, p, used)
		}
	}
}

// target returns a request that a route answers.
func target(r route) (target, body string) {
	switch target = strings.ReplaceAll(r.Path, "{id}", "7"); {
	case r.Posts:
		return target, `{"size":1}`
	case r.Path == "/v1/wait":
		return target + "?size=1", ""
	}
	return target, ""
}

// Every fault has its status on every route, reveals no internals, and is included in the API
// description.
func TestFaults(t *testing.T) {
	document := OpenAPI()
	var d struct {
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	jobtest.NoError(t, json.Unmarshal(document, &d))
	log, text := logged()
	for name, c := range map[string]struct {
		change func(*fake, *Options)
		host   string
		want   string // "" stands for the status without a fault
		only   string // only these routes
	}{
		"none":      {nil, "localhost", "200 ", ""},
		"token":     {func(_ *fake, o *Options) { o.TokenFile = writeToken(t, secret) }, "any.example", "401 ", "v1|readyz|metrics|openapi"},
		"host":      {nil, "evil.example", "421 ", ""},
		"not ready": {func(f *fake, _ *Options) { f.fault = fmt.Errorf("today: %w", live.ErrNotReady) }, "", "503 5", "wait|jobs|scores"},
		"too long":  {func(f *fake, _ *Options) { f.fault = context.DeadlineExceeded }, "", "503 5", "wait|jobs|scores"},
		"stale":     {func(f *fake, _ *Options) { f.status = func(s *live.Status) { s.Ready = false } }, "", "503 5", "readyz"},
		"panic":     {func(f *fake, _ *Options) { f.panics = true }, "", "500 ", "v1|readyz"},
		"inside":    {func(f *fake, _ *Options) { f.fault = errors.New("the disk at /secret is full") }, "", "500 ", "wait|jobs|scores"},
	} {
		for _, r := range routes() {
			if !regexp.MustCompile(c.only).MatchString(r.Path) {
				continue
			}
			f, o := newFake(), Options{Log: log}
			if c.change != nil {
				c.change(f, &o)
			}
			target, body := target(r)
			w := ask(newServer(t, f, o), r.method(), target, body, "Host", c.host)
			if got := fmt.Sprint(w.Code, " ", w.Header().Get("Retry-After")); got != c.want {
				t.Errorf("%s, %s: %s, want %s: %s", name, r.Name, got, c.want, w.Body)
			}
			if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "told to") {
				t.Errorf("%s, %s: the answer tells an internal fault: %s", name, r.Name, w.Body)
			}
			if d.Paths[r.Path][strings.ToLower(r.method())].Responses[fmt.Sprint(w.Code)] == nil {
				t.Errorf("%s: status %d is not described", r.Name, w.Code)
			}
		}
	}
	for _, want := range []string{"/secret is full", "told to panic", "fake_test.go"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the log has no %s", want)
		}
	}
	for _, reference := range regexp.MustCompile(`"#/components/(\w+)/(\w+)"`).FindAllSubmatch(document, -1) {
		var parts struct{ Components map[string]map[string]any }
		if err := json.Unmarshal(document, &parts); err != nil || parts.Components[string(reference[1])][string(reference[2])] == nil {
			t.Errorf("the description lacks %s", reference[0])
		}
	}
}

// HEAD returns the headers of GET; other methods are refused.
func TestMethods(t *testing.T) {
	s := newServer(t, newFake(), Options{Page: map[string]http.Handler{"/{$}": pageOf("hello")}})
	for _, r := range routes() {
		target, _ := target(r)
		allow := "GET, HEAD"
		if strings.HasSuffix(r.Path, "/wait") {
			allow += ", POST"
		}
		for _, method := range []string{"DELETE", "PUT", "OPTIONS", "BREW"} {
			if w := ask(s, method, target, ""); summary(t, w) != "405" || w.Header().Get("Allow") != allow {
				t.Errorf("%s %s: status %d, Allow %q", method, target, w.Code, w.Header().Get("Allow"))
			}
		}
		if r.Posts || r.Path == metricsPath {
			continue
		}
		get, head := ask(s, "GET", target, ""), ask(s, "HEAD", target, "")
		if diff := cmp.Diff(get.Header(), head.Header()); diff != "" || head.Code != 200 || get.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %s", target, head.Code, diff)
		}
	}
	if w := ask(s, "POST", "/", ""); summary(t, w) != "405" {
		t.Errorf("posted to the page: %d", w.Code)
	}
}

func pageOf(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// The reason why the service is not ready.
func TestReady(t *testing.T) {
	for want, change := range map[string]func(*live.Status){
		"the service is learning: 77 events so far": func(s *live.Status) { s.Phase, s.Learned = live.Learning, 77 },
		"the state is 300 s old; the last poll failed: squeue: timed out": func(s *live.Status) {
			s.State.Stale, s.State.Age, s.Fault = true, 300, "squeue: timed out"
		},
	} {
		f := newFake()
		f.status = func(s *live.Status) { s.Ready = false; change(s) }
		if p := problemIn(t, ask(newServer(t, f, Options{}), "GET", "/readyz", "")); p.Detail != want {
			t.Errorf("%s, want %s", p.Detail, want)
		}
	}
}

// Answers have a deadline, and only a few that need much memory are computed at once.
func TestAnswersAreBounded(t *testing.T) {
	f := newFake()
	asked, release := make(chan bool), make(chan bool)
	f.wait = func(ctx context.Context, _ live.Request) error {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("no deadline")
		}
		asked <- true
		<-release
		return nil
	}
	s := newServer(t, f, Options{})
	done := make(chan int)
	for range 32 {
		go func() { done <- ask(s, "POST", "/v1/wait", `{"size":1}`).Code }()
		<-asked
	}
	if w := ask(s, "POST", "/v1/wait", `{"size":1}`); summary(t, w) != "503" || w.Header().Get("Retry-After") != "1" {
		t.Error(w.Body)
	}
	for range 32 {
		release <- true
		if status := <-done; status != 200 {
			t.Error(status)
		}
	}
}

// The log has one line per request, without names, tokens or invented methods.
func TestLog(t *testing.T) {
	log, text := logged()
	s := newServer(t, newFake(), Options{Log: log})
	ask(s, "GET", "/v1/wait?size=1&user=ann", "", "Authorization", "Bearer "+secret)
	ask(s, "POST", "/v1/wait", `{"size":1,"user":"ann"}`)
	ask(s, "GET", "/v1/jobs/7", "")
	ask(s, "BREWANN", "/v1/wait", "")
	ask(s, "GET", "/v1/wait?size=1", "", "Host", "evil.example")
	ask(s, "GET", "/ann", "")
	var got []string
	for line := range strings.Lines(text.String()) {
		var l struct {
			Method, Route string
			Status, Bytes int
			Duration      *float64 `json:"duration_s"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Duration == nil || l.Bytes == 0 {
			t.Errorf("%v: %s", err, line)
		}
		got = append(got, fmt.Sprint(l.Method, " ", l.Route, " ", l.Status))
	}
	if diff := cmp.Diff([]string{"GET /v1/wait 200", "POST /v1/wait 200", "GET /v1/jobs/{id} 200", "other /v1/wait 405", "GET none 421", "GET / 404"}, got); diff != "" {
		t.Error(diff)
	}
	if regexp.MustCompile(`(?i)ann|evil|horse`).MatchString(text.String()) {
		t.Errorf("the log has a name or a token:\n%s", text)
	}
}

func TestHeaders(t *testing.T) {
	s := newServer(t, newFake(), Options{FrameAncestors: []string{"https://ondemand.example.org"}, Page: map[string]http.Handler{"/{$}": pageOf("hello")}})
	want := http.Header{
		"Content-Security-Policy":      {"default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'self' https://ondemand.example.org"},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"no-referrer"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}
	for _, path := range []string{"/v1/wait?size=1", "/v1/wait", "/", "/nothing", "/healthz", "/metrics"} {
		got := ask(s, "GET", path, "", "Origin", "https://evil.example").Header()
		maps.DeleteFunc(got, func(name string, _ []string) bool { return strings.HasPrefix(name, "Content-") && want[name] == nil })
		if diff := cmp.Diff(want, got); diff != "" { // without Access-Control-Allow-Origin
			t.Errorf("%s: %s", path, diff)
		}
	}
	for _, bad := range []string{"", "https://a; script-src *", "a b", "a\r\nX: y", "a,b"} {
		var option *workload.OptionError
		if _, err := New(newFake(), Options{FrameAncestors: []string{bad}}); !errors.As(err, &option) || option.Option != "frame-ancestors" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func writeToken(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	jobtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestToken(t *testing.T) {
	s := newServer(t, newFake(), Options{TokenFile: writeToken(t, secret+"\n"), Page: map[string]http.Handler{"/{$}": pageOf("hello")}})
	for _, c := range []struct {
		path, authorization string
		status              int
	}{
		{"/v1/status", "", 401}, {"/v1/status", "Bearer", 401}, {"/v1/status", "Bearer ", 401}, {"/v1/status", "Bearer " + secret[:20], 401},
		{"/v1/status", "Bearer " + secret + "x", 401}, {"/v1/status", "Basic " + secret, 401}, {"/v1/status?token=" + secret, "", 401},
		{"/v1/status", "Bearer " + secret, 200}, {"/v1/status", "bearer " + secret, 200},
		{"/healthz", "", 200}, {"/", "", 200}, {"/v1/nothing", "", 404},
	} {
		w := ask(s, "GET", c.path, "", "Authorization", c.authorization, "Host", "any.example")
		if w.Code != c.status || w.Code == 401 && w.Header().Get("WWW-Authenticate") != `Bearer realm="loadstone"` || strings.Contains(w.Body.String(), secret[:20]) {
			t.Errorf("%s with %q: status %d, want %d: %s", c.path, c.authorization, w.Code, c.status, w.Body)
		}
	}
}

func TestBadTokenFiles(t *testing.T) {
	readable := writeToken(t, secret)
	jobtest.NoError(t, os.Chmod(readable, 0o644))
	for path, want := range map[string]string{
		readable: "has mode 0644", readable + "0": "no such file", t.TempDir(): "not a regular file", writeToken(t, ""): "0 bytes",
		writeToken(t, "short"): "5 bytes", writeToken(t, long(mostToken+1)): "4097 bytes", writeToken(t, "two words of a token"): "several words",
	} {
		_, err := New(newFake(), Options{TokenFile: path})
		if err == nil || !strings.HasPrefix(err.Error(), "token-file: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "words of") {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestMetrics(t *testing.T) {
	f := newFake()
	f.closed, f.lost = "gpu", watch.Unavailable{Drained: 64}
	f.status = func(s *live.Status) { s.Failed, s.Took, s.Digest, s.Store = 1, .5, .25, 4096 }
	s := newServer(t, f, Options{})
	ask(s, "GET", "/v1/wait?size=1", "")
	ask(s, "GET", "/v1/wait", "")
	text := ask(s, "GET", "/metrics", "").Body.String()
	for want := range strings.Lines(`loadstone_ready 1
loadstone_poll_age_seconds 12
loadstone_polls_total 100
loadstone_polls_failed_total 1
loadstone_poll_duration_seconds 0.5
loadstone_poll_digest_seconds 0.25
loadstone_store_bytes 4096
loadstone_jobs{state="running"} 57
loadstone_jobs{state="pending"} 30
loadstone_processors 960
loadstone_free_processors 96
loadstone_unavailable_processors{reason="drained"} 64
loadstone_unavailable_processors{reason="down"} 0
loadstone_partition_blocked{partition="batch",reason=""} 0
loadstone_partition_blocked{partition="gpu",reason="partition-down"} 1
loadstone_partition_jobs{partition="batch",state="pending"} 30
loadstone_partition_jobs{partition="long",state="running"} 28
loadstone_partition_processors{partition="long"} 512
loadstone_predicted_wait_seconds{level="0.95",partition="batch",size_class="64"} 9000
loadstone_bound_answers_total{level="0.95",predictor="bmbp"} 2040
loadstone_bound_settled_total{level="0.95",predictor="bmbp"} 2000
loadstone_bound_held_total{level="0.95",predictor="bmbp"} 1993
loadstone_bound_censored_total{level="0.95",predictor="bmbp"} 25
loadstone_bound_coverage_ratio{level="0.5",predictor="bmbp"} 0.497
loadstone_bound_pinball_loss_seconds{level="0.8",predictor="bmbp"} 156
loadstone_http_request_duration_seconds_count{code="200",route="/v1/wait"} 1
loadstone_http_request_duration_seconds_count{code="400",route="/v1/wait"} 1
loadstone_http_request_duration_seconds_bucket{code="200",le="+Inf",route="/v1/wait"} 1
`) {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	if lacks := regexp.MustCompile(`predicted_wait_seconds{[^}]*"gpu"|size_class="4096"|# HELP \w+ \n`).FindString(text); lacks != "" || !strings.Contains(text, `loadstone_build_info{version="`) {
		t.Errorf("%s in\n%s", lacks, text)
	}
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("no promtool: the metrics are not checked by it")
	}
	c := exec.Command("promtool", "check", "metrics")
	c.Stdin = strings.NewReader(text)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// Thousands of partitions, names that are invalid text, and two similar names result in few labels.
func TestMetricsOfManyPartitions(t *testing.T) {
	f := newFake()
	f.partitions = []live.Partition{{Name: "a \"\\\n", Pending: 30}, {Name: "\xff", Processors: 1, Pending: 20}, {Name: "\xfe", Processors: 1, Pending: 10}, {Name: otherLabel, Pending: 5}, {Name: long(1e6), Processors: 1, Pending: 5}}
	for i := range 9996 {
		f.partitions = append(f.partitions, live.Partition{Name: fmt.Sprint("p", i), Running: 1})
	}
	w := ask(newServer(t, f, Options{}), "GET", "/metrics", "")
	text := w.Body.String()
	if n := strings.Count(text, "\nloadstone_"); w.Code != 200 || n > 500 || len(text) > 1e5 {
		t.Errorf("status %d, %d series, %d bytes", w.Code, n, len(text))
	}
	for _, want := range []string{
		`jobs{partition="a \"\\\n",state="pending"} 30`, `jobs{partition="?",state="pending"} 30`, `jobs{partition="other",state="running"} 9951`, `jobs{partition="other",state="pending"} 5`, `processors{partition="` + long(64) + `"} 1`,
	} {
		if !strings.Contains(text, "\nloadstone_partition_"+want+"\n") {
			t.Errorf("no %.90s", want)
		}
	}
}

// A scrape before the first state, or after a panic, returns the metrics that are available.
func TestMetricsBeforeTheFirstState(t *testing.T) {
	for _, f := range []*fake{{fault: live.ErrNotReady, status: func(s *live.Status) { s.Ready = false }}, {panics: true}} {
		w := ask(newServer(t, f, Options{}), "GET", "/metrics", "")
		if text := w.Body.String(); w.Code != 200 || strings.Contains(text, "\nloadstone_ready 0\n") == f.panics || strings.Contains(text, "loadstone_bound") {
			t.Errorf("%d: %s", w.Code, text)
		}
	}
}

// FuzzRequests uses arbitrary text as a query and as a body: each is answered or refused, with JSON
// in which no text, nor any name from Slurm, can end a script or begin a tag.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{
		"size=64&time=1-12:00&partition=batch&user=%C3%A4", "size=1000000000000000000", "size=1&size=1",
		"partition=a&limit=5", "%zz", "size=1&time=0x1p5", "size=1&time=1e-400", strings.Repeat("\x89", 61), "size=" + strings.Repeat("%89", 61),
		`{"requests":[{"size":64,"time_s":7200,"user":"ä"}]}`, `{"sizes":[1,2],"time_s":null}`, `{"size":1,"time_s":1e308}`, `[[[[`, `{"SIZE":1,"size":2}`, "size=1&user=<script>", "<script>=1",
	} {
		f.Add(seed)
	}
	service := newFake()
	service.name = "<script>"
	s := newServer(f, service, Options{})
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range routes() {
			service.asked = nil
			target, _ := target(r)
			path, _, _ := strings.Cut(target, "?")
			w := ask(s, r.method(), path+"?"+text, text)
			if r.Posts {
				w = ask(s, r.method(), path, text)
			}
			if !slices.Contains([]int{200, 400, 404, 413, 422}, w.Code) || strings.HasPrefix(path, "/v1") && (!json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "<")) {
				t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
			}
			if len(service.asked) > mostWaits {
				t.Errorf("%d questions", len(service.asked))
			}
		}
	})
}
