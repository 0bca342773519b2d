package slurm

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// count reads a count, which may have been rounded.
func (p *parser) count(f *[]byte) int64 {
	v := *f
	if p.layout.queue {
		v = firstOfRange(v)
	}
	n, want := parseCount(v)
	if p.fail(f, want); n > 0 && v[len(v)-1] > '9' && bytes.IndexByte(v, '.') >= 0 {
		p.warn("rounded-count", "counts with a unit, which are rounded to two decimals: sacct --noconvert has them whole", v)
	}
	return n
}

func (p *parser) duration(f *[]byte) float64 {
	s, want := parseDuration(*f)
	p.fail(f, want)
	return s
}

// amountOf reads a count, or that of a resource in a list.
func (p *parser) amountOf(f, list *[]byte, key string) int64 {
	n := p.count(f)
	if n != workload.Unknown || len(*list) == 0 {
		return n
	}
	n, want := amountIn(*list, tresAmount(*list, key), p.badAmount)
	p.fail(list, want)
	return n
}

// badAmount counts a list of resources with an amount that no job has.
func (p *parser) badAmount(list []byte) {
	p.warn("bad-amount", "amounts of resources that no job has, such as -1 GPUs: taken as unknown", list)
}

func (p *parser) gpus(list *[]byte) (n int64, kind []byte) {
	n, kind, want := gpusIn(*list, p.badAmount)
	p.fail(list, want)
	return n, kind
}

// energy reads joules. 0 is what a cluster without meters has.
func (p *parser) energy() float64 {
	n, want := parseCount(p.Energy)
	if p.fail(&p.Energy, want); want != "" || n <= 0 {
		return math.NaN()
	}
	return float64(n)
}

// stepMemory reads what a step used, over all its tasks.
func (p *parser) stepMemory(id jobID) float64 {
	tasks := p.count(&p.NTasks)
	if tasks == workload.Unknown && id.one {
		tasks = 1
	}
	if isUnknownWord(p.MaxRSS) {
		return math.NaN()
	}
	kb, _, want := parseSize(p.MaxRSS, 'B')
	p.fail(&p.MaxRSS, want)
	if tasks != workload.Unknown {
		return kb * float64(tasks)
	}
	if kb > 0 {
		p.warn("step-tasks", "steps whose number of tasks is not in the log: their memory is left out", nil)
	}
	return math.NaN()
}

// limit reads the time asked for: TimelimitRaw is in minutes.
func (p *parser) limit(r *row) {
	f := &p.TimelimitRaw
	if minutes, want := parseCount(*f); want == "" && minutes != workload.Unknown {
		r.Time = 60 * float64(minutes)
	} else {
		if len(*f) == 0 {
			f = &p.Timelimit
		}
		r.Time = p.duration(f)
	}
	// Slurm writes YEAR_SECONDS of slurmctld, or more than 31 bits of seconds hold, for a job
	// without a limit.
	if r.Time == 365*86400 || r.Time >= 1<<31-1 {
		p.warn("year-limit", "limits of exactly 365 days, or of 68 years and more, which stand for none: unknown", *f)
		r.Time = math.NaN()
	}
}

// memory finds the memory asked for, for each processor asked for and of all. Before
// version 21 Slurm says whether it is for each node or processor; since then
// it is the whole job's.
func (p *parser) memory(r *row) {
	text := p.ReqMem
	if isUnknownWord(text) || len(text) > 0 && text[0] == '?' {
		return
	}
	kb, per, want := parseSize(text, 'M')
	if p.fail(&p.ReqMem, want); len(text) == 0 {
		kb, want = memoryIn(p.ReqTRES, p.badAmount)
		p.fail(&p.ReqTRES, want)
	}
	if want != "" || !(kb > 0) { // 0 is all that a node has, or not set
		return
	}
	nodes := workload.Unknown
	if per == 'n' || kb >= memoryFlag {
		nodes = p.nodesAsked()
	}
	if kb >= memoryFlag {
		alike := nodes // that have as much
		if per != 0 {
			alike = 1
		}
		perCPU := false
		if kb, perCPU = withoutFlag(kb, alike); perCPU {
			per = 'c'
		}
		if kb > maxMemory || per != 0 && kb >= memoryFlag || kb == 0 {
			p.badAmount(text)
			return
		}
	}
	if per == 'n' {
		if nodes < 0 {
			p.warn("memory-of-nodes", "jobs whose memory is for each node, and the number of nodes is not in the log: unknown", text)
			return
		}
		kb *= float64(nodes)
	}
	processors := float64(r.Processors)
	if r.Processors <= 0 {
		processors = float64(r.Allocated)
	}
	switch {
	case per == 'c':
		r.Memory = kb
		if processors > 0 {
			r.MemoryTotal = kb * processors
		}
	case processors > 0:
		r.Memory, r.MemoryTotal = kb/processors, kb
	default:
		r.MemoryTotal = kb
	}
}

// nodesAsked returns how many nodes were asked for, else given.
func (p *parser) nodesAsked() int64 {
	for _, v := range [...][]byte{p.ReqNodes, p.NNodes} {
		if n, want := parseCount(v); want == "" && n > 0 {
			return n
		}
	}
	return workload.Unknown
}

// allocation reads what a job was given that has started, as far as is known, and returns the
// kind of its GPUs.
func (p *parser) allocation(r *row) (kind []byte) {
	if math.IsNaN(r.Wait) && p.has.start {
		return nil
	}
	r.AllocatedNodes = p.amountOf(&p.NNodes, &p.AllocTRES, "node")
	r.AllocatedGPUs, kind = p.gpus(&p.AllocTRES)
	if lacksGPUs(p.AllocTRES) {
		r.lists |= givenList
	}
	if r.Energy = p.energy(); math.IsNaN(r.Energy) {
		var nothing []byte
		if joules := p.amountOf(&nothing, &p.AllocTRES, "energy"); joules > 0 {
			r.Energy = float64(joules)
		}
	}
	return kind
}
