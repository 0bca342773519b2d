package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/live"
)

func TestWait(t *testing.T) {
	for query, want := range map[string]live.Question{
		"size=64":                                           {Size: 64},
		"size=1&time=7200":                                  {Size: 1, Time: 7200},
		"size=64&time=2:00:00":                              {Size: 64, Time: 7200},
		"size=64&time=1-12:00":                              {Size: 64, Time: 36 * 3600},
		"size=64&time=90m&partition=batch":                  {Size: 64, Time: 5400, Partition: "batch"},
		"size=1&time_s=7200":                                {Size: 1, Time: 7200},
		"size=2&time=&partition=":                           {Size: 2}, // as a form sends it
		"size=2&memory_per_processor_kb=5":                  {Size: 2, Memory: 5},
		"size=2&memory=1e6&queue=q&user=%C3%A4+b&account=x": {Size: 2, Memory: 1e6, Queue: "q", User: "ä b", Account: "x"},
	} {
		f := newFake()
		w := ask(newServer(t, f, Options{}).Handler(), "GET", "/v1/wait?"+query, "")
		if w.Code != 200 || len(f.asked) != 1 || f.asked[0] != want {
			t.Errorf("%s: status %d, asked %+v, want %+v: %s", query, w.Code, f.asked, want, w.Body)
		}
		var answer live.Answer
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Request.Size != want.Size {
			t.Errorf("%s: %v, %s", query, err, w.Body)
		}
	}
}

