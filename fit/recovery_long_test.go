//go:build long

package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Every family of Families is fitted, by each of its methods, to
// recoverySamples samples of a known law, and of every parameter the mean
// error, its intervals' coverage or the law of its estimates is tested. All
// tests together raise a false alarm with probability recoveryAlarm, or less.
const (
	recoverySamples = 200
	recoveryLevel   = 0.9
	recoveryAlarm   = 1e-6
)

// recovery is one estimator and the law that it is to give back.
type recovery struct {
	name      string
	family    string
	attribute Attribute
	options   Options // Replicates, Intervals, Seed and Workers are filled
	n         int
	draw      func(*rand.Rand) float64 // a value of the attribute
	want      []expected
}

// expected is what the theory, or the reference, says of one parameter's
// estimates.
type expected struct {
	name     string
	truth    float64
	kind     expectedKind
	bias     float64
	coverage float64
	// A reference's bias and coverage have errors of their own: its standard
	// error, and how many of so many intervals covered. 0 for a formula.
	biasError        float64
	covered, samples int
	law              func(float64) float64 // distribution function of the estimates
}

type expectedKind int

const (
	regular  expectedKind = iota // bias and coverage are tested
	extreme                      // the least or the largest value: law is tested, no interval covers
	constant                     // always the truth
	reported                     // no number of the law: reported
)

// tests is how many statistical tests there are of a parameter.
func (e expected) tests() int {
	switch e.kind {
	case regular:
		return 2
	case extreme:
		return 1
	}
	return 0
}

// recovered are one parameter's estimates.
type recovered struct {
	estimates []float64
	covered   int
}

// run fits all samples. The error is the first there was.
func (c recovery) run(seed uint64) (map[string]*recovered, error) {
	reports, errs := make([]Report, recoverySamples), make([]error, recoverySamples)
	o := c.options
	o.Intervals, o.Workers, o.Resolution = recoveryLevel, 1, -1
	par.Each(0, recoverySamples, func(i int) {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		values := make([]float64, c.n)
		for j := range values {
			values[j] = c.draw(rng)
		}
		o := o
		o.Seed = uint64(i)
		reports[i], errs[i] = Fit(c.family, c.attribute, NewSample(c.attribute, values), o)
	})
	out := map[string]*recovered{}
	for _, w := range c.want {
		out[w.name] = &recovered{}
	}
	for i, r := range reports {
		switch {
		case errs[i] != nil:
			return nil, fmt.Errorf("sample %d: %w", i, errs[i])
		case r.Status != Converged:
			return nil, fmt.Errorf("sample %d: %s", i, r.Status)
		case r.Intervals == nil || r.Intervals.Replicates != o.Replicates:
			return nil, fmt.Errorf("sample %d: no intervals from %d replicates: %q", i, o.Replicates, r.Warnings)
		case len(r.Parameters) != len(c.want):
			return nil, fmt.Errorf("sample %d has %v, want %d parameters", i, r.Parameters, len(c.want))
		}
		for j, p := range r.Parameters {
			w := c.want[j]
			of, ok := r.Interval(p.Name)
			if p.Name != w.name || ok == (w.kind == reported) {
				return nil, fmt.Errorf("sample %d: parameter %d is %s, want %s", i, j, p.Name, w.name)
			}
			got := out[w.name]
			got.estimates = append(got.estimates, p.Value)
			if float64(of.Low) <= w.truth && w.truth <= float64(of.High) {
				got.covered++
			}
		}
	}
	return out, nil
}

