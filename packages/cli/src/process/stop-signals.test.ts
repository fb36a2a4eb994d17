import { afterEach, expect, test, vi } from 'vitest'
import { type StopOptions, stopSignals } from './stop-signals.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the exit codes that result from signals at these times, in milliseconds. */
const exitsAfter = (signals: readonly (readonly [number, NodeJS.Signals])[], options: StopOptions = {}) => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  let now = 5_000
  const { signal, dispose } = stopSignals({ ...options, now: () => now })
  try {
    expect(signal.aborted).toBe(false)
    for (const [at, name] of signals) {
      now = 5_000 + at
      process.emit(name, name)
      expect(signal.aborted).toBe(true)
    }
    expect(String(signal.reason)).toBe(`Error: received ${signals[0]?.[1]}`)
    return exit.mock.calls.map(([code]) => code)
  } finally {
    dispose()
    exit.mockRestore()
  }
}

test('copies of one Ctrl-C count once; a later Ctrl-C ends the process at once', () => {
  // The terminal sends one signal, and npm sends the copies.
  const copies = [
    [0, 'SIGINT'],
    [2_000, 'SIGINT'],
    [2_000, 'SIGTERM'],
  ] as const
  expect(exitsAfter(copies)).toEqual([])
  expect(exitsAfter([...copies, [2_001, 'SIGINT']])).toEqual([130])
  expect(exitsAfter([...copies, [2_001, 'SIGTERM']])).toEqual([143])
})

test('kerf run ends at once after a second SIGTERM, or a second SIGINT that is not a copy', () => {
  const run = { copiesWithin: { SIGINT: 500 } }
  const twice = (second: NodeJS.Signals, at: number, first: NodeJS.Signals = second) =>
    exitsAfter(
      [
        [0, first],
        [at, second],
      ],
      run,
    )
  expect(twice('SIGTERM', 0)).toEqual([143])
  expect(twice('SIGTERM', 0, 'SIGINT')).toEqual([143])
  expect(twice('SIGINT', 500)).toEqual([])
  expect(twice('SIGINT', 501)).toEqual([130])
})

test('SIGHUP stops the process gracefully, and never ends it at once', () => {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    expect(
      exitsAfter([
        [0, name],
        [9_000, 'SIGHUP'],
      ]),
    ).toEqual([])
    expect(
      exitsAfter([
        [0, 'SIGHUP'],
        [9_000, name],
      ]),
    ).toEqual([])
  }
})

test('stopping by a key counts as Ctrl-C, and no listener remains afterwards', () => {
  const listeners = (): readonly number[] => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))
  const before = listeners()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  let now = 0
  const { signal, stop, dispose } = stopSignals({ now: () => now })
  stop()
  expect(signal.aborted).toBe(true)
  now = 2_001
  stop()
  expect(exit.mock.calls).toEqual([[130]])
  dispose()
  expect(listeners()).toEqual(before)
})
