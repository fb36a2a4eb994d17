import { untilTrue } from '@kerf/control-plane/progress'
import type { KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { clusterWait } from './cluster-state.ts'

/** Waits until the condition is true, or rejects with the problem. `seconds` is the limit in virtual time. */
export type Until = (what: string, isSo: () => Promise<boolean>, seconds?: number) => Promise<void>

/** Returns the last errors and warnings of a log. */
export const problemsIn = ({ lines }: RecordingLogger, most: number): string =>
  lines
    .filter(({ level }) => level === 'error' || level === 'warn')
    .slice(-most)
    .map((line) => JSON.stringify(line))
    .join('\n')

/** Waits in real time while the cluster makes progress. `output` returns the last output of Kerf. */
export const realUntil =
  (client: KubeClient, output: () => string): Until =>
  (what, isSo) =>
    untilTrue(
      isSo,
      clusterWait(client, what, () => output().slice(-3_000)),
    )

/** Waits in virtual time, and advances the clock. */
export const virtualUntil =
  (clock: VirtualClock, log: RecordingLogger, step: number): Until =>
  async (what, isSo, seconds = 300) => {
    const end = clock.monotonic() + seconds * 1_000
    while (!(await isSo())) {
      if (clock.monotonic() > end)
        throw new Error(`waited ${seconds} s of virtual time in vain for: ${what}\n${problemsIn(log, 6)}`)
      await clock.advance(step)
    }
  }
