import type { CDPSession, Page } from 'playwright-core'
import type { Changes } from './changes.ts'

/** What a page holds and does, after its garbage is collected. */
export interface Held {
  readonly heapMiB: number
  readonly listeners: number
  readonly nodes: number
  /** Seconds of the main thread since the page began. */
  readonly busy: number
}

export const heldBy = async (session: CDPSession): Promise<Held> => {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return {
    heapMiB: of('JSHeapUsedSize') / 2 ** 20,
    listeners: of('JSEventListeners'),
    nodes: of('Nodes'),
    busy: of('TaskDuration'),
  }
}

export interface Minute extends Held {
  /** Seconds of the main thread in this minute, without the collection of garbage that the measurement asks for. */
  readonly busyInMinute: number
}

const MINUTE = 60_000

/** What the page holds after each of so many minutes of change, the first entry before any. */
export const minutesOf = async (
  page: Page,
  changes: Changes,
  minutes: number,
  told: (minute: number, held: Minute) => void,
): Promise<readonly Minute[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('Performance.enable')
  const busyNow = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const all: Minute[] = []
  const note = async (busyInMinute: number): Promise<void> => {
    const held = { ...(await heldBy(session)), busyInMinute }
    all.push(held)
    told(all.length - 1, held)
  }
  await note(0)
  for (let minute = 1; minute <= minutes; minute++) {
    const before = await busyNow()
    await changes.during(MINUTE)
    await note((await busyNow()) - before)
  }
  await session.detach()
  return all
}
