package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/live"
)

// document is what a test needs of openapi.json.
type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Responses map[string]described `json:"responses"`
		Schemas   map[string]*schema   `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	Parameters []struct {
		Name     string `json:"name"`
		In       string `json:"in"`
		Required bool   `json:"required"`
	} `json:"parameters"`
	Responses map[string]described `json:"responses"`
}

type described struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Schema *schema `json:"schema"`
	} `json:"content"`
}

func readDocument(t *testing.T) *document {
	t.Helper()
	d := &document{}
	if err := json.Unmarshal(openAPI, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// Every route and parameter is described, and no other.
func TestOpenAPIHasTheRoutes(t *testing.T) {
	d := readDocument(t)
	want := map[string][]string{}
	for _, r := range routes {
		parameters := slices.Clone(r.parameters)
		if strings.Contains(r.path, "{id}") {
			parameters = append(parameters, "id")
		}
		want[r.path+" "+strings.ToLower(r.method)] = parameters
	}
	for _, p := range newServer(t, newFake(), Options{}).plainRoutes() {
		want[p.path+" get"] = nil
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			name := path + " " + method
			parameters, ok := want[name]
			if !ok {
				t.Errorf("%s is not served", name)
			}
			delete(want, name)
			var got []string
			for _, p := range op.Parameters {
				got = append(got, p.Name)
			}
			if !slices.Equal(got, parameters) {
				t.Errorf("%s: described with %v, reads %v", name, got, parameters)
			}
		}
	}
	for name := range want {
		t.Errorf("%s is not described", name)
	}
}

// hold holds a response against the document.
func (d *document) hold(t *testing.T, path, method string, w *httptest.ResponseRecorder) {
	t.Helper()
	op, ok := d.Paths[path][strings.ToLower(method)]
	if !ok {
		t.Fatalf("%s %s is not described", method, path)
	}
	response, ok := op.Responses[strconv.Itoa(w.Code)]
	if !ok {
		t.Errorf("%s %s: status %d is not described", method, path, w.Code)
		return
	}
	if name, ok := strings.CutPrefix(response.Ref, "#/components/responses/"); ok {
		response = d.Components.Responses[name]
	}
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	content, ok := response.Content[kind]
	if !ok {
		t.Errorf("%s %s: status %d with %s is not described", method, path, w.Code, kind)
		return
	}
	if kind == "text/plain" {
		return
	}
	decoder := json.NewDecoder(w.Body)
	decoder.UseNumber()
	var body any
	if err := decoder.Decode(&body); err != nil {
		t.Fatal(err)
	}
	for _, fault := range d.check(content.Schema, path, body) {
		t.Errorf("%s %s: status %d: %s", method, path, w.Code, fault)
	}
}

// Every operation answers with each status that is described, as it is described.
func TestOpenAPIHasTheResponses(t *testing.T) {
	d := readDocument(t)
	asked := map[string]struct{ target, bad, unusable string }{
		"/v1/wait":      {"/v1/wait?size=8&time=60", "/v1/wait", "/v1/wait?size=1000"},
		"/v1/jobs":      {"/v1/jobs", "/v1/jobs?limit=x", "/v1/jobs?partition=nowhere"},
		"/v1/jobs/{id}": {"/v1/jobs/123", "/v1/jobs/x", ""},
		"/v1/scores":    {"/v1/scores", "/v1/scores?x=1", ""},
		"/v1/advice":    {"/v1/advice?run_times=1:60", "/v1/advice", "/v1/advice?run_times=1:60&partition=nowhere"},
		"/v1/status":    {"/v1/status", "/v1/status?x=1", ""},
		"/healthz":      {"/healthz", "", ""}, "/readyz": {"/readyz", "", ""}, "/metrics": {"/metrics", "", ""}, "/openapi.json": {"/openapi.json", "", ""},
	}
	token := writeToken(t, secret)
	for path, methods := range d.Paths {
		for method, op := range methods {
			for status := range op.Responses {
				f, o := newFake(), Options{}
				target, body, header := asked[path].target, "", []string{}
				if method == "post" {
					target, body = path, `{"requests":[{"size":8},{"size":1000},{"size":0},{"size":1,"partition":"closed"}]}`
				}
				switch status {
				case "400":
					if target = asked[path].bad; method == "post" {
						target, body = path, "{"
					}
				case "401":
					o.TokenFile = token
				case "404":
					target = "/v1/jobs/77"
				case "413":
					body = long(mostBody + 1)
				case "421":
					header = []string{"Host", "evil.example"}
				case "422":
					target = asked[path].unusable
				case "500":
					f.panics = true
				case "503":
					f.fault = live.ErrNotReady
					f.status.Ready = false
				}
				if path == metricsPath && status == "503" {
					continue // only when many scrape at once
				}
				w := ask(newServer(t, f, o).Handler(), strings.ToUpper(method), target, body, header...)
				if strconv.Itoa(w.Code) != status {
					t.Errorf("%s %s: status %d, want %s: %s", method, target, w.Code, status, w.Body)
				}
				d.hold(t, path, method, w)
			}
		}
	}
	if w := ask(newServer(t, newFake(), Options{}).Handler(), http.MethodGet, "/openapi.json", ""); w.Body.String() != string(openAPI) {
		t.Error("another document is served")
	}
}
