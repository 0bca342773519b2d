package cli

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/runtime/outside"
)

// programOptions specify external programs that predict.
type programOptions struct {
	Exec        []string      `opt:"exec" repeat:"true" want:"a command, such as ./predict.py" group:"Who predicts" common:"true" help:"score this <command> of the shell too; 'name: command' names it"`
	ExecTimeout time.Duration `opt:"exec-timeout" in:"(0,)" default:"1m" for:"exec" help:"longest time for one answer of --exec"`
}

// commands returns the programs. Each line that a program writes to standard error is printed
// after the program's name, even with --quiet.
func (o *programOptions) commands(a *app) (all []outside.Command) {
	var one sync.Mutex
	for _, text := range o.Exec {
		c := outside.ParseCommand(text)
		c.Limit = o.ExecTimeout
		c.Said = func(line string) {
			one.Lock()
			defer one.Unlock()
			a.say("%s: %s", c.Label, line)
		}
		all = append(all, c)
	}
	return all
}

// ofProgram returns the error of a program as an error of --exec; nil if err is another error.
func ofProgram(err error) error {
	if fault := new(outside.Fault); errors.As(err, &fault) {
		return fmt.Errorf("--exec %s: %w", fault.Label, fault.Err)
	}
	return nil
}
