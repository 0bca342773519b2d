package inspect

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Traits are what studies of a log depend on.
type Traits struct {
	Users, Waits, Estimates bool // known of a job
	// StandIn is the number of processors to assume where the header names none: the most in
	// use at once or, if no start is known, those of the largest job. 0 where it names some.
	StandIn int64
	InUse   bool // StandIn is the most in use
}

// Survey reads a log once, or twice where the header does not name the machine's processors.
func Survey(ctx context.Context, open func() (*workload.Log, error)) (*Traits, error) {
	t, largest := &Traits{}, int64(0)
	log, err := workload.WithLog(open, func(log *workload.Log) error {
		for b, err := range workload.Until(ctx, log.Batches()) {
			if err != nil {
				return err
			}
			for i := range b.Rows {
				largest = max(largest, b.Size(i))
				t.Users = t.Users || b.Int(workload.ColUser, i) >= 0
				t.Waits = t.Waits || b.Float(workload.ColWaitTime, i) >= 0
				t.Estimates = t.Estimates || b.Float(workload.ColRequestedTime, i) > 0
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if _, ok := log.Header.Processors(); ok || largest < 1 {
		return t, nil
	}
	t.StandIn = largest
	_, err = workload.WithLog(open, func(log *workload.Log) error {
		found, err := Validate(ctx, log, ValidateOptions{Processors: 1, Rules: []string{"machine-over-full"}})
		if err == nil && found.Busy != nil && found.Busy.Peak >= largest {
			t.StandIn, t.InUse = found.Busy.Peak, true
		}
		return err
	})
	return t, err
}
