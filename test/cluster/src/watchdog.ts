import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends processes and removes a directory when this process is gone, however it went: a shell holds the other end of a
 * pipe and acts at its end of file, which also comes after SIGKILL.
 */
export interface Watchdog {
  /** The child is killed with the rest. */
  watch(child: ChildProcess): void
  /** Kills everything watched and removes the directory now; resolves when that is done. */
  release(): Promise<void>
}

// Reads process ids until the pipe closes. A child that ended before is gone from the table; kill says so and goes on.
const script = `
pids=
while read -r pid; do pids="$pids $pid"; done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
tries=0
while ! rm -rf "$1" 2>/dev/null && [ "$tries" -lt 20 ]; do tries=$((tries + 1)); sleep 0.1; done
exit 0
`

/** @param directory removed at the end, with everything in it */
export const startWatchdog = (directory: string): Watchdog => {
  // Detached: Ctrl-C reaches the whole group of a terminal, and the watchdog must outlive the rest of it.
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
