import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { expect, test } from 'vitest'
import { pprofOfCounts, pprofOfCpu, pprofOfHeap } from './pprof.ts'

/** Decodes a profile. Returns each sample as the names of its functions, innermost first, and its values. */
const decoded = (bytes: Buffer) => {
  const { stringTable, ...profile } = Profile.decode(gunzipSync(bytes))
  const text = (at: number | bigint): string => stringTable.strings[Number(at)] ?? '?'
  const functions = new Map(profile.function.map((each) => [Number(each.id), each]))
  const locations = new Map(profile.location.map((each) => [Number(each.id), each]))
  const unit = ({ type, unit: of }: { readonly type: number | bigint; readonly unit: number | bigint }): string =>
    `${text(type)}/${text(of)}`
  const nameOf = (location: number | bigint): string => {
    const line = locations.get(Number(location))?.line[0]
    const code = functions.get(Number(line?.functionId))
    return code === undefined ? '?' : `${text(code.name)} ${text(code.filename)}:${line?.line}`
  }
  return {
    units: profile.sampleType.map(unit),
    samples: profile.sample.map(({ locationId, value }) => [locationId.map(nameOf), value.map(Number)]),
    period: `${Number(profile.period)} ${profile.periodType === undefined ? '' : unit(profile.periodType)}`,
    at: Number(profile.timeNanos) / 1e6,
    duration: Number(profile.durationNanos) / 1e6,
    functions: profile.function.map((each) => [text(each.name), text(each.systemName), Number(each.startLine)]),
    locations: profile.location.length,
  }
}

/** A call frame as in V8's inspector protocol, in which lines and columns start at 0. */
const frame = (
  functionName: string,
  lineNumber = 0,
  url = 'file:///app/a.js',
  columnNumber = 0,
): Runtime.CallFrame => ({
  functionName,
  scriptId: '7',
  url,
  lineNumber,
  columnNumber,
})
const cpuNode = (id: number, callFrame: Runtime.CallFrame, children: number[] = []): Profiler.ProfileNode => ({
  id,
  callFrame,
  children,
})
const meta = (name: string): Runtime.CallFrame => ({ ...frame(name, -1, ''), scriptId: '0' })

const CPU: Profiler.Profile = {
  nodes: [
    cpuNode(1, meta('(root)'), [2, 5, 6]),
    cpuNode(2, frame('outer', 9), [3, 4]),
    cpuNode(3, frame('inner', 19)),
    cpuNode(4, frame('', 29)),
    cpuNode(5, meta('(idle)')),
    cpuNode(6, meta('(garbage collector)')),
  ],
  startTime: 0,
  endTime: 1,
  samples: [3, 5, 3, 2, 4, 6, 1, 3],
  timeDeltas: [100, 5_000, 200, -30, 40, 7, 9],
}

test('a CPU profile has hits and nanoseconds by stack, without the time in which the process waited', async () => {
  const profile = decoded(await pprofOfCpu(CPU, 10_000, { at: 1_234.4, duration: 500.6 }))
  expect(profile).toMatchObject({
    units: ['samples/count', 'cpu/nanoseconds'],
    period: '10000000 cpu/nanoseconds',
    at: 1_234,
    duration: 501,
  })
  const outer = 'outer /app/a.js:10'
  expect(profile.samples).toEqual([
    // The sampler's clock has stepped back here.
    [[outer], [1, 0]],
    // The last sample has no duration, so it counts as one interval.
    [
      ['inner /app/a.js:20', outer],
      [3, 10_300_000],
    ],
    [
      ['(anonymous a.js:30) /app/a.js:30', outer],
      [1, 40_000],
    ],
    [['(garbage collector) :0'], [1, 7_000]],
  ])
  // A function that is in several stacks appears once, with its name in the source.
  expect(profile.functions).toEqual([
    ['outer', 'outer', 10],
    ['inner', 'inner', 20],
    ['(anonymous a.js:30)', '', 30],
    ['(garbage collector)', '(garbage collector)', 0],
  ])
  expect(profile.locations).toBe(4)
})

test('a CPU profile without samples is empty', async () => {
  const { samples: _, timeDeltas: __, ...bare } = CPU
  expect(decoded(await pprofOfCpu(bare, 1, { at: 0, duration: 0 })).samples).toEqual([])
  expect(decoded(await pprofOfCpu({ ...bare, samples: [3, 3] }, 7, { at: 0, duration: 0 })).samples).toEqual([
    [
      ['inner /app/a.js:20', 'outer /app/a.js:10'],
      [2, 14_000],
    ],
  ])
})

test.each([
  ['script', { scriptId: '8' }],
  ['line', { lineNumber: 2 }],
  ['column', { columnNumber: 5 }],
  ['name', { functionName: 'g' }],
  ['file', { url: 'https://a.test/f.js' }],
])('two functions that differ in their %s are not merged', async (_what, other) => {
  const nodes = [cpuNode(1, frame('f', 1)), cpuNode(2, { ...frame('f', 1), ...other })]
  const profile = { nodes, startTime: 0, endTime: 1, samples: [1, 2], timeDeltas: [1, 1] }
  const { locations, samples } = decoded(await pprofOfCpu(profile, 1, { at: 0, duration: 0 }))
  expect([locations, samples.length]).toEqual([2, 2])
  if (_what === 'file') expect(samples[1]?.[0]).toEqual(['f https://a.test/f.js:2'])
})

const heapNode = (
  callFrame: Runtime.CallFrame,
  selfSize: number,
  children: HeapProfiler.SamplingHeapProfileNode[] = [],
): HeapProfiler.SamplingHeapProfileNode => ({ callFrame, selfSize, children })

test.each(['inuse_space', 'alloc_space'] as const)('a heap profile has %s by the place of allocation', async (type) => {
  const head = heapNode(meta('(root)'), 3, [
    heapNode(frame('outer', 9), 0, [heapNode(frame('inner', 19), 1), heapNode(frame('other', 29), 64)]),
    heapNode(frame('alone', 39), 32),
  ])
  const profile = decoded(await pprofOfHeap({ head }, 512, { at: 5, duration: 6 }, type))
  expect(profile).toMatchObject({ units: [`${type}/bytes`], period: '512 space/bytes', at: 5, duration: 6 })
  expect(profile.samples.toSorted()).toEqual([
    [['alone /app/a.js:40'], [32]],
    [['inner /app/a.js:20', 'outer /app/a.js:10'], [1]],
    [['other /app/a.js:30', 'outer /app/a.js:10'], [64]],
  ])
})

test('a profile of counts has a sample for each name', async () => {
  const counts = new Map([
    ['Timeout', 3],
    ['TCPSocketWrap', 1],
  ])
  const profile = decoded(await pprofOfCounts(counts, { type: 'goroutine', unit: 'count' }, 77))
  expect(profile).toMatchObject({ units: ['goroutine/count'], period: '1 goroutine/count', at: 77, duration: 0 })
  expect(profile.samples).toEqual([
    [['Timeout :1'], [3]],
    [['TCPSocketWrap :1'], [1]],
  ])
})
