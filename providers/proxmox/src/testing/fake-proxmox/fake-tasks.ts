import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { FakeRefusal } from './fake-refusal.ts'

interface FakeTask {
  readonly upid: string
  readonly endsAt: Milliseconds
  /** Performs the work, and returns the exit status. */
  readonly finish: () => string
  exitStatus: string | undefined
}

/** The tasks of a fake Proxmox cluster. Each task performs its work when its time is over. */
export class FakeTasks {
  readonly #clock: Clock
  readonly #tasks = new Map<string, FakeTask>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(
    {
      node,
      type,
      vmid,
      user,
    }: { readonly node: string; readonly type: string; readonly vmid: number; readonly user: string },
    duration: Milliseconds,
    finish: () => string,
  ): string {
    const number = (this.#tasks.size + 1).toString(16).toUpperCase().padStart(8, '0')
    const started = Math.floor(this.#clock.now() / 1_000)
      .toString(16)
      .toUpperCase()
    const upid = `UPID:${node}:${number}:${number}:${started}:${type}:${vmid}:${user}:`
    this.#tasks.set(upid, { upid, endsAt: this.#clock.now() + duration, finish, exitStatus: undefined })
    return upid
  }

  /** Ends the tasks whose time is over. */
  settle(): void {
    for (const task of this.#tasks.values())
      if (task.exitStatus === undefined && task.endsAt <= this.#clock.now()) task.exitStatus = task.finish()
  }

  status(upid: string): { readonly status: string; readonly exitstatus?: string } {
    const task = this.#tasks.get(upid)
    if (task === undefined) throw new FakeRefusal(500, 'no such task')
    return task.exitStatus === undefined ? { status: 'running' } : { status: 'stopped', exitstatus: task.exitStatus }
  }
}
