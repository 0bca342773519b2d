package live

import "errors"

// ErrNotReady is the error of questions before the first state is known.
var ErrNotReady = errors.New("the state of the machine is not known yet")

// ErrUnknownJob is the error of a question about a job that neither waits nor runs.
var ErrUnknownJob = errors.New("no such job is queued or running; it may have ended")

// ErrBroken is wrapped by errors of a Feed after which nothing follows.
var ErrBroken = errors.New("cannot go on")
