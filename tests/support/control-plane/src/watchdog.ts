import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Kills processes and removes a directory after this process has ended for any reason. A shell holds the other end of a pipe and acts when
 * it reads the end of file, which arrives even after SIGKILL.
 */
export interface Watchdog {
  /** Adds a child process to kill. */
  watch(child: ChildProcess): void
  /** Kills all watched processes and removes the directory now. Resolves when that is done. */
  release(): Promise<void>
}

// Reads process IDs until the pipe closes. If a process has already ended, kill fails for it, and the script continues.
const script = `
pids=
while read -r pid; do pids="$pids $pid"; done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
tries=0
while ! rm -rf "$1" 2>/dev/null && [ "$tries" -lt 20 ]; do tries=$((tries + 1)); sleep 0.1; done
exit 0
`

/** @param directory removed at the end, including its contents */
export const startWatchdog = (directory: string): Watchdog => {
  // The shell is detached, because Ctrl-C reaches all processes in the terminal's process group, and the watchdog must outlive them.
  const shell = spawn('/bin/sh', ['-c', script, 'watchdog', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  const ended = new Promise<void>((resolve) => {
    shell.on('exit', () => resolve())
    shell.on('error', () => resolve())
  })
  shell.stdin.on('error', () => undefined)
  const children: ChildProcess[] = []
  return {
    watch: (child) => {
      children.push(child)
      if (child.pid !== undefined) shell.stdin.write(`${child.pid}\n`)
    },
    release: async () => {
      const exits = children.map((child) =>
        child.exitCode !== null || child.signalCode !== null || child.pid === undefined
          ? Promise.resolve()
          : new Promise<void>((resolve) => child.once('exit', () => resolve())),
      )
      shell.stdin.end()
      await Promise.all([...exits, ended])
    },
  }
}
