package workload

import (
	"fmt"
	"strconv"
	"strings"
)

// Share is one of several contiguous parts of a log's jobs, in the order of the file. The
// zero value is the whole log. A Parquet file is divided between row groups, an Arrow file
// between batches, SWF between blocks of about 1 MiB. If there are more parts than these,
// some parts are empty.
type Share struct {
	Part, Parts int // Part from 1 to Parts
}

// ParseShare reads a share such as 3/16. The error is an *OptionError.
func ParseShare(text string) (Share, error) {
	i, n, ok := strings.Cut(text, "/")
	part, err1 := strconv.Atoi(i)
	parts, err2 := strconv.Atoi(n)
	s := Share{part, parts}
	if !ok || err1 != nil || err2 != nil || part < 1 || part > parts || parts > MostParts {
		return Share{}, &OptionError{Option: "part", Saw: strconv.Quote(text), Want: fmt.Sprintf("i/n, part i from 1 to n of n parts, such as 3/16; at most %d parts", MostParts)}
	}
	return s, nil
}

// MostParts is the largest number of parts.
const MostParts = 100_000

// Whole reports whether the share is the whole log.
func (s Share) Whole() bool { return s.Parts <= 1 }

// Of returns the share of n elements, from <= i < to.
func (s Share) Of(n int64) (from, to int64) {
	if s.Whole() {
		return 0, n
	}
	at := func(part int) int64 {
		return n/int64(s.Parts)*int64(part) + n%int64(s.Parts)*int64(part)/int64(s.Parts)
	}
	return at(s.Part - 1), at(s.Part)
}

// String returns the share as ParseShare reads it.
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.Part, s.Parts) }
