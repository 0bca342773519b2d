// Package browser drives a headless Chromium, for tests of pages.
package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Browser is a headless Chromium with one page, driven by its DevTools protocol
// over a pair of pipes: JSON messages, each terminated by a zero byte.
type Browser struct {
	t       *testing.T
	in, out *os.File
	read    []byte
	id      int
	session string
	// Events holds the events that the browser has reported since the page was opened.
	Events []Event
}

// Event is one event of the protocol.
type Event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// New starts Chromium, or skips the test if it is not installed.
func New(t *testing.T) *Browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no chromium: Debian's package chromium has it")
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.Env = append(os.Environ(), "FONTCONFIG_FILE="+fonts(t))
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &Browser{t: t, in: in, out: out}
	t.Cleanup(func() {
		// Ask the browser to end, and kill it if it does not.
		fmt.Fprintf(in, "{\"id\":1000000,\"method\":\"Browser.close\"}\x00")
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-done
		}
		in.Close()
		out.Close()
	})
	var target struct {
		ID string `json:"targetId"`
	}
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		Session string `json:"sessionId"`
	}
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
	b.session = attached.Session
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

// For sets the test to which later failures are reported.
func (b *Browser) For(t *testing.T) { b.t = t }

// Call sends one command, waits for its answer and decodes it into answer, which may
// be nil. It appends events that arrive before the answer to Events.
func (b *Browser) Call(method string, params map[string]any, answer any) {
	b.t.Helper()
	b.id++
	message := map[string]any{"id": b.id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		var got struct {
			ID     int `json:"id"`
			Result json.RawMessage
			Error  *struct{ Message string }
			Event
		}
		if err := json.Unmarshal(b.message(method), &got); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case got.ID == 0:
			b.Events = append(b.Events, got.Event)
		case got.ID != b.id:
		case got.Error != nil:
			b.t.Fatalf("%s: %s", method, got.Error.Message)
		default:
			if answer != nil {
				if err := json.Unmarshal(got.Result, answer); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		}
	}
}

// message reads the next message, without its zero byte.
func (b *Browser) message(during string) []byte {
	b.t.Helper()
	b.out.SetReadDeadline(time.Now().Add(3 * time.Minute))
	buf := make([]byte, 1<<16)
	for {
		if i := bytes.IndexByte(b.read, 0); i >= 0 {
			text := b.read[:i]
			b.read = b.read[i+1:]
			return text
		}
		n, err := b.out.Read(buf)
		if err != nil {
			b.t.Fatalf("%s: %v", during, err)
		}
		b.read = append(b.read, buf[:n]...)
	}
}

// Open shows the page at an address and waits until it is loaded.
func (b *Browser) Open(url string) {
	b.t.Helper()
	// Leave the previous page first: it may still send requests to a server that is gone.
	b.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.Wait(`document.readyState === "complete" && location.protocol === "about:"`)
	b.Events = nil
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Wait(`document.readyState === "complete" && location.protocol !== "about:"`)
}

// Wait waits until an expression is true. It fails the test after two minutes.
func (b *Browser) Wait(expression string) {
	b.t.Helper()
	for range 2400 {
		ok := false
		b.Eval(expression, &ok)
		if ok {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("not true within two minutes: %s", expression)
}

// Eval evaluates an expression in the page and decodes its value into value, which may be nil.
func (b *Browser) Eval(expression string, value any) {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &got)
	if e := got.ExceptionDetails; e != nil {
		b.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if value == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, value); err != nil {
		b.t.Fatalf("%s: %v in %s", expression, err, got.Result.Value)
	}
}

// Screen sets the window's size in pixels, the media type, such as "print", and the preferred
// color scheme, such as "dark".
func (b *Browser) Screen(width, height int, media, scheme string) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
}

// Key presses and releases a key, given its name and its Windows virtual-key code.
func (b *Browser) Key(name string, code int) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code}, nil)
	}
}
