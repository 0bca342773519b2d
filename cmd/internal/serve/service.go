package serve

import (
	"context"

	"github.com/loadstone-hpc/loadstone/live"
)

// Service answers the questions of HTTP requests. An error is a *workload.OptionError,
// live.ErrNotReady, live.ErrUnknownJob, the context's error, or a failure of the Service itself.
// Answers may be shared: the server does not modify them.
type Service interface {
	Wait(context.Context, live.Request) (*live.Answer, error)
	Job(ctx context.Context, label string) (*live.Answer, error)
	Jobs(context.Context, live.JobsQuestion) (*live.Jobs, error)
	Scores() (*live.Scores, error)
	Status() live.Status
}
