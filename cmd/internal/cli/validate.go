package cli

import (
	"context"
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type validateOptions struct {
	oneLog
	inspect.ValidateOptions
	FailOn string `opt:"fail-on" default:"none" common:"true" help:"exit with code 3 if the log has one of these, or worse"`
	Result resultOptions
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *validateOptions) Choices(option string) []string {
	switch option {
	case "fail-on":
		return []string{"fault", "oddity", "none"}
	case "rules":
		var names []string
		for _, r := range inspect.Rules() {
			names = append(names, r.Rule)
		}
		return names
	}
	return nil
}

func (o *validateOptions) run(ctx context.Context, a *app) (*findings, error) {
	v, err := fromLog(a, o.input, func(log *workload.Log) (inspect.Validation, error) {
		return inspect.Validate(ctx, log, o.ValidateOptions)
	})
	if err != nil {
		return nil, err
	}
	unmet := func() ([]string, error) {
		faults := words.Counted(v.Faults, "fault")
		switch {
		case o.FailOn == "fault" && v.Faults > 0:
			return []string{fmt.Sprintf("%s, and --fail-on fault", faults)}, nil
		case o.FailOn == "oddity" && v.Faults+v.Oddities > 0:
			return []string{fmt.Sprintf("%s and %s, and --fail-on oddity", faults, words.Counted(v.Oddities, "oddity"))}, nil
		}
		return nil, nil
	}
	return &findings{about: o.input, result: tables.Validation(v), unmet: unmet}, nil
}
