package output

import (
	"fmt"

	"example.com/ckpt/internal/result"
)

// Operations lists what was done, the newest first, numbered as undo counts.
func (p Text) Operations(all []result.Operation) error {
	style := p.pen()
	n := 0
	for _, o := range all {
		where := "no commit"
		switch {
		case o.Commit != "":
			where = o.Commit[:7]
		case o.Uncommitted == "stage":
			where = "staged"
		}
		where = fmt.Sprintf("%-7s", where)
		switch {
		case o.Undone:
			p.printf("      %s  %s  %s\n", style.Dim(where), minute(o.Time.Time), style.Dim(o.Subject+"  (undone)"))
		case o.Op == "undo":
			p.printf("      %s  %s  %s\n", style.Dim(where), minute(o.Time.Time), style.Dim(o.Subject))
		default:
			n++
			why := ""
			if o.Blocked != "" {
				why = "  (cannot be undone: " + o.Blocked + ")"
			}
			p.printf("%4d  %s  %s  %s%s\n", n, where, minute(o.Time.Time), o.Subject, style.Dim(why))
		}
	}
	if len(all) == 0 {
		p.remark("no operation on this branch yet")
	}
	return p.done()
}
