package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const secret = "correct-horse-battery-staple"

func writeToken(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestToken(t *testing.T) {
	log, text := logged()
	h := newServer(t, newFake(), Options{TokenFile: writeToken(t, secret+"\n"), Log: log, Page: pageOf("hello")}).Handler()
	for _, c := range []struct {
		path, authorization string
		status              int
	}{
		{"/v1/wait?size=1", "", 401},
		{"/v1/wait?size=1", "Bearer", 401},
		{"/v1/wait?size=1", "Bearer ", 401},
		{"/v1/wait?size=1", "Bearer " + secret[:20], 401},
		{"/v1/wait?size=1", "Bearer " + secret + "x", 401},
		{"/v1/wait?size=1", "Basic " + secret, 401},
		{"/v1/wait?size=1", "Bearer " + secret, 200},
		{"/v1/wait?size=1", "bearer " + secret, 200},
		{"/v1/wait?size=1&token=" + secret, "", 401},
		{"//v1/wait?size=1", "", 307},
		{"/v1/jobs", "", 401}, {"/v1/jobs/123", "", 401}, {"/v1/scores", "", 401}, {"/v1/status", "", 401},
		{"/metrics", "", 401}, {"/readyz", "", 401}, {"/openapi.json", "", 401},
		{"/healthz", "", 200},
		{"/", "", 200},
		{"/v1/nothing", "", 404},
	} {
		w := ask(h, "GET", c.path, "", "Authorization", c.authorization, "Host", "any.example")
		if w.Code != c.status {
			t.Errorf("%s with %q: status %d, want %d: %s", c.path, c.authorization, w.Code, c.status, w.Body)
		}
		if w.Code == 401 && (problemIn(t, w).Status != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer")) {
			t.Errorf("%s: %v %s", c.path, w.Header(), w.Body)
		}
		if strings.Contains(w.Body.String(), secret[:20]) {
			t.Errorf("%s: the answer has the token: %s", c.path, w.Body)
		}
	}
	if strings.Contains(text.String(), secret[:20]) {
		t.Errorf("the log has the token:\n%s", text)
	}
}

// A token that has changed counts within a second; while the file cannot be used, none
// does.
func TestTokenIsReadAgain(t *testing.T) {
	path := writeToken(t, secret)
	log, text := logged()
	s := newServer(t, newFake(), Options{TokenFile: path, Log: log})
	status := func(token string) int {
		s.token.mu.Lock()
		s.token.checked = time.Time{} // a second has passed
		s.token.mu.Unlock()
		return ask(s.Handler(), "GET", "/v1/status", "", "Authorization", "Bearer "+token).Code
	}
	replace := func(text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path+".new", []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path+".new", mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	const other = "another-token-of-some-length"
	if status(secret) != 200 {
		t.Error("the first token is refused")
	}
	replace(other, 0o600)
	if status(secret) != 401 || status(other) != 200 {
		t.Error("the token was not read again")
	}
	replace(other, 0o644)
	if status(other) != 401 || status("") != 401 {
		t.Error("a token that anybody can read is used")
	}
	replace("short", 0o600)
	if status("short") != 401 || status(other) != 401 {
		t.Error("a short token is used")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if status(other) != 401 || status("") != 401 {
		t.Error("a token that was removed is used")
	}
	replace(other, 0o600)
	if status(other) != 200 {
		t.Error("the token is not used again")
	}
	if got := text.String(); !strings.Contains(got, "no request is let through") || strings.Contains(got, other) {
		t.Errorf("log:\n%s", got)
	}
}

func TestBadTokenFiles(t *testing.T) {
	readable := writeToken(t, secret)
	if err := os.Chmod(readable, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		readable:                              "has mode 0644",
		filepath.Join(t.TempDir(), "nothing"): "no such file",
		t.TempDir():                           "not a regular file",
		writeToken(t, ""):                     "0 bytes",
		writeToken(t, "short"):                "5 bytes",
		writeToken(t, long(mostToken+1)):      "4097 bytes",
		writeToken(t, "two words of a token"): "several words",
	} {
		_, err := New(newFake(), Options{TokenFile: path})
		if err == nil || !strings.HasPrefix(err.Error(), "token-file: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "words of") {
			t.Errorf("the error has the token: %v", err)
		}
	}
}
