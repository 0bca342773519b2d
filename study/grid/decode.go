package grid

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the form of a grid file and its version.
const Schema = "loadstone.grid/1"

// file is a Grid in JSON.
type file struct {
	Schema   string        `json:"schema" want:"the text loadstone.grid/1"`
	Name     string        `json:"name" want:"a text"`
	Source   string        `json:"source,omitempty" want:"a text"`
	Speeds   string        `json:"speeds,omitempty" want:"a text"`
	Clusters []clusterFile `json:"clusters" want:"a list of clusters"`
}

type clusterFile struct {
	Name       string   `json:"name" want:"a text"`
	Processors int64    `json:"processors" want:"a whole number from 1 to 2147483648"`
	Speed      *float64 `json:"speed,omitempty" want:"a number from 1e-06 to 1e+06"`
	Partition  *int64   `json:"partition,omitempty" want:"the number of a site in the log, from 0"`
}

// Decode reads a grid file: one JSON object with "schema" (Schema), "name" and
// "clusters", and optionally "source" and "speeds", texts that name the sources
// of sizes and speeds. A cluster has "name" and "processors", and optionally
// "speed" (1 if missing) and "partition", the site of the log for which it
// stands. If "speeds" is missing, Grid.Speeds tells which speeds come from the
// file and which are assumed. Anything else, and a key given twice, is an error
// that names the field.
func Decode(data []byte) (Grid, error) {
	var f file
	if err := jsonfault.Strict(data, Schema, &f); err != nil {
		var fault *jsonfault.Fault
		if errors.As(err, &fault) {
			err = &FieldError{fault.Path, fault.Saw, fault.Want}
		}
		return Grid{}, err
	}
	g := Grid{Name: f.Name, Source: f.Source, Speeds: f.Speeds}
	said := 0 // clusters with a speed
	for _, x := range f.Clusters {
		c := Cluster{Name: x.Name, Processors: x.Processors, Speed: 1, Partition: workload.Integer(workload.Unknown)}
		if x.Speed != nil {
			c.Speed = *x.Speed
			said++
		}
		if x.Partition != nil {
			c.Partition = workload.Integer(*x.Partition)
			if !c.Partition.Known() {
				c.Partition = -1 // a fault
			}
		}
		g.Clusters = append(g.Clusters, c)
	}
	if g.Speeds == "" {
		g.Speeds = speedsOfFile(said, len(g.Clusters))
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

// Encode writes a grid as Decode reads it.
func Encode(g Grid) []byte {
	f := file{Schema: Schema, Name: g.Name, Source: g.Source, Speeds: g.Speeds, Clusters: []clusterFile{}}
	for _, c := range g.Clusters {
		x := clusterFile{Name: c.Name, Processors: c.Processors, Speed: &c.Speed}
		if c.Partition.Known() {
			x.Partition = (*int64)(&c.Partition)
		}
		f.Clusters = append(f.Clusters, x)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if e.Encode(f) != nil {
		return nil // a speed that is not a number; Validate names it
	}
	return b.Bytes()
}
