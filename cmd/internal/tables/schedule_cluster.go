package tables

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// resourceColumns are the columns of CSV for the resources of a machine; there are
// none for a machine that has processors alone.
func resourceColumns(resources []evaluate.ScheduleResource) (columns []present.Column[scheduleRow]) {
	for _, x := range resources {
		float := func(name string, value stats.Number) {
			columns = append(columns, present.Float(x.Name+"_"+name, "", func(scheduleRow) stats.Number { return value }, nil))
		}
		float("capacity", stats.Number(x.Capacity))
		float("utilisation", x.Utilisation)
		float("held", x.Held)
		float("head_short", x.HeadShort)
	}
	return columns
}

// resourceWords are the resources in the table for people.
var resourceWords = map[string]string{"processors": "processors", "gpus": "GPUs", "memory_kb": "memory", "nodes": "nodes"}

// printCluster tells people what a schedule did with each resource of a machine, and
// to the jobs of each partition.
func printCluster(w *present.Screen, r *evaluate.ScheduleResult) {
	if len(r.Resources) == 0 {
		return
	}
	share := func(x stats.Number) string { return present.Percent(100 * x) }
	people := present.Table{Head: []string{"resource", "there are", "asked for", "held", "short at the head"}}
	for _, x := range r.Resources {
		amount := strconv.FormatFloat(x.Capacity, 'f', -1, 64)
		if x.Name == "memory_kb" {
			amount = present.Sig(x.Capacity/(1<<20)) + " GB"
		}
		people.Add(resourceWords[x.Name], amount, share(x.Utilisation), share(x.Held), share(x.HeadShort))
	}
	w.Printf("\n")
	w.Table(people)
	if len(r.Partitions) == 0 {
		return
	}
	people = present.Table{Head: []string{"partition", "jobs", "waited", "wait mean", "median", "95%", "slowdown mean"}}
	for _, x := range r.Partitions {
		name := x.Name
		if name == "" {
			name = strconv.FormatInt(int64(x.Partition), 10)
		}
		people.Add(name, strconv.Itoa(x.Jobs), present.Percent(x.WaitedPct), present.Sig(x.Wait.Mean)+" s", present.Sig(x.Wait.Median)+" s", present.Sig(x.Wait.Q95)+" s", present.Sig(x.BoundedSlowdown.Mean))
	}
	w.Printf("\n")
	w.Table(people)
}
