package score

import "github.com/loadstone-hpc/loadstone/model"

// lublin changes a class in the forms of Lublin and Feitelson (2003).
func lublin(change func(*model.Lublin)) func(*model.Class) {
	return func(c *model.Class) {
		l := c.Lublin()
		change(&l)
		c.Put(l)
	}
}