// check returns a line of the table, and what is wrong, at a probability of
// alarm each test.
func (e expected) check(r *recovered, alarm float64) (line string, wrong []string) {
	mean, sd := meanAndDeviation(r.estimates)
	se := sd / math.Sqrt(recoverySamples)
	share := float64(r.covered) / recoverySamples
	switch e.kind {
	case reported:
		return fmt.Sprintf("-\t%.6g\t-\t-\t-\t-", mean), nil
	case constant:
		for i, v := range r.estimates {
			if v != e.truth {
				wrong = append(wrong, fmt.Sprintf("is %.8g in sample %d, want %.8g in all", v, i, e.truth))
				break
			}
		}
		if r.covered != recoverySamples {
			wrong = append(wrong, fmt.Sprintf("%d intervals hold %.8g, want all", r.covered, e.truth))
		}
		return fmt.Sprintf("%.6g\t%.6g\t-\t-\t%.3f\tall", e.truth, mean, share), wrong
	case extreme:
		bound := math.Sqrt(math.Log(2/alarm) / (2 * recoverySamples))
		if d := distanceFrom(r.estimates, e.law); d > bound {
			wrong = append(wrong, fmt.Sprintf("estimates are %.4f from their distribution, want at most %.4f", d, bound))
		}
		if r.covered != 0 {
			wrong = append(wrong, fmt.Sprintf("%d intervals hold the truth, want none", r.covered))
		}
		return fmt.Sprintf("%.6g\t%.6g\t%+.2f\t-\t%.3f\tnone", e.truth, mean, (mean-e.truth)/se, share), wrong
	}
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: recoverySamples - 1}
	error := math.Hypot(se, e.biasError)
	if most := -student.Quantile(alarm/2) * error; !(math.Abs(mean-e.truth-e.bias) <= most) {
		wrong = append(wrong, fmt.Sprintf("mean is %.8g, want %.8g within %.3g: %.8g and a bias of %.3g", mean, e.truth+e.bias, most, e.truth, e.bias))
	}
	p := 0.0
	if e.samples > 0 {
		p = fisher(r.covered, recoverySamples, e.covered, e.samples)
	} else {
		p = binomial(r.covered, recoverySamples, e.coverage)
	}
	if !(p > alarm) {
		wrong = append(wrong, fmt.Sprintf("%d of %d intervals hold %.8g, want a share of %.4f (p = %.2g)", r.covered, recoverySamples, e.truth, e.coverage, p))
	}
	return fmt.Sprintf("%.6g\t%.6g\t%+.2f\t%+.2f\t%.3f\t%.3f", e.truth, mean, (mean-e.truth)/se, e.bias/se, share, e.coverage), wrong
}

// meanAndDeviation are the mean and the standard deviation, of n-1.
func meanAndDeviation(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// distanceFrom is Kolmogorov and Smirnov's; the bound on it is Dvoretzky,
// Kiefer and Wolfowitz's with Massart's constant.
func distanceFrom(x []float64, cdf func(float64) float64) float64 {
	values, counts := stats.Distinct(x)
	before, d := 0.0, 0.0
	for i, v := range values {
		after := before + counts[i]/float64(len(x))
		d = max(d, math.Abs(cdf(v)-before), math.Abs(cdf(v)-after))
		before = after
	}
	return d
}

// binomial is twice the smaller tail of k of n at a share of p.
func binomial(k, n int, p float64) float64 {
	var low, high float64
	for i := range n + 1 {
		l := math.Exp(lnChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		if i <= k {
			low += l
		}
		if i >= k {
			high += l
		}
	}
	return min(1, 2*min(low, high))
}

// fisher is twice the smaller tail of Fisher's exact test that k of n and j of
// m have one share.
func fisher(k, n, j, m int) float64 {
	var low, high float64
	for i := max(0, k+j-m); i <= min(n, k+j); i++ {
		l := math.Exp(lnChoose(n, i) + lnChoose(m, k+j-i) - lnChoose(n+m, k+j))
		if i <= k {
			low += l
		}
		if i >= k {
			high += l
		}
	}
	return min(1, 2*min(low, high))
}

func lnChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// TestRecoverEveryFamily fits recoverySamples samples for each estimator of
// recoveries. The bias is tested by Student's law against the one that theory
// gives (maximum likelihood: Cox and Snell's, of order 1/n, or the exact one)
// or, for least squares, against that of testdata/recovery.py; coverage by the
// binomial law against Efron's model of percentile intervals, the exact one,
// or, by Fisher's test, recovery.py's. What theory leaves out is of order 1/n²
// in the bias and of order 1/n in the coverage, a few thousandths, where the
// binomial law leaves a tenth open.
//
// Ends that are the least or the largest value are never outside the truth,
// and every replicate's are further inside, so that no percentile interval
// holds the truth: their own law is tested. Whole shapes do not vary in large
// samples.
func TestRecoverEveryFamily(t *testing.T) {
	list := recoveries(t)
	tests, fitted := 0, map[string]bool{}
	for _, c := range list {
		fitted[c.family] = true
		for _, w := range c.want {
			tests += w.tests()
		}
	}
	for _, f := range Families() {
		if !fitted[f] {
			t.Errorf("%s is not among the recoveries", f)
		}
	}
	alarm := recoveryAlarm / float64(tests)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "estimator\tn\tparameter\ttrue\tmean\tbias/se\twant\tcoverage\twant")
	for i, c := range list {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.run(1000 + uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range c.want {
				line, wrong := e.check(got[e.name], alarm)
				fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", c.name, c.n, e.name, line)
				for _, what := range wrong {
					t.Errorf("%s %s", e.name, what)
				}
			}
		})
	}
	w.Flush()
	t.Logf("%d tests at %.2g each; bias in standard errors of the mean of %d\n%s", tests, alarm, recoverySamples, table.String())
}
