// Command rivals measures the time of the fits of package fit, as rivals.py and rivals.R do for
// theirs; rivals.sh runs all three.
//
//	rivals NAME RUN_TIMES TASK...
//
// RUN_TIMES is a file with one run time in seconds per line. A task is a family, a family and a
// number of bootstrap replicates (weibull/199), or rejections, for which RUN_TIMES has one sample
// per line. A line of the output is name, task, program, CPU and wall seconds, log-likelihood of
// ln run time, remark. The time is measured from the slice of run times to the Report, with D and
// its p-value.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/loadstone-hpc/loadstone/fit"
)

func main() {
	samples, err := read(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	for _, task := range os.Args[3:] {
		cpu, wall := used(), time.Now()
		logLikelihood, remark := run(task, samples)
		fmt.Printf("%s\t%s\tloadstone\t%.6f\t%.6f\t%.4f\t%s\n", os.Args[1], task, used()-cpu, time.Since(wall).Seconds(), logLikelihood, remark)
	}
}

// run returns the log-likelihood of ln run time of a task, and a remark.
func run(task string, samples [][]float64) (float64, string) {
	if task == "rejections" {
		return math.NaN(), rejections(samples)
	}
	family, replicates, _ := strings.Cut(task, "/")
	var t []float64 // from one column or one line
	for _, s := range samples {
		t = append(t, s...)
	}
	n, _ := strconv.Atoi(replicates)
	r := report(family, t, fit.Options{Replicates: n})
	sumLn := 0.0
	for _, v := range t {
		sumLn += math.Log(v)
	}
	return float64(r.LogLikelihood) + sumLn, fmt.Sprintf("%s D=%.5f p=%.3g %s", r.Status, r.KS.D, r.KS.PValue, r.KS.Method)
}

// rejections counts the samples for which the bootstrap rejects the log-normal law at 5 %.
func rejections(samples [][]float64) string {
	rejected := 0
	for i, t := range samples {
		if report("log-normal", t, fit.Options{Replicates: 99, Seed: uint64(i)}).KS.PValue <= 0.05 {
			rejected++
		}
	}
	return fmt.Sprintf("%d of %d", rejected, len(samples))
}

func report(family string, t []float64, o fit.Options) fit.Report {
	r, err := fit.Fit(family, fit.RunTime, fit.NewSample(fit.RunTime, t), o)
	if err != nil {
		log.Fatal(err)
	}
	return r
}

func read(path string) ([][]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var samples [][]float64
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var sample []float64
		for _, field := range strings.Fields(lines.Text()) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, err
			}
			sample = append(sample, v)
		}
		samples = append(samples, sample)
	}
	return samples, lines.Err()
}

// used returns the CPU time of the process in seconds, user and system, of all threads.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