func TestBadQueries(t *testing.T) {
	for target, want := range map[string]struct {
		status    int
		parameter string
	}{
		"/v1/wait":                                                   {400, "size"},
		"/v1/wait?size=":                                             {400, "size"},
		"/v1/wait?size=0":                                            {400, "size"},
		"/v1/wait?size=-1":                                           {400, "size"},
		"/v1/wait?size=1.5":                                          {400, "size"},
		"/v1/wait?size=many":                                         {400, "size"},
		"/v1/wait?size=NaN":                                          {400, "size"},
		"/v1/wait?size=1000000000000000000":                          {422, "size"},
		"/v1/wait?size=10000000000000000000":                         {400, "size"},
		"/v1/wait?size=1&size=2":                                     {400, "size"},
		"/v1/wait?size=1&time=NaN":                                   {400, "time"},
		"/v1/wait?size=1&time=Inf":                                   {400, "time"},
		"/v1/wait?size=1&time=-Inf":                                  {400, "time"},
		"/v1/wait?size=1&time=1e999":                                 {400, "time"},
		"/v1/wait?size=1&time=0":                                     {400, "time"},
		"/v1/wait?size=1&time=-60":                                   {400, "time"},
		"/v1/wait?size=1&time=soon":                                  {400, "time"},
		"/v1/wait?size=1&time_s=-60":                                 {400, "time_s"},
		"/v1/wait?size=1&time=60&time_s=60":                          {400, "time_s"},
		"/v1/wait?size=1&memory=1&memory_per_processor_kb=1":         {400, "memory_per_processor_kb"},
		"/v1/wait?size=1&memory=-1":                                  {400, "memory"},
		"/v1/wait?size=1&memory=nan":                                 {400, "memory"},
		"/v1/wait?size=1&partition=nowhere":                          {422, "partition"},
		"/v1/wait?size=1&partition=%00":                              {400, "partition"},
		"/v1/wait?size=1&partition=%FF":                              {400, "partition"},
		"/v1/wait?size=1&user=" + long(257):                          {400, "user"},
		"/v1/wait?size=1&colour=red":                                 {400, "colour"},
		"/v1/wait?size=1;time=2":                                     {400, ""},
		"/v1/wait?size=%zz":                                          {400, ""},
		"/v1/jobs?limit=0":                                           {400, "limit"},
		"/v1/jobs?limit=10001":                                       {400, "limit"},
		"/v1/jobs?state=asleep":                                      {400, "state"},
		"/v1/jobs?ids=1,x":                                           {400, "ids"},
		"/v1/jobs?ids=1,,2":                                          {400, "ids"},
		"/v1/jobs?ids=" + strings.Repeat("1,", mostIDs) + "1":        {400, "ids"},
		"/v1/jobs/x":                                                 {400, "id"},
		"/v1/jobs/-5":                                                {400, "id"},
		"/v1/jobs/" + long(300):                                      {400, "id"},
		"/v1/jobs/1_2_3":                                             {400, "id"},
		"/v1/jobs/99999999999999999999":                              {400, "id"},
		"/v1/jobs/5":                                                 {404, ""},
		"/v1/jobs/123?colour=red":                                    {400, "colour"},
		"/v1/advice":                                                 {400, "run_times"},
		"/v1/advice?run_times=4":                                     {400, "run_times"},
		"/v1/advice?run_times=0:60":                                  {400, "run_times"},
		"/v1/advice?run_times=4:NaN":                                 {400, "run_times"},
		"/v1/advice?run_times=4:1,4:2":                               {400, "run_times"},
		"/v1/advice?run_times=4:1&limits=0":                          {400, "limits"},
		"/v1/advice?run_times=4:1&spread=twice":                      {400, "spread"},
		"/v1/advice?run_times=4:1&size=2":                            {400, "size"},
		"/v1/advice?run_times=" + strings.Repeat("1:1,", 64) + "1:1": {400, "run_times"},
		"/v1/scores?x=1":                                             {400, "x"},
		"/v1/nothing":                                                {404, ""},
		"/nothing":                                                   {404, ""},
	} {
		w := ask(newServer(t, newFake(), Options{}).Handler(), "GET", target, "")
		if p := problemIn(t, w); p.Status != want.status || p.Parameter != want.parameter {
			t.Errorf("%.80s: %+v, want %+v", target, p, want)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func TestMethods(t *testing.T) {
	h := newServer(t, newFake(), Options{}).Handler()
	for path, allow := range map[string]string{
		"/v1/wait": "GET, HEAD, POST", "/v1/jobs": "GET, HEAD", "/v1/jobs/1": "GET, HEAD", "/v1/status": "GET, HEAD", "/healthz": "GET, HEAD", "/metrics": "GET, HEAD",
	} {
		for _, method := range []string{"DELETE", "PUT", "PATCH", "OPTIONS", "BREW"} {
			w := ask(h, method, path, "")
			if problemIn(t, w); w.Code != 405 || w.Header().Get("Allow") != allow {
				t.Errorf("%s %s: status %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
	}
}

func TestPost(t *testing.T) {
	for body, want := range map[string][]live.Question{
		`{"requests":[{"size":1},{"size":2,"time_s":60,"partition":"batch"}]}`: {{Size: 1}, {Size: 2, Time: 60, Partition: "batch"}},
		`{"sizes":[1,2],"time_s":60,"user":"u"}`:                               {{Size: 1, Time: 60, User: "u"}, {Size: 2, Time: 60, User: "u"}},
		`{"size":4,"time_s":null,"memory_per_processor_kb":5}`:                 {{Size: 4, Memory: 5}},
		`{"sizes":[1],"time":60,"memory":5}`:                                   {{Size: 1, Time: 60, Memory: 5}},
		// Each is answered.
		`{"requests":[{"size":2,"time":60},{"size":3,"time":60,"time_s":60}]}`: {{Size: 2, Time: 60}},
		`{"requests":[{"size":0},{"size":3,"time_s":-1},{"size":5}]}`:          {{Size: 5}},
	} {
		f := newFake()
		w := ask(newServer(t, f, Options{}).Handler(), "POST", "/v1/wait", body)
		if w.Code != 200 {
			t.Errorf("%s: status %d: %s", body, w.Code, w.Body)
		}
		if diff := cmp.Diff(want, f.asked); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
	f := newFake()
	w := ask(newServer(t, f, Options{}).Handler(), "POST", "/v1/wait", `{"requests":[{"size":0},{"size":1,"partition":"nowhere"},{"size":5}]}`)
	var got WaitsAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Answers) != 3 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if a := got.Answers; a[0].Problem.Status != 400 || a[0].Problem.Parameter != "size" || a[1].Problem.Status != 422 || a[1].Problem.Parameter != "partition" || a[2].Problem != nil || a[2].Answer.Request.Size != 5 {
		t.Errorf("%s", w.Body)
	}
}

func TestBadBodies(t *testing.T) {
	many := `{"sizes":[` + strings.Repeat("1,", mostWaits) + `1]}`
	for body, want := range map[string]int{
		"":                                   400,
		"null":                               400,
		"[]":                                 400,
		"{}":                                 400,
		`{"requests":[]}`:                    400,
		`{"sizes":[]}`:                       400,
		`{"sizes":["1"]}`:                    400,
		`{"size":1e30}`:                      400,
		`{"size":NaN}`:                       400,
		`{"size":1,"size":2}`:                400,
		`{"size":4,"SIZE":5}`:                400,
		`{"SIZE":5}`:                         400,
		`{"ſize":5}`:                         400, // a long s, which folds to s
		`{"requests":[{"Size":5}]}`:          400,
		`{"requests":[{"size":5,"size":5}]}`: 400,
		`{"requests":[{"size":5,"x":5}]}`:    400,
		`{"size":1,"time_s":1e999}`:          400,
		`{"size":1,"colour":"red"}`:          400,
		`{"size":1} {"size":2}`:              400,
		`{"size":1,"sizes":[1]}`:             400,
		`{"size":1,"requests":[]}`:           400,
		`{"sizes":[1],"requests":[{}]}`:      400,
		many:                                 400,
		`{"user":"` + long(mostBody):         413,
		strings.Repeat("[", 100_000):         400,
	} {
		w := ask(newServer(t, newFake(), Options{}).Handler(), "POST", "/v1/wait", body)
		if p := problemIn(t, w); p.Status != want {
			t.Errorf("%.60s: %+v, want %d", body, p, want)
		}
	}
}

// A list of too many requests is refused before the rest of it is decoded.
func TestLongBodies(t *testing.T) {
	for name, body := range map[string]string{
		"sizes": `{"sizes":[` + strings.Repeat("1,", 400_000) + `1]}`, "requests": `{"requests":[` + strings.Repeat("{},", 300_000) + `{}]}`,
	} {
		var decoded waitsBody
		if err := decodeStrictly([]byte(body), &decoded); !errors.Is(err, tooMany{}) || len(decoded.Sizes)+len(decoded.Requests) != mostWaits {
			t.Errorf("%s: %v after %d sizes and %d requests, want the end after %d", name, err, len(decoded.Sizes), len(decoded.Requests), mostWaits)
		}
		w := ask(newServer(t, newFake(), Options{}).Handler(), "POST", "/v1/wait", body)
		if p := problemIn(t, w); p.Status != 400 || !strings.Contains(p.Detail, "more than 100 requests") {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestFaults(t *testing.T) {
	paths := []string{"/v1/wait?size=1", "/v1/jobs", "/v1/jobs/123", "/v1/scores", "/v1/advice?run_times=1:60"}
	for _, c := range []struct {
		fault  error
		status int
		retry  string
	}{
		{live.ErrNotReady, 503, "5"},
		{fmt.Errorf("today: %w", live.ErrNotReady), 503, "5"},
		{errors.New("the disk at /secret is full"), 500, ""},
	} {
		log, text := logged()
		for _, path := range paths {
			f := newFake()
			f.fault = c.fault
			w := ask(newServer(t, f, Options{Log: log}).Handler(), "GET", path, "")
			p := problemIn(t, w)
			if p.Status != c.status || w.Header().Get("Retry-After") != c.retry {
				t.Errorf("%s, %v: %+v, Retry-After %q", path, c.fault, p, w.Header().Get("Retry-After"))
			}
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the answer tells an internal fault: %s", w.Body)
			}
		}
		if strings.Contains(text.String(), "secret") != (c.status == 500) {
			t.Errorf("%v: log:\n%s", c.fault, text)
		}
	}
}

func TestJobs(t *testing.T) {
	f := newFake()
	h := newServer(t, f, Options{}).Handler()
	ask(h, "GET", "/v1/jobs", "")
	ask(h, "GET", "/v1/jobs?ids=5,7&user=ann&partition=batch&state=pending&limit=2", "")
	want := []live.JobsQuestion{{Limit: 100}, {IDs: []int64{5, 7}, User: "ann", Partition: "batch", State: "pending", Limit: 2}}
	if diff := cmp.Diff(want, f.jobsAsked); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{"/v1/jobs/123", "/v1/jobs/120_3"} {
		if w := ask(h, "GET", path, ""); w.Code != 200 {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
	}
}

func TestAdvice(t *testing.T) {
	f := newFake()
	w := ask(newServer(t, f, Options{}).Handler(), "GET", "/v1/advice?run_times=1:2:00:00,4:2400&spread=1.5&limits=1h,7200&partition=batch&user=u", "")
	want := []live.AdviceQuestion{{Question: live.Question{Partition: "batch", User: "u"}, RunTimes: map[int64]float64{1: 7200, 4: 2400}, Spread: 1.5, Limits: []float64{3600, 7200}}}
	if diff := cmp.Diff(want, f.advised); diff != "" || w.Code != 200 {
		t.Error(w.Code, diff)
	}
}

func TestHead(t *testing.T) {
	h := newServer(t, newFake(), Options{}).Handler()
	for _, path := range []string{"/v1/wait?size=1", "/v1/jobs", "/v1/jobs/123", "/v1/scores", "/v1/status", "/openapi.json", "/healthz", "/readyz"} {
		get, head := ask(h, "GET", path, ""), ask(h, "HEAD", path, "")
		want := maps.Clone(get.Header())
		if diff := cmp.Diff(want, head.Header()); diff != "" || head.Code != http.StatusOK {
			t.Errorf("%s: status %d, %s", path, head.Code, diff)
		}
		if !slices.Equal(head.Header()["Cache-Control"], []string{"no-store"}) {
			t.Errorf("%s: %v", path, head.Header())
		}
	}
}
