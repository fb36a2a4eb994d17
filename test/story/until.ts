import type { KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { clusterState } from './cluster-state.ts'

/** Waits until it is so, and says what is wrong when it does not become so. `seconds` is what it may take. */
export type Until = (what: string, isSo: () => Promise<boolean>, seconds?: number) => Promise<void>

const inVain = (seconds: number, time: string, what: string, found: string): Error =>
  new Error(`waited ${seconds} s${time} in vain for: ${what}\n${found}`)

/** The last errors and warnings of a log. */
export const problemsIn = ({ lines }: RecordingLogger, most: number): string =>
  lines
    .filter(({ level }) => level === 'error' || level === 'warn')
    .slice(-most)
    .map((line) => JSON.stringify(line))
    .join('\n')

/** In real time, beside a Kerf whose last words `output` answers. */
export const realUntil =
  (client: KubeClient, output: () => string, { longest = 120, every = 200 } = {}): Until =>
  async (what, isSo, seconds = longest) => {
    const end = performance.now() + seconds * 1_000
    while (!(await isSo())) {
      if (performance.now() > end)
        throw inVain(seconds, '', what, `${await clusterState(client)}\n${output().slice(-3_000)}`)
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

/** In virtual time, which it moves on. */
export const virtualUntil =
  (clock: VirtualClock, log: RecordingLogger, step: number): Until =>
  async (what, isSo, seconds = 300) => {
    const end = clock.monotonic() + seconds * 1_000
    while (!(await isSo())) {
      if (clock.monotonic() > end) throw inVain(seconds, ' of virtual time', what, problemsIn(log, 6))
      await clock.advance(step)
    }
  }
