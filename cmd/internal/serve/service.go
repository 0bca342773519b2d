package serve

import (
	"context"

	"github.com/loadstone-hpc/loadstone/live"
)

// Service answers the questions of the HTTP requests. A fault is a *workload.OptionError,
// live.ErrNotReady, live.ErrUnknownJob, the context's error, or of the Service itself. The
// answers may be shared: they are not changed here.
type Service interface {
	Wait(context.Context, live.Request) (*live.Answer, error)
	Job(ctx context.Context, label string) (*live.Answer, error)
	Jobs(context.Context, live.JobsQuestion) (*live.Jobs, error)
	Scores() (*live.Scores, error)
	Status() live.Status
}
