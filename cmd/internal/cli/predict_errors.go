package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
)

const (
	waitAccuracyPlot = "wait-accuracy-distribution"
	waitErrorPlot    = "wait-error-distribution"
)

// plotErrors draws how accurate predicted waits are and how far they are off,
// under each way of simulating them: figure 4 of Sonmez and others (2009). Bounds
// are not meant to be close.
func (r *predictRun) plotErrors() error {
	r.app.missing(errors.New("no wait was predicted from a simulated schedule"), waitAccuracyPlot, waitErrorPlot)
	for _, waits := range []string{waitsQueued, waitsQueuedEASY} {
		var accuracy, miss []figure.Shares
		jobs := 0
		for i := range r.scores {
			s := &r.scores[i]
			points := s.followed.errors.AccuracyDistribution()
			if s.waits != waits || len(points) == 0 {
				continue
			}
			accuracy = append(accuracy, shares(s.predictor, points))
			miss = append(miss, shares(s.predictor, s.followed.errors.AbsoluteErrorDistribution()))
			jobs = max(jobs, s.followed.errors.Result().Predicted)
		}
		if len(accuracy) == 0 {
			continue
		}
		end := map[string]string{waitsQueuedEASY: "-easy"}[waits]
		source := r.source(waits, fmt.Sprintf("%d jobs that waited", jobs))
		err := r.app.drawTo(r.picture(waitAccuracyPlot+end), func(w io.Writer) error {
			return figure.WaitAccuracyShares(w, r.app.pictureFormat(), source, accuracy)
		})
		if err != nil {
			return err
		}
		err = r.app.drawTo(r.picture(waitErrorPlot+end), func(w io.Writer) error {
			return figure.WaitErrorShares(w, r.app.pictureFormat(), source, miss)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
