package checkpoint_test

import (
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

func TestStatusOf(t *testing.T) {
	for title, want := range map[string]checkpoint.ItemStatus{
		"Rejected": checkpoint.Rejected, "❌ Rejected": checkpoint.Rejected, "**Rejected:**": checkpoint.Rejected, "Rejected (2026-01-02)": checkpoint.Rejected, "REJECTED": checkpoint.Rejected,
		"Rejected: too slow": checkpoint.Rejected, "Considered": checkpoint.Rejected, "Alternatives considered": checkpoint.Rejected, "Alternatives": checkpoint.Rejected,
		"Remaining": checkpoint.Open, "Remaining (3)": checkpoint.Open, "2. Remaining work": checkpoint.Open, "Not done yet": checkpoint.Open, "Not done": checkpoint.Open, "Pending": checkpoint.Open,
		"To do": checkpoint.Open, "TODO": checkpoint.Open, "Open": checkpoint.Open, "Open questions": checkpoint.Open, "Blocked": checkpoint.Open, "Blocked by infra": checkpoint.Open, "Deferred": checkpoint.Open, "What's left": checkpoint.Open,
		"In progress": checkpoint.Underway, "In-Progress": checkpoint.Underway, "🚧 In Progress 🚧": checkpoint.Underway, "WIP": checkpoint.Underway,
		"Completed": checkpoint.Finished, "✅ Done": checkpoint.Finished, "Done (this week)": checkpoint.Finished,
		"Phase 1": checkpoint.Unstated, "Open source": checkpoint.Unstated, "Donees": checkpoint.Unstated, "Next.js": checkpoint.Unstated, "": checkpoint.Unstated, "Options": checkpoint.Unstated,
	} {
		if got := checkpoint.StatusOf(title); got != want {
			t.Errorf("StatusOf(%q) = %d, want %d", title, got, want)
		}
	}
}
