package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// notebook is a Jupyter notebook of format 4, without the parts that differ between
// runs and machines: times, versions, counts of earlier runs.
type notebook struct {
	kernel, language any // its metadata
	cells            []cell
}

// cell is a cell of a notebook.
type cell struct {
	id      string
	code    bool
	source  string
	outputs []output
	failed  string // the error that it ended with
	ran     bool
}

// output is an output of a cell: text on a stream, or data to show.
type output struct {
	stream string            // "stdout", "stderr", or "" for data
	result bool              // whether data is the value of the cell's last line
	data   map[string]string // by MIME type; for a stream, by its name
}

// fileCell is a cell as it is in a file.
type fileCell struct {
	Kind    string `json:"cell_type"`
	ID      string `json:"id"`
	Source  lines  `json:"source"`
	Count   *int   `json:"execution_count"`
	Outputs []struct {
		Kind  string           `json:"output_type"`
		Name  string           `json:"name"`
		Text  lines            `json:"text"`
		Data  map[string]lines `json:"data"`
		Error string           `json:"evalue"`
	} `json:"outputs"`
}

// read reads a notebook. It puts a cell's outputs in a fixed order (standard output,
// standard error, data), because they reach the file through separate channels and
// in no particular order.
func read(name string) (notebook, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return notebook{}, err
	}
	var file struct {
		Cells    []fileCell     `json:"cells"`
		Metadata map[string]any `json:"metadata"`
		Format   int            `json:"nbformat"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return notebook{}, fmt.Errorf("%s: %w", name, err)
	}
	if file.Format != 4 {
		return notebook{}, fmt.Errorf("%s: nbformat: saw %d, want 4", name, file.Format)
	}
	n := notebook{kernel: file.Metadata["kernelspec"], language: map[string]any{}}
	if of, ok := file.Metadata["language_info"].(map[string]any); ok {
		n.language = map[string]any{"name": of["name"], "file_extension": of["file_extension"], "mimetype": of["mimetype"]}
	}
	for i, f := range file.Cells {
		c := cell{id: f.ID, code: f.Kind == "code", source: string(f.Source), ran: f.Count != nil}
		if !c.code && f.Kind != "markdown" {
			return notebook{}, fmt.Errorf("%s: cell %d: cell_type: saw %q, want code or markdown", name, i+1, f.Kind)
		}
		streams := map[string]string{}
		var shown []output
		for _, o := range f.Outputs {
			switch o.Kind {
			case "stream":
				streams[o.Name] += string(o.Text)
			case "error":
				c.failed = o.Error
			default:
				data := map[string]string{}
				for mime, text := range o.Data {
					data[mime] = string(text)
				}
				shown = append(shown, output{result: o.Kind == "execute_result", data: data})
			}
		}
		for _, name := range []string{"stdout", "stderr"} {
			if streams[name] != "" {
				c.outputs = append(c.outputs, output{stream: name, data: map[string]string{name: streams[name]}})
			}
		}
		c.outputs = append(c.outputs, shown...)
		n.cells = append(n.cells, c)
	}
	return n, nil
}

// encode returns the notebook as a file in Jupyter's layout.
func (n notebook) encode() ([]byte, error) {
	type m = map[string]any
	cells := []m{}
	count := 0
	for _, c := range n.cells {
		out := m{"cell_type": "markdown", "id": c.id, "metadata": m{}, "source": lines(c.source)}
		if c.code {
			outputs := []m{}
			count++
			for _, o := range c.outputs {
				switch {
				case o.stream != "":
					outputs = append(outputs, m{"output_type": "stream", "name": o.stream, "text": lines(o.data[o.stream])})
				default:
					data := m{}
					for mime, text := range o.data {
						data[mime] = lines(text)
					}
					shown := m{"output_type": "display_data", "data": data, "metadata": m{}}
					if o.result {
						shown["output_type"], shown["execution_count"] = "execute_result", count
					}
					outputs = append(outputs, shown)
				}
			}
			out["cell_type"], out["outputs"], out["execution_count"] = "code", outputs, nil
			if c.ran {
				out["execution_count"] = count
			}
		}
		cells = append(cells, out)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(m{"cells": cells, "metadata": m{"kernelspec": n.kernel, "language_info": n.language}, "nbformat": 4, "nbformat_minor": 5})
	return b.Bytes(), err
}

// lines is a text that is either a string or a list of lines in JSON.
type lines string

func (l *lines) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = lines(one)
		return nil
	}
	var many []string
	if err := json.Unmarshal(b, &many); err != nil {
		return fmt.Errorf("saw %.40s, want a text or a list of lines", b)
	}
	*l = lines(strings.Join(many, ""))
	return nil
}

func (l lines) MarshalJSON() ([]byte, error) {
	all := []string{}
	if l != "" {
		all = strings.SplitAfter(string(l), "\n")
	}
	if n := len(all); n > 0 && all[n-1] == "" {
		all = all[:n-1]
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(all)
	return b.Bytes(), err
}
