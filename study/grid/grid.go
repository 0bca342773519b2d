package grid

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the form of a grid file and its version.
const Schema = "loadstone.grid/1"

// Grid is a set of clusters with one broker, as read by Decode.
type Grid struct {
	Schema string `json:"-" opt:"schema" required:"true"`
	Name   string `json:"name" opt:"name" required:"true" help:"a <text>"`
	Source string `json:"source" opt:"source" help:"a <text>"` // the source of the sizes
	// Speeds names the source of the clusters' speeds, for results.
	Speeds   string    `json:"speeds" opt:"speeds" help:"a <text>" default:"those of the grid file; an assumed 1 where it has none"`
	Clusters []Cluster `json:"clusters" opt:"clusters" required:"true"` // in ties the first is chosen
}

// Cluster is one space-sharing machine of a grid.
type Cluster struct {
	Name       string `json:"name" show:"cluster" opt:"name" required:"true" help:"a <text>"`
	Processors int64  `json:"processors" show:"processors" opt:"processors" in:"[1,2147483648]" required:"true"`
	// Speed is the speed of the processors relative to the reference: a job with run time T
	// at speed 1 takes T/Speed.
	Speed float64 `json:"speed" show:"speed" opt:"speed" in:"[1e-6,1e6]" default:"1"`
	// Partition is the site of the log (workload.Request.Partition) that the
	// cluster represents; nil if it represents none.
	Partition *int64 `json:"partition" opt:"partition" in:"[0,)" want:"the number of a site in the log, from 0"`
}

// maxClusters is the largest number of clusters of a grid.
const maxClusters = 4096

// Decode reads a grid file, in JSON or YAML, with the keys that the tags opt of Grid and
// Cluster declare. An error is a *workload.InputError with the line and the key.
func Decode(name string, text []byte) (*Grid, error) {
	g := new(Grid)
	_, err := strict.Decode(name, text, g)
	return g, err
}

// Choices returns the values that a key accepts; nil if they are not listed.
func (g *Grid) Choices(key string) []string {
	if key == "schema" {
		return []string{Schema}
	}
	return nil
}

// Check returns a *workload.OptionError for a fault that tags cannot express.
func (g *Grid) Check() error {
	if n := len(g.Clusters); n > maxClusters {
		return workload.OptionFault("clusters", n, "1 to %d clusters", maxClusters)
	}
	names, sites := map[string]bool{}, map[int64]bool{}
	for i, c := range g.Clusters {
		switch {
		case names[c.Name]:
			return workload.OptionFault(fmt.Sprintf("clusters[%d].name", i), strconv.Quote(c.Name)+" a second time", "a different name")
		case c.Partition != nil && sites[*c.Partition]:
			return workload.OptionFault(fmt.Sprintf("clusters[%d].partition", i), fmt.Sprintf("%d a second time", *c.Partition), "a different site")
		}
		if names[c.Name] = true; c.Partition != nil {
			sites[*c.Partition] = true
		}
	}
	return nil
}

// PresetNames returns the names of the two grids of Sonmez and others (2009). Sizes are
// those of table 4. Speeds are not published. Those of DAS3 are an assumption of this
// package, not those of the paper's SPEC benchmarks: the clock rates that its nodes are said
// to have had (2.4, 2.6, 2.2, 2.4 and 2.4 GHz; unchecked) divided by that of FS0. AuverGrid's
// nodes are of equal speed, as stated in the paper.
func PresetNames() []string { return []string{"das3", "auvergrid"} }

//go:embed das3.json auvergrid.json
var presets embed.FS

// Preset returns the file of a preset.
func Preset(name string) (text []byte, err error) {
	if !slices.Contains(PresetNames(), name) {
		return nil, fmt.Errorf("no grid %q, want one of %s", name, strings.Join(PresetNames(), ", "))
	}
	return presets.ReadFile(name + ".json")
}

// Processors returns the total number of processors of all clusters.
func (g *Grid) Processors() int64 {
	n := int64(0)
	for _, c := range g.Clusters {
		n += c.Processors
	}
	return n
}

// largest returns the cluster with the most processors, the first of equals.
func (g *Grid) largest() Cluster {
	return slices.MaxFunc(g.Clusters, func(a, b Cluster) int { return cmp.Compare(a.Processors, b.Processors) })
}

// capacity returns the processor seconds at speed 1 that the grid provides in a second.
func (g *Grid) capacity() float64 {
	sum := 0.0
	for _, c := range g.Clusters {
		sum += float64(c.Processors) * c.Speed
	}
	return sum
}

// work returns the processor seconds of a job at speed 1, 0 if the simulation leaves it out.
func (g *Grid) work(j *workload.Job) float64 {
	if rule, _ := sched.Unfit(j); rule != "" || j.Size > g.largest().Processors {
		return 0
	}
	work := float64(j.Size) * j.Run
	if c := g.of(j.Partition); c >= 0 {
		return work * g.Clusters[c].Speed
	}
	return work
}

// of returns the index of the cluster that represents a site of the log, -1 if there is none.
func (g *Grid) of(site int64) int {
	return slices.IndexFunc(g.Clusters, func(c Cluster) bool { return c.Partition != nil && *c.Partition == site })
}
