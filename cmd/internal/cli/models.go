package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/model"
)

// publishedNames are the presets and the templates.
func publishedNames() []string { return append(model.Presets(), model.Templates()...) }

// loadModel reads a model file, "-" for standard input, or returns the
// published model of that name.
func (a *app) loadModel(name string) (model.Site, error) { return a.loadEdited(name, nil) }

// loadEdited is loadModel with fields of the file set: "path=value".
func (a *app) loadEdited(name string, sets []string) (model.Site, error) {
	text, err := a.modelText(name)
	if err != nil {
		return model.Site{}, err
	}
	for _, set := range sets {
		path, value, ok := strings.Cut(set, "=")
		if !ok {
			return model.Site{}, usagef(a.cmd, "--set %s: want PATH=VALUE", set)
		}
		if text, err = model.Edit(text, path, value); err != nil {
			return model.Site{}, fmt.Errorf("--set %s: %w", set, err)
		}
	}
	site, err := model.Decode(bytes.NewReader(text))
	if err == nil || name == "-" {
		return site, err
	}
	if missing := stillMissing(name, sets); len(missing) > 0 {
		return site, fmt.Errorf("%w\ngive each by --set PATH=VALUE, or complete what 'loadstone generate --show %s' prints and pass the file to --model", &model.TemplateError{Name: name, Missing: missing}, name)
	}
	return site, fmt.Errorf("%s: %w", name, err)
}

// stillMissing are the fields of a template that no "path=value" gives.
func stillMissing(name string, sets []string) []model.Missing {
	_, missing, _ := model.Template(name)
	return slices.DeleteFunc(missing, func(m model.Missing) bool {
		return slices.ContainsFunc(sets, func(set string) bool {
			path, value, _ := strings.Cut(set, "=")
			return path == m.Path && value != "null"
		})
	})
}

// modelText is the text of a model file, of a preset, or of a template.
func (a *app) modelText(name string) ([]byte, error) {
	if name == "-" {
		return readAllSmall(a.In, "standard input")
	}
	if slices.Contains(publishedNames(), name) {
		return publishedText(name)
	}
	text, err := readSmall(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such model file, and none of the published models %s", name, strings.Join(publishedNames(), ", "))
	}
	return text, err
}

// publishedText is the file of a published model.
func publishedText(name string) ([]byte, error) {
	if text, _, ok := model.Template(name); ok {
		return []byte(text), nil
	}
	site, err := model.Preset(name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = model.Encode(&b, site)
	return b.Bytes(), err
}

// modelsJSON is the list of published models.
type modelsJSON struct {
	Schema string      `json:"schema"`
	Models []modelJSON `json:"models"`
}

type modelJSON struct {
	Name    string   `json:"name"`
	What    string   `json:"what"`
	Source  string   `json:"source"`
	Ready   bool     `json:"ready"`
	Missing []string `json:"missing,omitempty"` // paths that have to be given
}

// listModels is the result of 'generate --list'.
func listModels() result {
	people := present.Table{Head: []string{"name", "what", "source", "parameters"}}
	csv := present.Table{Head: []string{"name", "what", "source", "ready", "missing"}}
	out := modelsJSON{Schema: "loadstone.models/1"}
	for _, e := range model.Catalog() {
		m := modelJSON{Name: e.Name, What: e.What, Source: e.Source, Ready: e.Ready}
		parameters := "all here"
		if _, missing, ok := model.Template(e.Name); ok {
			for _, f := range missing {
				m.Missing = append(m.Missing, f.Path)
			}
			parameters = fmt.Sprintf("%d to be given", len(missing))
		}
		out.Models = append(out.Models, m)
		people.Add(e.Name, e.What, e.Source, parameters)
		csv.Add(e.Name, e.What, e.Source, fmt.Sprint(e.Ready), fmt.Sprint(len(m.Missing)))
	}
	return result{text: people.WriteTable, json: out, csv: csv}
}

// showModel prints the file of a published model.
func (a *app) showModel(name, output string) error {
	text, err := publishedText(name)
	if err != nil {
		return err
	}
	if _, missing, ok := model.Template(name); ok {
		for _, m := range missing {
			a.note("missing: %s: %s", m.Path, m.Meaning)
		}
	}
	write := func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	if output != "" {
		return a.writeFile(output, write)
	}
	return write(a.Out)
}
