package feedback

// link is a job that others may wait for.
type link struct {
	number int64   // Request.ID
	end    float64 // s, NaN before it has ended
	first  int32   // slot of a job held back for it, the others by heldBack.next; -1
}

// never is no slot.
const never = -1

// None is the link of a job that no job waits for.
const None int32 = never

// queueOfLinks is a first-in, first-out queue.
type queueOfLinks struct {
	list []int32
	head int
}

func (q *queueOfLinks) n() int { return len(q.list) - q.head }

func (q *queueOfLinks) first() int32 { return q.list[q.head] }

func (q *queueOfLinks) push(own int32) { q.list = append(q.list, own) }

func (q *queueOfLinks) pop() {
	if q.head++; q.head > len(q.list)/2 {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
}
