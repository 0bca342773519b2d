package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"text/template"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live"
)

// Documents returns the types of the answers in JSON, by schema.
func Documents() view.Documents {
	return view.Documents{
		live.AnswerSchema:  reflect.TypeFor[live.Answer](),
		live.JobsSchema:    reflect.TypeFor[live.Jobs](),
		live.ScoresSchema:  reflect.TypeFor[live.Scores](),
		live.StatusSchema:  reflect.TypeFor[live.Status](),
		live.AnswersSchema: reflect.TypeFor[live.Answers](),
	}
}

//go:embed openapi.json.tmpl
var frame string

// OpenAPI returns the description of the routes as an OpenAPI 3.1 document.
func OpenAPI() []byte {
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"json":      func(v any) (string, error) { text, err := json.Marshal(v); return string(text), err },
		"finite":    func(x float64) bool { return !math.IsInf(x, 0) },
		"mostText":  func() int { return mostText },
		"mostWaits": func() int { return mostWaits },
	}).Parse(frame))
	paths := map[string][]route{}
	for _, r := range routes() {
		paths[r.Path] = append(paths[r.Path], r)
	}
	documents := Documents()
	documents["problem"] = reflect.TypeFor[Problem]()
	var text, indented bytes.Buffer
	err := t.Execute(&text, map[string]any{
		"Paths": paths, "Members": parameters(&live.Request{}), "Schemas": documents.Components("#/components/schemas/"),
	})
	if err == nil {
		err = json.Indent(&indented, text.Bytes(), "", "  ")
	}
	if err != nil {
		panic("serve: " + err.Error()) // the template is wrong
	}
	return indented.Bytes()
}

// parameter is a parameter under one of its names.
type parameter struct {
	*opt.Field
	Name, About string
}

// Parameters returns the parameters of a route.
func (r *route) Parameters() []parameter { return parameters(r.question) }

func parameters(question any) (all []parameter) {
	if question == nil {
		return nil
	}
	opt.Usual(question)
	for _, f := range opt.Fields(question) {
		about := strings.NewReplacer("<", "", ">", "").Replace(f.Help) + "."
		all = append(all, parameter{f, f.Name, strings.ToUpper(about[:1]) + about[1:]})
		for other, name := range otherNames {
			if name == f.Name {
				all = append(all, parameter{f, other, "Another name of " + name + "."})
			}
		}
	}
	return all
}

// Kind returns the JSON type of a number or a boolean, a string or a []string; nil for a text or a
// list.
func (p parameter) Kind() any {
	kind := p.Type()
	switch {
	case p.IsList():
		return nil
	case kind == "seconds":
		return []string{"number", "string"}
	case strings.HasPrefix(kind, "float"):
		return "number"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		return "integer"
	case kind == "bool":
		return "boolean"
	}
	return nil
}

// Limits returns the range of a number; nil if it has none.
func (p parameter) Limits() *field.Range {
	if p.Range == "" {
		return nil
	}
	r := field.ParseRange(p.Range)
	return &r
}
