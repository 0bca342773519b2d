package cli

import (
	"bytes"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// conformalOptions are those of the predictor conformal.
type conformalOptions struct {
	features   []string
	load, save string // files
}

func addConformalFlags(cmd *cobra.Command, o *conformalOptions) {
	cmd.Flags().StringSliceVar(&o.features, "features", nil, "more columns for conformal to learn from, known at submission, by commas: such as user_id,requested_memory_kb")
	cmd.Flags().StringVar(&o.save, "save", "", "write the state of conformal at the last submission to this `file`")
	cmd.Flags().StringVar(&o.load, "load", "", "go on from the state in this `file`, which --save wrote, with a log that goes on where the other ended")
}

// asked sets Load and Save of the library's options to placeholders, for validation
// before the files are opened.
func (o *conformalOptions) asked(w *evaluate.WaitsOptions) {
	w.Features = o.features
	if o.load != "" {
		w.Load = new(bytes.Reader)
	}
	if o.save != "" {
		w.Save = io.Discard
	}
}

// withState calls run with options that load and save a state. The file of the state
// appears when run is done.
func (o *conformalOptions) withState(a *app, w evaluate.WaitsOptions, run func(evaluate.WaitsOptions) error) error {
	if o.load != "" {
		f, err := flags.Open(o.load)
		if err != nil {
			return err
		}
		defer f.Close()
		w.Load = f
		of := run
		run = func(w evaluate.WaitsOptions) error {
			err := of(w)
			var fault *workload.InputError
			if errors.As(err, &fault) && fault.File == "" { // of a reader, which has no name
				fault.File = o.load
			}
			return err
		}
	}
	if o.save == "" {
		return run(w)
	}
	err := a.writeFile(o.save, func(to io.Writer) error {
		w.Save = to
		return run(w)
	})
	if err == nil {
		a.note("%s: state of conformal saved", o.save)
	}
	return err
}
