package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The committed notebooks have been run from top to bottom, end in a picture, and
// tell of no machine and of no time of day.
func TestCommittedNotebooks(t *testing.T) {
	names, err := filepath.Glob("../*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 5 {
		t.Fatalf("saw %q, want five notebooks or more", names)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n, err := read(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults(b, n) {
				t.Error(f)
			}
		})
	}
}

// Each rule finds the fault that it is there for.
func TestFaults(t *testing.T) {
	good := func() notebook {
		return notebook{kernel: map[string]any{"name": "gonb"}, language: map[string]any{}, cells: []cell{
			{id: "t", source: "# Title"},
			{id: "p", code: true, ran: true, source: "draw", outputs: []output{{data: map[string]string{svg: "<svg/>"}}}},
		}}
	}
	for _, c := range []struct {
		want  string
		spoil func(n *notebook)
	}{
		{"", func(*notebook) {}},
		{"title", func(n *notebook) { n.cells = n.cells[1:] }},
		{"no code", func(n *notebook) { n.cells = n.cells[:1] }},
		{"not been run", func(n *notebook) { n.cells[1].ran = false }},
		{"failed: x", func(n *notebook) { n.cells[1].failed = "x" }},
		{"end in a picture", func(n *notebook) { n.cells[1].outputs = nil }},
		{"result in its prose", func(n *notebook) { n.cells[0].source = "# Title\n\nThe mean is 9.1 h." }},
		{"path of a machine", func(n *notebook) { n.cells[1].source = "cat /" + "home/me/log" }},
		{"path of a machine", func(n *notebook) { n.cells[1].source = "open('/tmp/log')" }},
		{"has a time", func(n *notebook) { n.cells[1].outputs[0].data[svg] = "<dc:date>2026-01-01T10:00:00</dc:date>" }},
		{"an id of its own", func(n *notebook) { n.cells[1].id = "t" }},
		{"standard error", func(n *notebook) {
			n.cells[1].outputs = append([]output{{stream: "stderr", data: map[string]string{"stderr": "no"}}}, n.cells[1].outputs...)
		}},
		{"larger", func(n *notebook) { n.cells[1].outputs[0].data[svg] = strings.Repeat("x", most) }},
	} {
		n := good()
		c.spoil(&n)
		b, err := n.encode()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(faults(b, n), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("saw %q, want %q", got, c.want)
		}
	}
	n := good()
	if got := faults([]byte("{}"), n); len(got) != 1 {
		t.Errorf("another layout: saw %q", got)
	}
}
