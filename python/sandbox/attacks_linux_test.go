//go:build linux && (amd64 || arm64)

package sandbox

import "syscall"

// asUser makes a child process another user's.
func asUser(id uint32) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
}
