package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/workload"
)

// shared returns the result of a command whose predictors are divided. With --part it
// writes what share returns of a share of them, and returns errPart. In loadstone merge it
// returns what all makes of all shares; both read the log, which has to be the same.
func shared[T, R any](a *app, input string, share func(workload.Share) (*T, error), all func([]*T) (R, error)) (r R, err error) {
	if a.parts.files == nil {
		p := part.Part{}
		if p.Task, err = a.task(input); err != nil {
			return r, err
		}
		t, err := share(p.Share)
		if err != nil {
			return r, err
		}
		return r, a.writePart(&p, workload.LogState{}, t)
	}
	now, err := part.NewLog(input)
	if err != nil {
		return r, err
	}
	if was := a.parts.task.Log; now != was {
		return r, fmt.Errorf("saw %d bytes with the checksum %s, want the log that the parts were computed from, of %d bytes with %s: compute the parts again, or restore the log", now.Bytes, now.Digest, was.Bytes, was.Digest)
	}
	var shares []*T
	for _, path := range a.parts.files {
		p, err := part.Read(path)
		if err != nil {
			return r, err
		}
		t := new(T)
		if err := p.Get(t); err != nil {
			return r, about(path, err)
		}
		shares = append(shares, t)
	}
	return all(shares)
}
