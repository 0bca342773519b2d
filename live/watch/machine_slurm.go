package watch

import (
	"errors"
	"io"
	"math"
	"strings"
)

// readNodes reads scontrol show nodes.
func readNodes(r io.Reader) (nodes []node, err error) {
	err = readLines(r, "nodes", "NodeName", func(f map[string]string) error {
		n := node{name: f["NodeName"], states: splitStates(f["State"]), partitions: splitList(f["Partitions"])}
		n.cpus, n.used = count(wholeNumber(f["CPUTot"])), count(wholeNumber(f["CPUAlloc"]))
		if x := wholeNumber(f["CPUEfctv"]); x >= 0 { // less those that Slurm keeps for the system
			n.cpus = count(x)
		}
		if n.name == "" {
			return errors.New("a node without a name")
		}
		nodes = append(nodes, n)
		return nil
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

// readPartitions reads scontrol show partition.
func readPartitions(r io.Reader) (parts []partition, err error) {
	err = readLines(r, "partitions", "PartitionName", func(f map[string]string) error {
		p := partition{
			name: f["PartitionName"], state: PartitionState(strings.ToLower(f["State"])), byDefault: f["Default"] == "YES", cpus: count(wholeNumber(f["TotalCPUs"])),
			maxNodes: count(wholeNumber(f["MaxNodes"])), maxPerNode: count(wholeNumber(f["MaxCPUsPerNode"])),
			maxTime: duration(f["MaxTime"]), defaultTime: duration(f["DefaultTime"]),
		}
		if p.name == "" {
			return errors.New("a partition without a name")
		}
		parts = append(parts, p)
		return nil
	})
	return parts, err
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

// readReservations reads scontrol show reservation.
func readReservations(r io.Reader) (list []reservation, err error) {
	err = readLines(r, "reservations", "ReservationName", func(f map[string]string) error {
		x := reservation{active: f["State"] == "ACTIVE", cpus: tresCPUs(f["TRES"])}
		if x.cpus == 0 {
			x.cpus = count(wholeNumber(f["CoreCnt"]))
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
