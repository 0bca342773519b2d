package cli

import (
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// result is what a command found, in the three forms it can be had in.
type result struct {
	text func(w io.Writer) error // a table for people
	json any                     // the stable form
	csv  present.Table           // the same values, one row each
}
