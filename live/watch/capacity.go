package watch

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// readCapacity asks for nodes, partitions and reservations. Where one of them cannot be
// had, what was known before stays.
func (s *slurmSource) readCapacity(ctx context.Context) error {
	var nodes []node
	var parts []partition
	var reserved []reservation
	err := s.nodes(ctx, func(r io.Reader) (err error) { nodes, err = readNodes(r); return err })
	if err == nil {
		err = s.partitions(ctx, func(r io.Reader) (err error) { parts, err = readPartitions(r); return err })
	}
	if err == nil {
		err = s.reservations(ctx, func(r io.Reader) (err error) { reserved, err = readReservations(r); return err })
	}
	if err == nil && len(nodes) == 0 {
		err = errors.New("no nodes are listed")
	}
	if err != nil {
		return err
	}
	s.capacity = capacityOf(nodes, parts, reserved, s.o.Names)
	return nil
}

// node is what Slurm says of a node.
type node struct {
	name       string
	states     []string // upper case, the state proper first
	cpus       int64    // that jobs can use
	used       int64
	partitions []string
}

// partition is what Slurm says of a partition.
type partition struct {
	name                 string
	state                PartitionState
	byDefault            bool
	cpus                 int64
	maxNodes             int64   // of a job; 0 is no limit
	maxPerNode           int64   // processors of a job on a node; 0 is no limit
	maxTime, defaultTime float64 // s; NaN is none
}

// reservation is what Slurm says of a reservation.
type reservation struct {
	active bool
	cpus   int64
}

// On nodes with these states and flags no job can start. Nodes that are powered down
// are not among them: Slurm wakes them for a job.
var (
	drain = []string{"DRAIN", "DRAINING", "DRAINED"}
	down  = []string{"DOWN", "ERROR", "FAIL", "FAILING", "FUTURE", "INVAL", "INVALID_REG", "NOT_RESPONDING", "NO_RESPOND", "REBOOT_ISSUED", "UNKNOWN", "BLOCKED"}
)

// setAside are the flags of nodes that a reservation or maintenance has, maybe in part.
var setAside = []string{"RESERVED", "MAINT", "MAINTENANCE"}

func (n *node) has(any []string) bool {
	return slices.ContainsFunc(n.states, func(state string) bool { return slices.Contains(any, state) })
}

// tally counts the processors of some nodes.
type tally struct {
	total, usable, used, idle int64
	aside, asideIdle          int64 // of usable, on nodes that a reservation has
	unusable                  Unavailable
	largest                   int64 // processors of a node
}

func (t *tally) add(n *node) {
	t.total += n.cpus
	t.used += n.used
	t.largest = max(t.largest, n.cpus)
	switch {
	case n.has(down):
		t.unusable.Down += n.cpus
		return
	case n.has(drain) && n.used > 0:
		t.unusable.Draining += n.cpus
		return
	case n.has(drain):
		t.unusable.Drained += n.cpus
		return
	}
	idle := max(0, n.cpus-n.used)
	t.usable += n.cpus
	t.idle += idle
	if n.has(setAside) {
		t.aside += n.cpus
		t.asideIdle += idle
	}
}

// now returns the processors that jobs without a reservation can get, those of them that
// are idle, and the others, while reservations hold so many.
func (t *tally) now(reserved int64) (processors, free int64, others Unavailable) {
	reserved = min(reserved, t.aside)
	others = t.unusable
	others.Reserved = reserved
	return t.usable - reserved, t.idle - min(reserved, t.asideIdle), others
}

// capacityOf puts together what Slurm says.
func capacityOf(nodes []node, parts []partition, reservations []reservation, names *Names) Capacity {
	var all tally
	by := map[string]*tally{}
	for i := range nodes {
		n := &nodes[i]
		all.add(n)
		for _, name := range n.partitions {
			if by[name] == nil {
				by[name] = &tally{}
			}
			by[name].add(n)
		}
	}
	var reserved int64
	for _, r := range reservations {
		if r.active {
			reserved += max(0, r.cpus)
		}
	}
	c := Capacity{Total: all.total, Used: all.used}
	c.Processors, c.Free, c.Unavailable = all.now(reserved)
	for _, p := range parts {
		t := by[p.name]
		if t == nil {
			t = &tally{}
		}
		out := Partition{Name: cutName(p.name), Number: names.Number(workload.ColPartition, p.name), Total: p.cpus,
			MaxTime: p.maxTime, DefaultTime: p.defaultTime, State: p.state, Default: p.byDefault}
		if math.IsNaN(out.MaxTime) {
			out.MaxTime = math.Inf(1)
		}
		out.Processors, _, out.Unavailable = t.now(reserved)
		if perNode := t.largest; p.maxNodes > 0 && perNode > 0 {
			if p.maxPerNode > 0 {
				perNode = min(perNode, p.maxPerNode)
			}
			out.MaxProcessors = p.maxNodes * perNode
		}
		c.Partitions = append(c.Partitions, out)
	}
	slices.SortStableFunc(c.Partitions, func(a, b Partition) int { return strings.Compare(a.Name, b.Name) })
	return c
}
