import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends processes and removes a directory after this process has ended for any reason: a shell holds the other end of a
 * pipe and acts at the end of file, which also arrives after SIGKILL.
 */
export interface Watchdog {
  /** Adds a child to kill. */
  watch(child: ChildProcess): void
  /** Kills all watched processes and removes the directory now. Resolves when that is done. */
  release(): Promise<void>
}

// Reads process ids until the pipe closes. If a child has already ended, kill fails for it, and the script continues.
const script = `
pids=
while read -r pid; do pids="$pids $pid"; done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
tries=0
while ! rm -rf "$1" 2>/dev/null && [ "$tries" -lt 20 ]; do tries=$((tries + 1)); sleep 0.1; done
exit 0
`

/** @param directory removed at the end, with its contents */
export const startWatchdog = (directory: string): Watchdog => {
  // Detached, because Ctrl-C reaches the whole process group of a terminal, and the watchdog must outlive the others.
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
