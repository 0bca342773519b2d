//go:build long

package population

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// parameters returns the parameters of a model that must be recovered: the laws that all users
// share and, for traits, the medians of the strata weighted by their users.
func parameters(m *population.Model) map[string]float64 {
	out := map[string]float64{"jobs": float64(m.Log.Jobs), "load": m.Log.Load}
	law := func(name string, q *population.Quantiles) {
		for _, p := range []float64{.1, .5, .9} {
			out[fmt.Sprintf("%s at %g", name, p)] = q.At(p)
		}
	}
	for i, n := range m.Sizes.Sizes {
		out[fmt.Sprintf("share of size %d", n)] = m.Sizes.Shares[i]
	}
	for i := range m.RunTimes.Classes {
		law(fmt.Sprintf("run times from size %g", m.RunTimes.Classes[i].From), &m.RunTimes.Classes[i].Quantiles)
	}
	law("gaps within bags", &m.Sessions.Within)
	law("gaps between bags", &m.Sessions.Apart)
	law("think times", &m.Sessions.Think)
	for i, x := range m.Estimates.Values {
		out[fmt.Sprintf("share of estimate %g", x)] = m.Estimates.Shares[i]
	}
	for i, x := range m.Memory.Values {
		out[fmt.Sprintf("share of memory %g", x)] = m.Memory.Shares[i]
	}
	for i, x := range m.Queues.Values {
		out[fmt.Sprintf("share of queue %g", x)] = m.Queues.Shares[i]
	}
	users := 0.0
	for i := range m.Users.Strata {
		users += float64(m.Users.Strata[i].Users)
	}
	out["users"] = users
	for i := range m.Users.Strata {
		s := &m.Users.Strata[i]
		t := &s.Margins
		for name, margin := range map[string][]float64{
			"session_one": t.SessionOne, "bag_one": t.BagOne, "size_mean": t.SizeMean, "size_sd": t.SizeSD, "run_mean": t.RunMean, "run_within": t.RunWithin,
			"change_between": t.ChangeBetween, "change_session": t.ChangeSession, "estimate_mean": t.EstimateMean, "memory_mean": t.MemoryMean, "memory_same": t.MemorySame, "days": t.Days,
		} {
			out["median of "+name] += margin[len(margin)/2] * float64(s.Users) / users
		}
	}
	return out
}

// Fitting logs drawn from a known model recovers the model's parameters. With twenty logs, the
// parameter of the model lies within the middle eighteen of twenty-one values (itself and the
// fits; it is neither among the two smallest nor among the two largest) with a probability of
// 17/21 if the fit is unbiased. The tolerance is that of a binomial law at a false-alarm rate of
// one in a thousand; equal values count as within.
func TestRecovery(t *testing.T) {
	m := fitTo(t, asking())
	zero := population.Quantiles{P: []float64{0}, X: []float64{0}} // no job waits, so that the logs show what users saw
	m.Waits.Classes = []population.LawClass{{Class: population.Class{Jobs: 1}, Quantiles: zero}}
	want := parameters(&m)
	const logs = 20
	got := map[string][]float64{}
	for seed := range uint64(logs) {
		jobs, _ := made(t, m, Options{Seed: seed + 1})
		for i := range jobs {
			jobs[i].Wait = 0
		}
		again := fitTo(t, jobs)
		for name, x := range parameters(&again) {
			got[name] = append(got[name], x)
		}
	}
	inside, n := 0, 0
	for name, x := range want {
		values := got[name]
		slices.Sort(values)
		if len(values) != logs {
			t.Errorf("%s: in %d fits of %d", name, len(values), logs)
			continue
		}
		n++
		if slack := 1e-3 * max(x, -x); values[1] <= x+slack && values[logs-2] >= x-slack {
			inside++
		} else {
			t.Logf("%s: %.4g, fits from %.4g to %.4g, median %.4g", name, x, values[0], values[logs-1], values[logs/2])
		}
	}
	t.Logf("%d of %d parameters within", inside, n)
	// Fewer than least inside have a probability of at most 1/1000.
	law, least := distuv.Binomial{N: float64(n), P: 17. / 21}, 0
	for law.CDF(float64(least)) <= 1e-3 {
		least++
	}
	if inside < least {
		t.Errorf("%d of %d parameters are within, want %d at least", inside, n, least)
	}
}
