package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// The manual starts a service in the background ("loadstone serve ... &"), on a replay that
// is over in a moment, and asks it by curl. The test asks the service that it has started
// itself, on a port that is free.

// background starts a service whose replay is over when the next command is run.
func (s step) background(t *testing.T) *service {
	t.Helper()
	args := shellWords(strings.TrimSuffix(s.command, " &"))
	service := startService(t, args[2:]...)
	service.ended(time.Minute)
	return service
}

// curl runs curl -s [-d BODY] URL [| python3 -m json.tool].
func (s step) curl(t *testing.T, service *service) []string {
	t.Helper()
	command, pretty := strings.CutSuffix(s.command, " | python3 -m json.tool")
	args := shellWords(command)[1:]
	if service == nil || args[0] != "-s" {
		t.Fatalf("line %d: want a service in the background, and curl -s", s.line)
	}
	url := args[len(args)-1]
	path, ok := strings.CutPrefix(url, "http://127.0.0.1:8080")
	if !ok {
		t.Fatalf("line %d: curl of %q", s.line, url)
	}
	method, body := http.MethodGet, io.Reader(nil)
	if i := slices.Index(args, "-d"); i > 0 {
		method, body = http.MethodPost, strings.NewReader(args[i+1])
	}
	request, err := http.NewRequest(method, service.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if pretty {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "    "); err != nil {
			t.Fatal(fmt.Errorf("line %d: %w: %s", s.line, err, text))
		}
		text = b.Bytes()
	}
	return lines(string(text))
}
