package score

import "github.com/loadstone-hpc/loadstone/stats"

// NeededTally accumulates Needed. The zero value is empty.
type NeededTally struct {
	needed, benefactors   stats.Quantiles
	needMean, benefitMean stats.Moments
	without               int
}

// Quartiles contains the mean and the quartiles of a quantity.
type Quartiles struct {
	Mean   stats.Number `json:"mean"`
	Q25    stats.Number `json:"q25"`
	Median stats.Number `json:"median"`
	Q75    stats.Number `json:"q75"`
}

// Needed is table 3 of Downey (1997), "Predicting queue times on space-sharing
// parallel computers": n', the processors that the job at the head of the queue
// lacks, and benefactors, the running jobs that each hold at least as many.
type Needed struct {
	Jobs              int       `json:"jobs"`
	WithoutBenefactor int       `json:"without_benefactor"`
	Needed            Quartiles `json:"processors_needed"`
	Benefactor        Quartiles `json:"benefactors"`
}

// Add enters one job that waited at the head.
func (t *NeededTally) Add(needed int64, benefactors int) {
	t.needed.Add(float64(needed))
	t.needMean.Add(float64(needed))
	t.benefactors.Add(float64(benefactors))
	t.benefitMean.Add(float64(benefactors))
	if benefactors == 0 {
		t.without++
	}
}

// Result returns the table.
func (t *NeededTally) Result() Needed {
	spread := func(q *stats.Quantiles, m stats.Moments) Quartiles {
		return Quartiles{stats.Number(m.Mean()), stats.Number(q.Quantile(0.25)), stats.Number(q.Quantile(0.5)), stats.Number(q.Quantile(0.75))}
	}
	return Needed{t.needMean.N(), t.without, spread(&t.needed, t.needMean), spread(&t.benefactors, t.benefitMean)}
}
