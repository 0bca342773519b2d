package cli

import (
	"io"

	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// writeSecret writes a file that only its owner may read, in place of an old
// one, when the command has succeeded.
func (a *app) writeSecret(path string, write func(io.Writer) error) error {
	f, err := logfile.NewSecretFile(path)
	if err != nil {
		return err
	}
	return a.write(f, write)
}
