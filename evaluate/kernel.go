package evaluate

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict/standing"
)

// KernelLaw is the name, among the laws of run times, of the distributions that
// a runtime.Kernel predicts for each job.
const KernelLaw = standing.KernelLaw

// Laws returns the names of the laws of run times: the families of package fit
// and KernelLaw.
func Laws() []string { return append(fit.Families(), KernelLaw) }
