package report

import "github.com/loadstone-hpc/loadstone/cmd/internal/page"

// glossary explains the terms of the page, a line each.
func glossary() []page.Block {
	term := func(name, text string) page.Fact { return fact(name, textCell(text)) }
	return []page.Block{{Facts: []page.Fact{
		term("Offered load", "the processor time of the submitted jobs as a share of the machine's capacity; 100 % is all that it can do"),
		term("Utilisation", "the processor time of the running jobs as a share of the machine's capacity"),
		term("Processor hour", "one processor for one hour; a job of 4 processors that runs for 3 hours takes 12"),
		term("Wait", "from a job's submission to its start"),
		term("Median", "half of the values are below it"),
		term("90th percentile", "nine in ten values are below it"),
		term("Quartiles", "a quarter of the values are below the lower one, a quarter above the upper one"),
		term("CV", "coefficient of variation: the standard deviation over the mean; 1 for an exponential distribution"),
		term("Fault, oddity", "a fault cannot be true or violates the format; an oddity may be true"),
		term("Fitted distribution", "a probability distribution fitted to the jobs, such as hyper-gamma"),
		term("D", "the largest distance between two cumulative distributions, as a share of the jobs (Kolmogorov-Smirnov)"),
		term("Anderson-Darling", "another distance between two cumulative distributions, in which the tails count more than in D; lower is better"),
		term("BIC", "Bayesian information criterion: compares distributions fitted to the same jobs, with a penalty for each parameter; lower is better"),
		term("Dispersion", "the variance of counts over their mean: 1 for jobs that come independently, more for bursts"),
		term("r(1)", "the correlation of each interval's count with that of the next one; r(10) with that of the tenth after it (autocorrelation)"),
		term("ARAR", "arrive rush-to-all ratio: scales interarrival times at peak hours to the mean rate of the day (Lublin and Feitelson 2003)"),
		term("Log-odds", "of a share p: ln(p / (1 - p))"),
		term("Accuracy", "the smaller of predicted and actual time over the larger; 1 is perfect"),
		term("es, rm, sm", "predictors of run time from the jobs of the same class that have ended: exponential smoothing, the mean of all, the median of the last five"),
		term("last, last2", "the run time of the last job of the class that has ended, and the mean of the last two"),
		term("Bound", "a time that at least a stated share of the waits should not exceed"),
		term("bmbp", "a bound from the sorted waits so far, which starts again when waits change (binomial method batch predictor)"),
		term("qbets", "bmbp in up to three ranges of the requested time"),
		term("chebyshev", "a bound from the mean and the variance of the waits so far"),
		term("downey-a, downey-b", "predict when enough processors are free for the first job in a queue, from the ages of the running jobs (Downey 1997): when one of those jobs alone frees them, or when as many are freed on average"),
		term("downey-a-exact", "the median of the whole distribution of that time"),
		term("downey-n32, downey-benefactors", "choose between these two: downey-n32 uses downey-a where fewer than 32 more processors are needed, downey-benefactors where at least two running jobs could each free enough alone"),
		term("simulated, estimates", "the wait in a queue simulated with predicted run times, and with the users' estimates"),
		term("simulated-corrected", "simulated, with the prediction made again from every job that has ended since"),
		term("Twin", "a synthetic workload with the log's jobs, each user's moved by whole weeks"),
	}}}
}
