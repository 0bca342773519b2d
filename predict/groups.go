package predict

import "github.com/loadstone-hpc/loadstone/workload"

// Group is a range of processor counts whose jobs are taken to wait alike.
// BMBP's ranges: 1 to 4, 5 to 16, 17 to 64, 65 and more.
type Group uint8

// The groups.
const (
	UnknownSize Group = iota
	UpTo4
	UpTo16
	UpTo64
	Over64
	groups
)

var groupNames = [groups]string{"unknown", "1-4", "5-16", "17-64", "65+"}

// String returns the range, such as "5-16".
func (g Group) String() string {
	if g < groups {
		return groupNames[g]
	}
	return "invalid"
}

// GroupOf returns the group of a request: by the processors asked for, or by
// Size where these are unknown.
func GroupOf(r *workload.Request) Group {
	n := r.Processors
	if n <= 0 {
		n = r.Size
	}
	switch {
	case n <= 0: // workload.Unknown too
		return UnknownSize
	case n <= 4:
		return UpTo4
	case n <= 16:
		return UpTo16
	case n <= 64:
		return UpTo64
	}
	return Over64
}
