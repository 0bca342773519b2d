package slurm

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Exports for the tests outside the package.

// ReasonOf returns how a job with a reason waits: queued, held or unknown.
func ReasonOf(text string) string {
	switch c := causeOf(text); {
	case c == causeUnknown:
		return "unknown"
	case c.isQueue():
		return "queued"
	}
	return "held"
}

// OpenSacct reads the output of sacct, in chunks of the given size.
func OpenSacct(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	return openAccounts(name, bufio.NewReaderSize(r, parse.ChunkSize), o, size)
}

// Render writes one job in one of Forms, using those values whose fields the form has.
func Render(form string, values map[string]string) string {
	tag := map[string]string{"sacct JSON": "job", "squeue JSON": "queue"}[form]
	isJSON := tag != ""
	if !isJSON {
		tag = form
	}
	job := map[string]any{}
	var names, texts, pairs []string
	for i := range recordType.NumField() {
		f := recordType.Field(i)
		value, ok := values[f.Name]
		paths := strings.Fields(f.Tag.Get(tag))
		if !ok || len(paths) == 0 {
			continue
		}
		path, _, _ := strings.Cut(paths[0], ",")
		names, texts, pairs = append(names, path), append(texts, value), append(pairs, path+"="+value)
		at, keys := job, strings.Split(path, ".")
		for _, key := range keys[:len(keys)-1] {
			if at[key] == nil {
				at[key] = map[string]any{}
			}
			at = at[key].(map[string]any)
		}
		at[keys[len(keys)-1]] = jsonValue(value, tag == "job" && f.Tag.Get("is") == "tres")
	}
	switch {
	case isJSON:
		text, _ := json.Marshal(map[string]any{"jobs": []any{job}, "meta": map[string]any{"Slurm": map[string]any{}}})
		return string(text)
	case form == "scontrol":
		name := "JobName=" + values["JobName"]
		pairs = slices.DeleteFunc(pairs, func(pair string) bool { return pair == name })
		pairs[0] += " " + name
		return strings.Join(pairs, "\n   ") + "\n"
	}
	return strings.Join(names, "|") + "\n" + strings.Join(texts, "|") + "\n"
}

// jsonValue returns a value as in Slurm's JSON: a number, a text or a list of resources.
func jsonValue(value string, isList bool) any {
	if n := json.Number(value); json.Valid([]byte(value)) {
		return n
	}
	if !isList {
		return value
	}
	list := []any{}
	for _, item := range strings.Split(value, ",") {
		key, count, _ := strings.Cut(item, "=")
		kind, name, _ := strings.Cut(key, "/")
		list = append(list, map[string]any{"type": kind, "name": name, "count": json.Number(strings.TrimSuffix(count, "M"))})
	}
	return list
}
