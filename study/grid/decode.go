package grid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the form of a grid file and its version.
const Schema = "loadstone.grid/1"

// Decode reads a grid file: one JSON object with "schema" (Schema), "name" and
// "clusters", and if wanted "source" and "speeds", texts that say where sizes
// and speeds are from. A cluster has "name" and "processors", and if wanted
// "speed" (1 where it is missing) and "partition", the log's site that it
// stands for. Where "speeds" is missing, Grid.Speeds says which are the file's
// and which are assumed. Anything else, and a key given twice, is an error that names the
// field.
func Decode(data []byte) (Grid, error) {
	var g Grid
	whole, err := object(data, "", "schema", "name", "source", "speeds", "clusters")
	if err != nil {
		return g, err
	}
	var schema string
	if err := whole.get("schema", &schema, "the text "+Schema); err != nil {
		return g, err
	}
	if schema != Schema {
		return g, &FieldError{"schema", fmt.Sprintf("%q", schema), Schema}
	}
	if err := whole.get("name", &g.Name, "a text"); err != nil {
		return g, err
	}
	if g.Name == "" {
		return g, &FieldError{"name", "an empty name", "a name"}
	}
	if err := whole.optional("source", &g.Source, "a text"); err != nil {
		return g, err
	}
	if err := whole.optional("speeds", &g.Speeds, "a text"); err != nil {
		return g, err
	}
	var clusters []json.RawMessage
	if err := whole.get("clusters", &clusters, "a list of clusters"); err != nil {
		return g, err
	}
	said := 0 // clusters with a speed
	for i, raw := range clusters {
		c, hasSpeed, err := decodeCluster(raw, fmt.Sprintf("clusters[%d]", i))
		if err != nil {
			return g, err
		}
		if hasSpeed {
			said++
		}
		g.Clusters = append(g.Clusters, c)
	}
	if g.Speeds == "" {
		g.Speeds = speedsOfFile(said, len(clusters))
	}
	return g, g.Validate()
}

// speedsOfFile says where speeds are from, of a file that does not.
func speedsOfFile(said, clusters int) string {
	switch said {
	case clusters:
		return "those of the grid file"
	case 0:
		return "all 1, an assumption: the grid file has none"
	}
	return "those of the grid file, and 1, an assumption, where it has none"
}

func decodeCluster(raw []byte, path string) (c Cluster, hasSpeed bool, err error) {
	c = Cluster{Speed: 1, Partition: workload.Integer(workload.Unknown)}
	o, err := object(raw, path, "name", "processors", "speed", "partition")
	if err == nil {
		err = o.get("name", &c.Name, "a text")
	}
	if err == nil {
		err = o.get("processors", &c.Processors, fmt.Sprintf("a whole number from 1 to %d", MaxProcessors))
	}
	if err == nil {
		err = o.optional("speed", &c.Speed, fmt.Sprintf("a number from %g to %g", MinSpeed, MaxSpeed))
	}
	if err == nil {
		err = o.optional("partition", &c.Partition, wantPartition)
	}
	_, hasSpeed = o.raw["speed"]
	if _, has := o.raw["partition"]; err == nil && has && c.Partition < 0 { // Unknown too
		err = &FieldError{o.at("partition"), fmt.Sprint(c.Partition), wantPartition}
	}
	return c, hasSpeed, err
}

// fields are those of a JSON object.
type fields struct {
	path string
	raw  map[string]json.RawMessage
}

// at is the path of a key, which is quoted where it is none of a grid's.
func (f fields) at(key string) string {
	if !plainKey.MatchString(key) {
		key = strconv.Quote(key)
	}
	return strings.TrimPrefix(f.path+"."+key, ".")
}

// plainKey is what the keys of a grid are made of.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// get reads a field that there must be.
func (f fields) get(key string, into any, want string) error {
	raw, ok := f.raw[key]
	if !ok {
		return &FieldError{f.at(key), "no such field", want}
	}
	if string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		return &FieldError{f.at(key), workload.Shorten(raw), want}
	}
	return nil
}

// optional reads a field that may be missing.
func (f fields) optional(key string, into any, want string) error {
	if _, ok := f.raw[key]; !ok {
		return nil
	}
	return f.get(key, into, want)
}

// object reads a JSON object and refuses keys that are not known, or given
// twice.
func object(data []byte, path string, known ...string) (fields, error) {
	f := fields{path, map[string]json.RawMessage{}}
	bad := func(saw string) error { return &FieldError{path, saw, "a JSON object"} }
	d := json.NewDecoder(bytes.NewReader(data))
	t, err := d.Token()
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return f, bad("nothing")
	case err != nil:
		return f, bad(notJSON(data, err))
	case t != json.Delim('{'):
		return f, bad(workload.Shorten(data))
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return f, bad(notJSON(data, err))
		}
		key, _ := t.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return f, bad(notJSON(data, err))
		}
		switch _, twice := f.raw[key]; {
		case !slices.Contains(known, key):
			return f, &FieldError{f.at(key), "an unknown key", "one of " + strings.Join(known, ", ")}
		case twice:
			return f, &FieldError{f.at(key), "a second time", "one value"}
		}
		f.raw[key] = raw
	}
	if _, err := d.Token(); err != nil {
		return f, bad(notJSON(data, err))
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return f, &FieldError{path, workload.Shorten(rest) + " behind the last brace", "the end of the file"}
	}
	return f, nil
}

// notJSON says where a text stops being JSON.
func notJSON(data []byte, err error) string {
	if line, ok := jsonfault.Line(data, err); ok {
		return fmt.Sprintf("line %d, which is not JSON (%v)", line, err)
	}
	return "a text that ends in the middle of the object"
}

// Encode writes a grid as Decode reads it.
func Encode(g Grid) []byte {
	type cluster struct {
		Name       string           `json:"name"`
		Processors int64            `json:"processors"`
		Speed      float64          `json:"speed"`
		Partition  workload.Integer `json:"partition,omitzero"`
	}
	file := struct {
		Schema   string    `json:"schema"`
		Name     string    `json:"name"`
		Source   string    `json:"source,omitempty"`
		Speeds   string    `json:"speeds,omitempty"`
		Clusters []cluster `json:"clusters"`
	}{Schema: Schema, Name: g.Name, Source: g.Source, Speeds: g.Speeds}
	for _, c := range g.Clusters {
		file.Clusters = append(file.Clusters, cluster(c))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if e.Encode(file) != nil {
		return nil // a speed that is not a number; Validate names it
	}
	return b.Bytes()
}
