package parse

// IsDigits says whether a text is digits and not empty.
func IsDigits(v []byte) bool {
	for _, c := range v {
		if c-'0' > 9 {
			return false
		}
	}
	return len(v) > 0
}

// Digits reads up to 15 digits.
func Digits(v []byte) (n int64, rest []byte) {
	i := 0
	for i < len(v) && i < ShortNumber && v[i]-'0' <= 9 {
		n = n*10 + int64(v[i]-'0')
		i++
	}
	return n, v[i:]
}
