package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
)

// Limits for a task that gives none. The wall limit is several times the CPU limit, because it only
// ends programs that sleep or wait.
const (
	defaultCPU    = 30 * time.Second
	defaultMemory = 1 << 30

	wallPerCPU = 3
	wallMore   = 10 * time.Second
)

// inherited holds the limits under which this process was started: by ulimit, a batch system or a
// container. Zero means no limit, or one that is too large to matter. The smaller of an inherited
// limit and the task's own limit applies.
type inherited struct {
	cpu       time.Duration
	space     uint64 // bytes of address space
	data      uint64 // bytes of private memory
	files     uint64
	processes uint64
	memory    uint64 // bytes; the limit of the container
}

// Numbers that are enough for a sandbox. notes reports a smaller inherited limit.
const (
	enoughFiles     = 256
	enoughProcesses = 256
)

func inheritedLimits() inherited {
	hard := func(resource int) uint64 {
		var r unix.Rlimit
		if unix.Getrlimit(resource, &r) != nil || r.Max >= 1<<62 {
			return 0
		}
		return max(r.Max, 1)
	}
	in := inherited{
		cpu:   time.Duration(min(hard(unix.RLIMIT_CPU), 1<<32)) * time.Second,
		space: hard(unix.RLIMIT_AS), data: hard(unix.RLIMIT_DATA),
		files: hard(unix.RLIMIT_NOFILE), processes: hard(unix.RLIMIT_NPROC),
		memory: containerMemory(),
	}
	if in.files >= enoughFiles {
		in.files = 0
	}
	if in.processes >= enoughProcesses {
		in.processes = 0
	}
	return in
}

// within fills in the limits that a task leaves open, scales the time limits, and lowers the CPU
// limit to cpuForPrograms.
func (in inherited) within(l bench.Limits) bench.Limits {
	l.CPU = cmp.Or(l.CPU, defaultCPU)
	l.Wall = cmp.Or(l.Wall, wallPerCPU*l.CPU+wallMore)
	l.Memory = cmp.Or(l.Memory, defaultMemory)
	if l.Scale != 0 {
		l.CPU = time.Duration(l.Scale * float64(l.CPU))
		l.Wall = time.Duration(l.Scale * float64(l.Wall))
	}
	if in.cpu > 0 {
		l.CPU = min(l.CPU, in.cpuForPrograms())
	}
	return l // the kernel enforces a smaller address space, with a MemoryError
}

// cpuForPrograms is the CPU limit of programs: below the inherited limit, which the kernel enforces
// with a coarser clock.
func (in inherited) cpuForPrograms() time.Duration { return in.cpu - min(in.cpu/2, time.Second) }

func (in inherited) notes() []string {
	var out []string
	note := func(value uint64, format string) {
		if value > 0 {
			out = append(out, fmt.Sprintf(format, value))
		}
	}
	note(uint64(in.cpuForPrograms().Milliseconds()),
		"no program gets more than %d ms of CPU time (ulimit -t)")
	note(in.space>>20,
		"no program gets more than %d MiB of address space, Python's own included (ulimit -v)")
	note(in.data>>20,
		"no program gets more than %d MiB of memory, Python's own included (ulimit -d)")
	note(in.files, "at most %d files can be open (ulimit -n)")
	note(in.processes, "at most %d processes can run (ulimit -u)")
	note(in.memory>>20, "the container has only %d MiB of memory for all programs together")
	return out
}

// hint adds the inherited limits to an error that they may have caused.
func (in inherited) hint(err error) error {
	notes := in.notes()
	if len(notes) == 0 || hint.Of(err) != "" {
		return err
	}
	return hint.Add(err, "limits inherited here: "+strings.Join(notes, "; "))
}

// containerMemory returns the memory limit of this process's control group, in bytes; 0 without a
// limit, or if it is more than all workers are likely to use.
func containerMemory() uint64 {
	const enough = 4 << 30
	b, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := uint64(enough)
	for line := range strings.Lines(string(b)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		switch fields[1] {
		case "":
		case "memory":
			root, file = root+"/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// In a container the path may be the host's, and the group itself is mounted at the root.
		for dir := fields[2]; ; dir = filepath.Dir(dir) {
			if text, err := os.ReadFile(filepath.Join(root, dir, file)); err == nil {
				n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
				if err == nil {
					least = min(least, n)
				}
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	if least >= enough {
		return 0
	}
	return least
}
