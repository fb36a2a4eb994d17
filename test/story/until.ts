import { untilTrue } from '@kerf/control-plane/progress'
import type { KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { clusterWait } from './cluster-state.ts'

/** Waits until it is so, and says what is wrong when it does not become so. `seconds` is what it may take of virtual time. */
export type Until = (what: string, isSo: () => Promise<boolean>, seconds?: number) => Promise<void>

/** The last errors and warnings of a log. */
export const problemsIn = ({ lines }: RecordingLogger, most: number): string =>
  lines
    .filter(({ level }) => level === 'error' || level === 'warn')
    .slice(-most)
    .map((line) => JSON.stringify(line))
    .join('\n')

/** In real time, as long as the cluster gets on, beside a Kerf whose last words `output` answers. */
export const realUntil =
  (client: KubeClient, output: () => string): Until =>
  (what, isSo) =>
    untilTrue(
      isSo,
      clusterWait(client, what, () => output().slice(-3_000)),
    )

/** In virtual time, which it moves on. */
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
