package watch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// askCapacity queries nodes, partitions and reservations and sets s.capacity. If any query
// fails, it returns an error and does not change s.capacity.
func (s *slurmSource) askCapacity(ctx context.Context) error {
	var lists [3][]fields
	for i, what := range [][2]string{{"nodes", "NodeName"}, {"partition", "PartitionName"}, {"reservation", "ReservationName"}} {
		read := func(r io.Reader) (err error) { lists[i], err = readLines(r, what[1]); return err }
		if err := s.run(ctx, s.o.Timeout, read, "scontrol", "--all", "--oneliner", "show", what[0]); err != nil {
			return fmt.Errorf("%s: %w", what[0], err)
		}
	}
	if len(lists[0]) == 0 {
		return errors.New("no nodes are listed")
	}
	s.capacity = capacityOf(lists[0], lists[1], lists[2], s.o.Names)
	return nil
}

// fields holds the fields of a line of scontrol --oneliner, "NodeName=n1 CPUTot=64 State=IDLE ...".
type fields map[string]string

// maxMachineLine limits the length of a line of scontrol in bytes. A node takes some hundred.
const maxMachineLine = 1 << 20

// readLines reads the output of scontrol --oneliner. Each line must begin with the given key and a
// value.
func readLines(r io.Reader, key string) (all []fields, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxMachineLine)
	empty := true
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		empty = empty && text == ""
		if text == "" || strings.HasPrefix(text, "No ") && strings.HasSuffix(text, "in the system") {
			continue
		}
		f := fields{}
		for _, pair := range strings.Fields(text) {
			if k, v, ok := strings.Cut(pair, "="); ok && f[k] == "" {
				f[k] = v
			}
		}
		if !strings.HasPrefix(text, key+"=") || f[key] == "" {
			return nil, fmt.Errorf("line %d begins with %q, want %s=", n, cutName(oneLine(text)), key)
		}
		all = append(all, f)
	}
	if s.Err() == nil && empty {
		return nil, errors.New("no output")
	}
	return all, s.Err()
}

// count returns the value of a field that is a whole number of 0 or more. It returns 0 if the
// value is unknown or means no limit.
func (f fields) count(key string) int64 { return max(0, slurm.Count(f[key])) }

// Jobs cannot start on nodes with the states and flags drain and down. Nodes that are powered
// down are not among them, because Slurm wakes them for a job.
var (
	drain = []string{"DRAIN", "DRAINING", "DRAINED"}
	down  = []string{"DOWN", "ERROR", "FAIL", "FAILING", "FUTURE", "INVAL", "INVALID_REG", "NOT_RESPONDING", "NO_RESPOND", "REBOOT_ISSUED", "UNKNOWN", "BLOCKED"}
	// reserved lists the flags of nodes that are held, possibly in part, by a reservation or
	// maintenance.
	reserved = []string{"RESERVED", "MAINT", "MAINTENANCE"}
)

// tally counts the processors of some nodes.
type tally struct {
	total, usable, used, idle int64
	aside, asideIdle          int64 // parts of usable and idle on reserved nodes
	unusable                  Unavailable
	largest                   int64 // processors of the largest node
}

// add adds a node.
func (t *tally) add(node fields) {
	processors, used := node.count("CPUTot"), node.count("CPUAlloc")
	if n := slurm.Count(node["CPUEfctv"]); n != workload.Unknown { // not reserved for the system
		processors = n
	}
	// IDLE+DRAIN is a state and a flag. A * at the end means that the node does not respond;
	// other suffixes concern power and planned use.
	states := strings.Split(strings.ReplaceAll(strings.ToUpper(node["State"]), "*", "+NOT_RESPONDING"), "+")
	has := func(any []string) bool {
		return slices.ContainsFunc(states, func(s string) bool { return slices.Contains(any, strings.TrimRight(s, "~#!%$@^-")) })
	}
	t.total += processors
	t.used += used
	t.largest = max(t.largest, processors)
	switch {
	case has(down):
		t.unusable.Down += processors
		return
	case has(drain) && used > 0:
		t.unusable.Draining += processors
		return
	case has(drain):
		t.unusable.Drained += processors
		return
	}
	idle := max(0, processors-used)
	t.usable += processors
	t.idle += idle
	if has(reserved) {
		t.aside += processors
		t.asideIdle += idle
	}
}

// now returns the number of processors available to jobs without a reservation, the number of
// these that are idle, and the unavailable ones. reserved is the number that active reservations
// hold.
func (t *tally) now(reserved int64) (processors, free int64, others Unavailable) {
	reserved = min(reserved, t.aside)
	others = t.unusable
	others.Reserved = reserved
	return t.usable - reserved, t.idle - min(reserved, t.asideIdle), others
}

// capacityOf returns the capacity described by the lines of scontrol.
func capacityOf(nodes, partitions, reservations []fields, names *Names) Capacity {
	all, byPartition := &tally{}, map[string]*tally{}
	for _, node := range nodes {
		all.add(node)
		for _, name := range strings.Split(node["Partitions"], ",") {
			if byPartition[name] == nil {
				byPartition[name] = &tally{}
			}
			byPartition[name].add(node)
		}
	}
	var held int64 // processors of active reservations
	for _, r := range reservations {
		if r["State"] != "ACTIVE" {
			continue
		}
		n := r.count("CoreCnt")
		for _, item := range strings.Split(r["TRES"], ",") {
			if text, ok := strings.CutPrefix(item, "cpu="); ok {
				n = max(0, slurm.Count(text))
			}
		}
		held += n
	}
	c := Capacity{Total: all.total, Used: all.used}
	c.Processors, c.Free, c.Unavailable = all.now(held)
	for _, p := range partitions {
		name := p["PartitionName"]
		out := Partition{Name: cutName(name), Number: names.Number(workload.ColPartition, name), Total: p.count("TotalCPUs"),
			MaxTime: slurm.Duration(p["MaxTime"]), DefaultTime: slurm.Duration(p["DefaultTime"]),
			State: PartitionState(strings.ToLower(p["State"])), Default: p["Default"] == "YES"}
		if math.IsNaN(out.MaxTime) {
			out.MaxTime = math.Inf(1)
		}
		t := byPartition[name]
		if t == nil {
			t = &tally{}
		}
		out.Processors, _, out.Unavailable = t.now(held)
		perNode := t.largest
		if most := p.count("MaxCPUsPerNode"); most > 0 {
			perNode = min(perNode, most)
		}
		out.MaxProcessors = p.count("MaxNodes") * perNode
		c.Partitions = append(c.Partitions, out)
	}
	slices.SortStableFunc(c.Partitions, func(a, b Partition) int { return strings.Compare(a.Name, b.Name) })
	return c
}
