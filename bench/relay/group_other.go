//go:build !unix

package main

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup kills a running command, but not the processes that it has started.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
