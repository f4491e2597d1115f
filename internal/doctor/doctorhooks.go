package doctor

import (
	"context"

	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// hookFailures shows what agents' hooks could not tell anybody; mended means that
// it has been told.
func (p *Checker) hookFailures(_ context.Context, d *result.Diagnosis, fix bool) error {
	for _, line := range p.hooks.Errors().Lines() {
		d.Ailments = append(d.Ailments, result.Ailment{Code: "hook-error", What: line, Fix: "ckpt doctor --fix forgets it", Mended: fix})
	}
	if !fix {
		return nil
	}
	return disk.Remove(p.hooks.Errors().File)
}

// agents reports which agents call ckpt here, and what keeps one from calling it.
func (p *Checker) agents(_ context.Context, d *result.Diagnosis, _ bool) error {
	setup.Diagnose(p.Workspace, d)
	return nil
}
