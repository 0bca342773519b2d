package watch

import (
	"errors"
	"io"
	"math"
	"strings"
	"time"
)

// readNodes reads scontrol show nodes, or a list of nodes in JSON.
func readNodes(r io.Reader) (nodes []node, err error) {
	add := func(n node) error {
		if n.name == "" {
			return errors.New("a node without a name")
		}
		nodes = append(nodes, n)
		return nil
	}
	err = machineRead(r, "nodes", "NodeName", "nodes", func(f map[string]string) error {
		n := node{name: f["NodeName"], states: splitStates(f["State"]), partitions: splitList(f["Partitions"])}
		n.cpus, n.used = count(wholeNumber(f["CPUTot"])), count(wholeNumber(f["CPUAlloc"]))
		if x := wholeNumber(f["CPUEfctv"]); x >= 0 { // less those that Slurm keeps for the system
			n.cpus = count(x)
		}
		return add(n)
	}, func(o jsonObject) error {
		n := node{name: o.text("name"), partitions: o.texts("partitions")}
		n.cpus, n.used = count(o.number("effective_cpus", "cpus")), count(o.number("alloc_cpus"))
		for _, state := range append(o.texts("state"), o.texts("state_flags")...) {
			n.states = append(n.states, splitStates(state)...)
		}
		return add(n)
	})
	return nodes, err
}

// splitStates takes IDLE+DRAIN apart. A * at the end stands for a node that does not
// answer; other signs are of powering and plans.
func splitStates(text string) (states []string) {
	text = strings.ToUpper(text)
	for _, s := range strings.Split(text, "+") {
		if s, down := strings.CutSuffix(s, "*"); down {
			states = append(states, s, "NOT_RESPONDING")
			continue
		}
		states = append(states, strings.TrimRight(s, "~#!%$@^-"))
	}
	return states
}

func splitList(text string) []string {
	if text == "" || text == "(null)" {
		return nil
	}
	return strings.Split(text, ",")
}

// readPartitions reads scontrol show partition, or a list of partitions in JSON.
func readPartitions(r io.Reader) (parts []partition, err error) {
	add := func(p partition) error {
		if p.name == "" {
			return errors.New("a partition without a name")
		}
		parts = append(parts, p)
		return nil
	}
	err = machineRead(r, "partitions", "PartitionName", "partitions", func(f map[string]string) error {
		return add(partition{
			name: f["PartitionName"], state: PartitionState(strings.ToLower(f["State"])), byDefault: f["Default"] == "YES", cpus: count(wholeNumber(f["TotalCPUs"])),
			maxNodes: count(wholeNumber(f["MaxNodes"])), maxPerNode: count(wholeNumber(f["MaxCPUsPerNode"])),
			maxTime: duration(f["MaxTime"]), defaultTime: duration(f["DefaultTime"]),
		})
	}, func(o jsonObject) error {
		p := partition{name: o.text("name")}
		for _, flag := range o.texts("flags") {
			p.byDefault = p.byDefault || strings.EqualFold(flag, "default")
		}
		state, inner := o.texts("state"), o.object("partition")
		state = append(state, inner.texts("state")...)
		if len(state) > 0 {
			p.state = PartitionState(strings.ToLower(state[0]))
		}
		maximums, defaults := o.object("maximums"), o.object("defaults")
		p.cpus = count(first(o.number("total_cpus"), o.object("cpus").number("total")))
		p.maxNodes = count(first(o.number("maximum_nodes_per_job"), maximums.number("nodes")))
		p.maxPerNode = count(first(o.number("maximum_cpus_per_node"), maximums.number("cpus_per_node")))
		p.maxTime = 60 * first(o.number("max_time_limit"), maximums.number("time"))
		p.defaultTime = 60 * first(o.number("default_time_limit"), defaults.number("time"))
		return add(p)
	})
	return parts, err
}

func first(numbers ...float64) float64 {
	for _, x := range numbers {
		if !math.IsNaN(x) {
			return x
		}
	}
	return math.NaN()
}

// duration reads [DD-]HH:MM:SS in seconds; NaN of UNLIMITED, NONE and what is no time.
func duration(text string) float64 {
	days, clock, dashed := strings.Cut(text, "-")
	if !dashed {
		days, clock = "0", text
	}
	parts := strings.Split(clock, ":")
	if len(parts) != 3 {
		return math.NaN()
	}
	s := 86400 * wholeNumber(days)
	for i, unit := range []float64{3600, 60, 1} {
		s += unit * wholeNumber(parts[i])
	}
	return s
}

// readReservations reads scontrol show reservation, or a list of reservations in JSON.
func readReservations(r io.Reader) (list []reservation, err error) {
	now := float64(time.Now().Unix())
	err = machineRead(r, "reservations", "ReservationName", "reservations", func(f map[string]string) error {
		x := reservation{active: f["State"] == "ACTIVE", cpus: tresCPUs(f["TRES"])}
		if x.cpus == 0 {
			x.cpus = count(wholeNumber(f["CoreCnt"]))
		}
		list = append(list, x)
		return nil
	}, func(o jsonObject) error {
		x := reservation{cpus: tresCPUs(o.text("tres"))}
		x.active = o.number("start_time") <= now && !(o.number("end_time") <= now)
		if x.cpus == 0 {
			x.cpus = count(o.number("core_count"))
		}
		list = append(list, x)
		return nil
	})
	return list, err
}

// tresCPUs is the processors in a list such as cpu=64,mem=1M; 0 where it has none.
func tresCPUs(list string) int64 {
	for _, item := range strings.Split(list, ",") {
		if n, ok := strings.CutPrefix(item, "cpu="); ok {
			return count(wholeNumber(n))
		}
	}
	return 0
}
