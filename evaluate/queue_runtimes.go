package evaluate

import (
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
)

// QueueRunTimes returns the predictors of run time that a simulated queue asks in
// turn (predict.Simulated): Last2 by user, application, size and site, and for jobs
// whose class is new the same by user and site, then by site. Sonmez and others
// (2009), section 4.1.
func QueueRunTimes() ([]predict.RunTimePredictor, error) {
	var out []predict.RunTimePredictor
	for _, name := range []string{"user-app-size-site", "user-site", "site"} {
		classes, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		p, err := runtime.New("last2", classes, runtime.Options{})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
