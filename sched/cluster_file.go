package sched

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClusterSchema names the JSON form of a Cluster and its version.
const ClusterSchema = "loadstone.machine/1"

// clusterFile is a Cluster in JSON.
type clusterFile struct {
	Schema     string          `json:"schema"`
	WholeNodes bool            `json:"whole_nodes"`
	Pools      []poolFile      `json:"pools"`
	Partitions []partitionFile `json:"partitions"`
}

type poolFile struct {
	Name       string  `json:"name"`
	Nodes      int64   `json:"nodes"`
	Processors int64   `json:"processors"`
	GPUs       int64   `json:"gpus"`
	GPUType    string  `json:"gpu_type"`
	MemoryGB   float64 `json:"memory_gb"`
}

type partitionFile struct {
	Name  string   `json:"name"`
	Pools []string `json:"pools"`
}

// KBPerGB is how many KB a GB has, as Slurm counts them.
const KBPerGB = 1 << 20

// DecodeCluster reads the description of a machine, strictly: a key that it does not
// know is an error. Errors are *workload.InputError with the file's name.
func DecodeCluster(name string, data []byte) (*Cluster, error) {
	var f clusterFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, notJSON(name, data, err)
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return nil, &workload.InputError{File: name, Line: lineAt(data, int(d.InputOffset())), Saw: workload.Shorten(rest), Want: "nothing after the object"}
	}
	if f.Schema != ClusterSchema {
		return nil, &workload.InputError{File: name, Field: "schema", Saw: strconv.Quote(f.Schema), Want: strconv.Quote(ClusterSchema)}
	}
	c, err := f.cluster()
	if err == nil {
		err = c.Validate()
	}
	if err != nil {
		return nil, &workload.InputError{File: name, Err: err}
	}
	return c, nil
}

// notJSON says where a text is no description.
func notJSON(name string, data []byte, err error) error {
	at := len(data) // where it ends too early
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if key, ok := jsonfault.Unknown(err); ok {
		at = max(0, bytes.Index(data, []byte(strconv.Quote(key))))
	} else if errors.As(err, &kind) {
		at = int(kind.Offset)
	} else if errors.As(err, &syntax) {
		at = int(syntax.Offset)
	}
	return &workload.InputError{File: name, Line: lineAt(data, at), Want: "the description of a machine", Err: jsonfault.Words(err)}
}

// lineAt returns the line of a place in a text, from 1.
func lineAt(data []byte, at int) int64 {
	return 1 + int64(bytes.Count(data[:min(at, len(data))], []byte("\n")))
}

func (f *clusterFile) cluster() (*Cluster, error) {
	c := &Cluster{WholeNodes: f.WholeNodes}
	for _, p := range f.Pools {
		memory := math.Round(p.MemoryGB * KBPerGB)
		if !(memory >= 0 && memory <= most) {
			return nil, fmt.Errorf("pool %q: saw memory_gb %g, want 0 to %d", p.Name, p.MemoryGB, most/KBPerGB)
		}
		c.Pools = append(c.Pools, Pool{p.Name, p.Nodes, p.Processors, p.GPUs, p.GPUType, int64(memory)})
	}
	for _, x := range f.Partitions {
		p := Partition{Name: x.Name}
		for _, name := range x.Pools {
			i := slices.IndexFunc(f.Pools, func(p poolFile) bool { return p.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("partition %q: saw pool %q, want the name of one of the pools", x.Name, name)
			}
			p.Pools = append(p.Pools, i)
		}
		c.Partitions = append(c.Partitions, p)
	}
	return c, nil
}
