package workload

import (
	"fmt"
	"strconv"
	"strings"
)

// Status is a status code (StatusFailed, ... or Unknown) in a result. In JSON it is the
// code's name.
type Status int64

var statusNames = map[Status]string{
	Status(StatusFailed): "failed", Status(StatusCompleted): "completed", Status(StatusPartial): "partial",
	Status(StatusLastCompleted): "last part, completed", Status(StatusLastFailed): "last part, failed",
	Status(StatusCancelled): "cancelled", Status(Unknown): "unknown",
}

const undefinedStatus = "with the undefined code "

// Name returns the name of a code, "" for one that the format does not define.
func (s Status) Name() string { return statusNames[s] }

// String returns the name, or says that the code is not defined.
func (s Status) String() string {
	if name := s.Name(); name != "" {
		return name
	}
	return undefinedStatus + strconv.FormatInt(int64(s), 10)
}

// MarshalText writes what String returns.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text that MarshalText writes.
func (s *Status) UnmarshalText(text []byte) error {
	for code, name := range statusNames {
		if name == string(text) {
			*s = code
			return nil
		}
	}
	code, err := strconv.ParseInt(strings.TrimPrefix(string(text), undefinedStatus), 10, 64)
	if err != nil {
		return fmt.Errorf("saw %s, want a status", Shorten(text))
	}
	*s = Status(code)
	return nil
}
