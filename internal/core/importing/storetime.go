package importing

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/value"
)

// madeAt is when a row was made, by its own word or by its ObjectId, which begins with
// the second of its making; zero where neither says.
func madeAt(row value.Object) time.Time {
	for _, key := range []string{"createdAt", "created_at", "timestamp"} {
		v, _ := value.Get(row, key)
		if t := timeOf(v); usual(t) {
			return t
		}
	}
	id, _ := textAt(row, "_id", "$oid")
	if raw, err := hex.DecodeString(id); err == nil && len(raw) == 12 {
		if t := time.Unix(int64(raw[0])<<24|int64(raw[1])<<16|int64(raw[2])<<8|int64(raw[3]), 0).UTC(); usual(t) {
			return t
		}
	}
	return time.Time{}
}

// timeOf is a time as stores write it: text, seconds or milliseconds since 1970, or
// one of these in MongoDB's {"$date": ...} and {"$numberLong": "..."}.
func timeOf(v any) time.Time {
	switch v := v.(type) {
	case string:
		t, _ := checkpoint.ParseTime(v)
		return t
	case json.Number:
		return sinceEpoch(string(v))
	case value.Object:
		if long, ok := textAt(v, "$numberLong"); ok {
			return sinceEpoch(long)
		}
		date, _ := value.Get(v, "$date")
		if inner, ok := date.(value.Object); ok {
			long, _ := textAt(inner, "$numberLong")
			return sinceEpoch(long)
		}
		return timeOf(date)
	}
	return time.Time{}
}

// sinceEpoch reads seconds, or milliseconds where there are too many for seconds.
func sinceEpoch(number string) time.Time {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n <= 0 || n > 1e13 {
		return time.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	return time.UnixMilli(int64(n)).UTC()
}

// usual says whether a row can be as old as that: stores know an empty time, too.
func usual(t time.Time) bool { return t.Year() > 1990 && t.Year() < 2200 }
