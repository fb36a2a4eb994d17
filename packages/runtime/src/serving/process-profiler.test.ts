import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Clock, sleep } from '../clock/clock.ts'
import { VIRTUAL_EPOCH } from '../clock/virtual-clock.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { ProcessProfiler, ProfilerBusy } from './process-profiler.ts'

const decoded = (bytes: Buffer) => {
  const { stringTable, ...profile } = Profile.decode(gunzipSync(bytes))
  return {
    functions: profile.function.map(({ name }) => stringTable.strings[Number(name)]),
    type: stringTable.strings[Number(profile.sampleType.at(-1)?.type)],
    period: Number(profile.period),
    at: Number(profile.timeNanos) / 1e6,
    duration: Number(profile.durationNanos) / 1e6,
  }
}

/** Returns a clock that does `work` while a caller waits for time to pass. */
const clockThat = (work: () => void): HastyClock => {
  const clock = new HastyClock()
  const timer = clock.timer.bind(clock)
  clock.timer = (after, fire) =>
    timer(after, () => {
      work()
      fire()
    })
  return clock
}

const started = async (clock: Clock): Promise<ProcessProfiler> => {
  const profiler = await ProcessProfiler.start(clock)
  onTestFinished(() => profiler.stop())
  return profiler
}

interface Held {
  readonly text: string
}
const heldByTheTest = (count: number): readonly Held[] =>
  Array.from({ length: count }, (_, index) => ({ text: `held ${index}` }))
const droppedByTheTest = (): void => {
  for (let turn = 0; turn < 20; turn++) heldByTheTest(50_000)
}
const burnedByTheTest = (): number => {
  const { user } = process.cpuUsage()
  let sum = 0
  // Uses a tenth of a second of this process's own CPU time, which is ten samples.
  while (process.cpuUsage().user - user < 100_000) for (let i = 0; i < 1e5; i++) sum += Math.sqrt(i)
  return sum
}

let never: AbortSignal
beforeEach(() => {
  never = new AbortController().signal
})

test('the heap profile shows what was allocated since the start and is still held, at Go’s sampling rate', async () => {
  const clock = new HastyClock()
  const profiler = await started(clock)
  await sleep(clock, 4_000)
  droppedByTheTest()
  const held = heldByTheTest(200_000)
  const profile = decoded(await profiler.heap())
  expect(profile).toMatchObject({ type: 'inuse_space', period: 524_288, at: VIRTUAL_EPOCH + 4_000, duration: 0 })
  expect(profile.functions).toContain('heldByTheTest')
  expect(profile.functions).not.toContain('droppedByTheTest')
  expect(held).toHaveLength(200_000)
})

test('the allocation profile includes what was already collected, during its own duration', async () => {
  const profiler = await started(clockThat(droppedByTheTest))
  const taking = profiler.allocations(2_000, never)
  const refusal = await profiler.heap().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ProfilerBusy)
  expect(refusal).toHaveProperty('message', 'an allocation profile is running; try again after it has ended')
  await expect(profiler.allocations(1, never)).rejects.toThrow('an allocation profile is already running')
  const profile = decoded(await taking)
  expect(profile).toMatchObject({ type: 'alloc_space', period: 524_288, at: VIRTUAL_EPOCH, duration: 2_000 })
  expect(profile.functions).toContain('heldByTheTest')
  // The profile must contain memory that is held from now on, but not memory that was already collected.
  const held = heldByTheTest(200_000)
  const heap = decoded(await profiler.heap())
  expect(heap.type).toBe('inuse_space')
  expect(heap.functions).toContain('heldByTheTest')
  expect(heap.functions).not.toContain('droppedByTheTest')
  expect(held).toHaveLength(200_000)
  expect(decoded(await profiler.allocations(1, never)).duration).toBe(1)
})

test('the CPU profile shows where time goes during its duration, and only one runs at a time', async () => {
  const profiler = await started(clockThat(burnedByTheTest))
  const taking = profiler.cpu(3_000, never)
  await expect(profiler.cpu(1, never)).rejects.toThrow('a CPU profile is already running')
  const profile = decoded(await taking)
  expect(profile).toMatchObject({ type: 'cpu', period: 10_000_000, at: VIRTUAL_EPOCH, duration: 3_000 })
  expect(profile.functions).toContain('burnedByTheTest')
  expect(decoded(await profiler.cpu(1, never)).duration).toBe(1)
})

test('profiles with a duration end early when nobody waits for them any more', async () => {
  const clock = new HastyClock()
  const profiler = await started(clock)
  const gone = AbortSignal.abort()
  expect(decoded(await profiler.cpu(300_000, gone)).duration).toBe(0)
  expect(decoded(await profiler.allocations(300_000, gone)).duration).toBe(0)
  expect(clock.waits).toEqual([])
})

test('a profiler that is stopped takes no more samples', async () => {
  const profiler = await ProcessProfiler.start(new HastyClock())
  profiler.stop()
  await expect(profiler.heap()).rejects.not.toThrow(ProfilerBusy)
})
