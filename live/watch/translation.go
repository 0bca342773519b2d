package watch

import "github.com/loadstone-hpc/loadstone/workload"

// translation gives the numbers of another dictionary those of the service's. By column:
// numbers[n-1] stands for n.
type translation [workload.NumColumns][]int64

// translation adds the names of a log.
func (n *Names) translation(from *workload.Names) translation {
	var t translation
	if from == nil {
		return t
	}
	for _, column := range workload.NamedColumns() {
		t[column] = make([]int64, from.Len(column))
		for i := range t[column] {
			text, _ := from.Text(column, int64(i)+1)
			t[column][i] = n.Number(column, text)
		}
	}
	return t
}

func (t *translation) number(column int, n int64) int64 {
	if n < 1 || n > int64(len(t[column])) {
		return workload.Unknown
	}
	return t[column][n-1]
}

// apply changes the numbers of a job.
func (t *translation) apply(j *workload.Job) { renumber(j, t.number) }

// renumber changes the numbers of a job that stand for names.
func renumber(j *workload.Job, number func(column int, n int64) int64) {
	j.User, j.Group = number(workload.ColUser, j.User), number(workload.ColGroup, j.Group)
	j.Application = number(workload.ColApplication, j.Application)
	j.Queue, j.Partition = number(workload.ColQueue, j.Queue), number(workload.ColPartition, j.Partition)
	if j.Asked == nil {
		return
	}
	asked := *j.Asked
	asked.Account, asked.QOS = number(workload.ColAccount, asked.Account), number(workload.ColQOS, asked.QOS)
	asked.GPUType = number(workload.ColGPUType, asked.GPUType)
	j.Asked = &asked
}
