import type { CDPSession, Page } from 'playwright-core'
import type { Changes } from './changes.ts'

/** What a page uses. */
export interface Held {
  readonly heapMiB: number
  readonly listeners: number
  readonly nodes: number
  /** Processor seconds of the main thread since the page was loaded. Other work on the machine does not affect them. */
  readonly busy: number
  /** The total duration of the main thread's tasks, in seconds. Includes time in which it waited for a processor. */
  readonly tasks: number
}

const measured = async (session: CDPSession): Promise<Held> => {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return {
    heapMiB: of('JSHeapUsedSize') / 2 ** 20,
    listeners: of('JSEventListeners'),
    nodes: of('Nodes'),
    busy: of('ThreadTime'),
    tasks: of('TaskDuration'),
  }
}

/** Returns the resources that the page uses after a garbage collection. */
export const heldBy = async (session: CDPSession): Promise<Held> => {
  await session.send('HeapProfiler.collectGarbage')
  return measured(session)
}

export interface Minute extends Held {
  /** Processor seconds in this minute, without the seconds for the garbage collection that the measurement requests. */
  readonly busyInMinute: number
  readonly tasksInMinute: number
}

const MINUTE = 60_000

/** Returns the resources that the page uses after each minute of changes. The first entry was measured before the changes. */
export const measureEachMinute = async (
  page: Page,
  changes: Changes,
  minutes: number,
  told: (minute: number, held: Minute) => void,
): Promise<readonly Minute[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('Performance.enable')
  const all: Minute[] = []
  let before = await heldBy(session)
  const note = (now: Held): void => {
    const minute = { ...now, busyInMinute: now.busy - before.busy, tasksInMinute: now.tasks - before.tasks }
    all.push(minute)
    told(all.length - 1, minute)
  }
  note(before)
  for (let minute = 1; minute <= minutes; minute++) {
    before = await measured(session)
    await changes.during(MINUTE)
    const { busy, tasks } = await measured(session)
    note({ ...(await heldBy(session)), busy, tasks })
  }
  await session.detach()
  return all
}
