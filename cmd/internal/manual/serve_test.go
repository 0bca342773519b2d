package manual

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// The manual starts a service in the background ("loadstone serve ... &"), on a replay that takes
// only a moment, and queries it with curl. The test queries the service that it has started itself,
// on a free port.

var listening = regexp.MustCompile(`url=(http://\S+)`)

// background starts a service and returns its address once its replay has ended.
func (s step) background(t *testing.T, dir string) (url string) {
	t.Helper()
	args := append(longtest.ShellWords(strings.TrimSuffix(s.command, " &"))[1:], "--listen", "127.0.0.1:0")
	service := exec.CommandContext(t.Context(), "loadstone", args...)
	service.Dir = dir
	said, err := service.StderrPipe()
	if err == nil {
		err = service.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		service.Process.Kill()
		service.Wait()
	})
	log := ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		log += lines.Text() + "\n"
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			url = found[1]
		}
		if strings.Contains(lines.Text(), "the source has ended") {
			go io.Copy(io.Discard, said)
			return url
		}
	}
	t.Fatalf("line %d: the service ended:\n%s", s.line, log)
	return ""
}

// curl runs curl -s [-d BODY] URL [| python3 -m json.tool].
func (s step) curl(t *testing.T, service string) []string {
	t.Helper()
	command, pretty := strings.CutSuffix(s.command, " | python3 -m json.tool")
	args := longtest.ShellWords(command)[1:]
	if service == "" || args[0] != "-s" {
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
	request := jobtest.Must(http.NewRequest(method, service+path, body))
	request.Header.Set("Content-Type", "application/json")
	answer := jobtest.Must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	text := jobtest.Must(io.ReadAll(answer.Body))
	if pretty {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "    "); err != nil {
			t.Fatal(fmt.Errorf("line %d: %w: %s", s.line, err, text))
		}
		text = b.Bytes()
	}
	return lines(string(text))
}
