package grid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Grid is a set of clusters under one broker.
type Grid struct {
	Name   string `json:"name"`
	Source string `json:"source"` // the source of the sizes
	// Speeds names the source of the clusters' speeds, for results.
	Speeds   string    `json:"speeds"`
	Clusters []Cluster `json:"clusters"` // their order breaks ties: the first of equals is taken
}

// Cluster is one space-sharing machine of a grid.
type Cluster struct {
	Name       string `json:"name" show:"cluster"`
	Processors int64  `json:"processors" show:"processors"` // 1 to MaxProcessors
	// Speed is the speed of the processors relative to the reference, from
	// MinSpeed to MaxSpeed: a job of run time T at speed 1 takes T/Speed.
	Speed float64 `json:"speed" show:"speed"`
	// Partition is the site of the log (workload.Request.Partition) that the
	// cluster stands for, from 0; workload.Unknown where it stands for none.
	Partition workload.Integer `json:"partition"`
}

// Limits of a grid.
const (
	MaxClusters         = 4096
	MaxProcessors int64 = 1 << 31
	MinSpeed            = 1e-6
	MaxSpeed            = 1e6
)

// FieldError is the error for one field of a grid or a grid file.
type FieldError struct {
	Path string // such as "clusters[1].speed"; empty for the whole grid
	Saw  string
	Want string
}

func (e *FieldError) Error() string {
	text := "grid: "
	if e.Path != "" {
		text += e.Path + ": "
	}
	text += "saw " + e.Saw
	if e.Want != "" {
		text += ", want " + e.Want
	}
	return text
}

// Validate returns an error that names the first field out of its range.
func (g *Grid) Validate() error {
	if n := len(g.Clusters); n < 1 || n > MaxClusters {
		return &FieldError{"clusters", fmt.Sprint(n), fmt.Sprintf("1 to %d clusters", MaxClusters)}
	}
	if g.Name == "" {
		return &FieldError{"name", "an empty name", "a name"}
	}
	for _, text := range []struct{ path, saw string }{{"name", g.Name}, {"source", g.Source}, {"speeds", g.Speeds}} {
		if strings.ContainsFunc(text.saw, noPrint) {
			return &FieldError{text.path, fmt.Sprintf("%q", text.saw), "printable characters"}
		}
	}
	names, sites := map[string]bool{}, map[int64]bool{}
	for i, c := range g.Clusters {
		at := fmt.Sprintf("clusters[%d].", i)
		switch {
		case c.Name == "":
			return &FieldError{at + "name", "an empty name", "a name"}
		case strings.ContainsFunc(c.Name, noPrint):
			return &FieldError{at + "name", fmt.Sprintf("%q", c.Name), "a name of printable characters"}
		case names[c.Name]:
			return &FieldError{at + "name", fmt.Sprintf("%q a second time", c.Name), "a different name"}
		case c.Processors < 1 || c.Processors > MaxProcessors:
			return &FieldError{at + "processors", fmt.Sprint(c.Processors), fmt.Sprintf("1 to %d", MaxProcessors)}
		case !(c.Speed >= MinSpeed && c.Speed <= MaxSpeed):
			return &FieldError{at + "speed", fmt.Sprint(c.Speed), fmt.Sprintf("%g to %g", MinSpeed, MaxSpeed)}
		case c.Partition.Known() && c.Partition < 0:
			return &FieldError{at + "partition", fmt.Sprint(c.Partition), wantPartition}
		case c.Partition.Known() && sites[int64(c.Partition)]:
			return &FieldError{at + "partition", fmt.Sprintf("%d a second time", c.Partition), "a different site"}
		}
		names[c.Name], sites[int64(c.Partition)] = true, true
	}
	return nil
}

const wantPartition = "the number of a site in the log, from 0"

func noPrint(r rune) bool { return !unicode.IsPrint(r) }

// Processors returns the total number of processors of all clusters.
func (g *Grid) Processors() int64 {
	n := int64(0)
	for _, c := range g.Clusters {
		n += c.Processors
	}
	return n
}

// Largest returns the cluster with the most processors, the first of equals.
// The grid must have a cluster.
func (g *Grid) Largest() Cluster {
	return slices.MaxFunc(g.Clusters, func(a, b Cluster) int { return cmp.Compare(a.Processors, b.Processors) })
}

// Capacity returns the processor seconds at speed 1 that the grid provides in a
// second.
func (g *Grid) Capacity() float64 {
	sum := 0.0
	for _, c := range g.Clusters {
		sum += float64(c.Processors) * c.Speed
	}
	return sum
}

// Work returns the processor seconds of a job at speed 1, 0 if Simulate leaves
// it out.
func (g *Grid) Work(j *workload.Job) float64 {
	if rule, _ := sched.Unfit(j); rule != "" || j.Size > g.Largest().Processors {
		return 0
	}
	work := float64(j.Size) * j.Run
	if c := g.of(j.Partition); c >= 0 {
		return work * g.Clusters[c].Speed
	}
	return work
}

// of returns which cluster stands for a site of the log, -1 for none.
func (g *Grid) of(site int64) int {
	return slices.IndexFunc(g.Clusters, func(c Cluster) bool { return c.Partition.Known() && int64(c.Partition) == site })
}

// NamesSites reports whether a cluster stands for a site of the log.
func (g *Grid) NamesSites() bool {
	return slices.ContainsFunc(g.Clusters, func(c Cluster) bool { return c.Partition.Known() })
}

// Equal reports whether all clusters have the same speed.
func (g *Grid) Equal() bool {
	return !slices.ContainsFunc(g.Clusters, func(c Cluster) bool { return c.Speed != g.Clusters[0].Speed })
}

func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }
