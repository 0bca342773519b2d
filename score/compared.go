package score

import "github.com/loadstone-hpc/loadstone/workload"

// CompareSchema names the JSON form of Compared and its version.
const CompareSchema = "loadstone.compare/1"

// Compared is a comparison of two workloads with all that is said of it.
type Compared struct {
	Schema     string             `json:"schema"`
	Workloads  []Workload         `json:"workloads"`
	Comparison Comparison         `json:"comparison"`
	Verdict    *Verdict           `json:"verdict,omitempty"` // the second as a twin of the first
	Warnings   []workload.Warning `json:"warnings,omitempty"`
}
