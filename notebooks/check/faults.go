package main

import (
	"bytes"
	"regexp"
	"strings"
)

// most is the largest size of a committed notebook, in bytes.
const most = 300 << 10

var (
	// somebodys matches a path on a particular machine.
	somebodys = regexp.MustCompile(`(?:^|[\s"'=(:>])(?:/(?:home|root|tmp|work|Users|var|usr|opt|mnt)/|[A-Z]:\\)`)
	// decimal matches a computed number, which in prose would be wrong for another log.
	decimal = regexp.MustCompile(`\d\.\d`)
	// moment matches a date with a time, such as that of a cell's run.
	moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`)
)

// faults returns what is wrong with a committed notebook, n, whose file has the given content.
func faults(file []byte, n notebook) []string {
	var all []string
	fault := func(where, what string) { all = append(all, where+what) }
	if len(file) > most {
		fault("", "it is larger than 300 KB: show less")
	}
	if b, err := n.encode(); err != nil || !bytes.Equal(b, file) {
		fault("", "it is not as run.sh --keep writes it")
	}
	ids := map[string]bool{}
	if len(n.cells) == 0 || n.cells[0].code || !strings.HasPrefix(n.cells[0].source, "# ") {
		fault("", "its first cell is not a title")
	}
	var last *cell
	for i := range n.cells {
		c := &n.cells[i]
		where := "cell " + c.id + ": "
		if ids[c.id] || c.id == "" {
			fault(where, "wants an id of its own")
		}
		ids[c.id] = true
		texts := []string{c.source}
		if n := decimal.FindString(c.source); n != "" && !c.code {
			fault(where, "has a result in its prose: print it in a cell ("+around(c.source[decimal.FindStringIndex(c.source)[0]:])+")")
		}
		if c.code {
			last = c
			switch {
			case c.failed != "":
				fault(where, "failed: "+c.failed)
			case !c.ran:
				fault(where, "has not been run")
			}
		}
		for _, o := range c.outputs {
			if o.stream == "stderr" {
				fault(where, "has something on standard error: "+around(o.data["stderr"]))
			}
			for _, text := range o.data {
				texts = append(texts, text)
			}
		}
		for _, text := range texts {
			if p := somebodys.FindString(text); p != "" {
				fault(where, "has a path of a machine: "+p)
			}
			if m := moment.FindString(text); m != "" {
				fault(where, "has a time: "+m)
			}
		}
	}
	switch {
	case last == nil:
		fault("", "it has no code")
	case len(last.outputs) == 0 || last.outputs[len(last.outputs)-1].data[svg] == "":
		fault("", "it does not end in a picture")
	}
	return all
}
