package query

// sortRuns sorts a slice, and keeps equal elements in order. It merges the sorted runs that it finds,
// so it takes the less time the fewer they are.
func sortRuns[T any](all []T, compare func(a, b T) int) {
	var ends []int // of the runs
	for i := 1; i < len(all); i++ {
		if compare(all[i-1], all[i]) > 0 {
			ends = append(ends, i)
		}
	}
	ends = append(ends, len(all))
	from, to := all, make([]T, len(all))
	for len(ends) > 1 {
		merged, start := ends[:0], 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeRuns(to[start:end], from[start:middle], from[middle:end], compare)
			merged, start = append(merged, end), end
		}
		ends = merged
		from, to = to, from
	}
	copy(all, from)
}

// mergeRuns merges two sorted runs.
func mergeRuns[T any](to, a, b []T, compare func(a, b T) int) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}
