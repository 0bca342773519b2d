package model

// lublin changes a site's first class in the paper's forms.
func lublin(change func(*Lublin)) func(*Site) {
	return func(s *Site) {
		c := &s.Classes[0]
		l := c.Lublin()
		change(&l)
		c.Put(l)
	}
}
