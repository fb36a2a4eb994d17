import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Milliseconds } from '@kerf/apis'
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format'

/** The meaning of one value of a sample, and its unit, for example `inuse_space` in `bytes`. */
export interface SampleUnit {
  readonly type: string
  readonly unit: string
}

/** When a profile started and how long it took. The duration of a snapshot is 0. */
export interface ProfilePeriod {
  readonly at: Milliseconds
  readonly duration: Milliseconds
}

interface Stack {
  /** The call frames, from the innermost call outwards. */
  readonly frames: readonly Runtime.CallFrame[]
  readonly values: readonly number[]
}

/**
 * Returns a gzipped profile in pprof's format, for `go tool pprof` (github.com/google/pprof, proto/profile.proto). Tools show the
 * first unit by default.
 */
const encode = async (
  units: readonly SampleUnit[],
  stacks: Iterable<Stack>,
  { at, duration }: ProfilePeriod,
  period: { readonly of: SampleUnit; readonly every: number },
): Promise<Buffer> => {
  const stringTable = new StringTable()
  const valueType = ({ type, unit }: SampleUnit): ValueType =>
    new ValueType({ type: stringTable.dedup(type), unit: stringTable.dedup(unit) })
  const codes: Code[] = []
  const locations = new Map<string, Location>()
  const locationOf = (frame: Runtime.CallFrame): Location => {
    const key = `${frame.scriptId}:${frame.lineNumber}:${frame.columnNumber}:${frame.functionName}:${frame.url}`
    const known = locations.get(key)
    if (known !== undefined) return known
    const id = locations.size + 1
    const line = frame.lineNumber + 1
    codes.push(
      new Code({
        id,
        name: stringTable.dedup(nameOf(frame)),
        systemName: stringTable.dedup(frame.functionName),
        filename: stringTable.dedup(frame.url.replace(/^file:\/\//, '')),
        startLine: line,
      }),
    )
    const location = new Location({ id, line: [new Line({ functionId: id, line })] })
    locations.set(key, location)
    return location
  }
  const sample = [...stacks].map(
    ({ frames, values }) => new Sample({ locationId: frames.map((frame) => locationOf(frame).id), value: [...values] }),
  )
  const profile = new Profile({
    sampleType: units.map(valueType),
    sample,
    location: [...locations.values()],
    function: codes,
    periodType: valueType(period.of),
    period: period.every,
    timeNanos: BigInt(Math.round(at)) * 1_000_000n,
    durationNanos: BigInt(Math.round(duration)) * 1_000_000n,
    stringTable,
  })
  return await promisify(gzip)(profile.encode())
}

/** Returns the name of a function. An anonymous function is named after its position. */
const nameOf = ({ functionName, url, lineNumber }: Runtime.CallFrame): string =>
  functionName === '' ? `(anonymous ${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1})` : functionName

const CPU: SampleUnit = { type: 'cpu', unit: 'nanoseconds' }
const SPACE: SampleUnit = { type: 'space', unit: 'bytes' }

/** Converts V8's CPU profile. Omits idle time, as Go's profiles do. `interval` is in microseconds. */
export const pprofOfCpu = (profile: Profiler.Profile, interval: number, duration: ProfilePeriod): Promise<Buffer> => {
  const parents = new Map<number, Profiler.ProfileNode>()
  const counts = new Map<number, { hits: number; micros: number }>()
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node)
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const count = counts.get(id) ?? { hits: 0, micros: 0 }
    counts.set(id, count)
    count.hits++
    // The sampler's clock may step back slightly.
    count.micros += Math.max(0, profile.timeDeltas?.[i] ?? interval)
  }
  const stacks: Stack[] = []
  for (const node of profile.nodes) {
    const count = counts.get(node.id)
    const { functionName } = node.callFrame
    if (count === undefined || functionName === '(idle)' || functionName === '(root)') continue
    const frames: Runtime.CallFrame[] = []
    for (let at: Profiler.ProfileNode | undefined = node; at !== undefined; at = parents.get(at.id)) {
      if (at.callFrame.functionName !== '(root)') frames.push(at.callFrame)
    }
    stacks.push({ frames, values: [count.hits, count.micros * 1_000] })
  }
  return encode([{ type: 'samples', unit: 'count' }, CPU], stacks, duration, { of: CPU, every: interval * 1_000 })
}

/** Converts V8's sampling heap profile, which has bytes by the place of allocation. `every` is the number of bytes per sample. */
export const pprofOfHeap = (
  { head }: HeapProfiler.SamplingHeapProfile,
  every: number,
  duration: ProfilePeriod,
  type: 'inuse_space' | 'alloc_space',
): Promise<Buffer> => {
  const stacks: Stack[] = []
  const open: { node: HeapProfiler.SamplingHeapProfileNode; callers: readonly Runtime.CallFrame[] }[] = [
    { node: head, callers: [] },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, callers } = next
    const frames = node === head ? [] : [node.callFrame, ...callers]
    if (node.selfSize > 0 && frames.length > 0) stacks.push({ frames, values: [node.selfSize] })
    for (const child of node.children) open.push({ node: child, callers: frames })
  }
  return encode([{ type, unit: 'bytes' }], stacks, duration, { of: SPACE, every })
}

/** Returns a profile of counts by name, for values without a stack. */
export const pprofOfCounts = (
  counts: ReadonlyMap<string, number>,
  unit: SampleUnit,
  at: Milliseconds,
): Promise<Buffer> => {
  const stacks = [...counts].map(([functionName, count]) => ({
    frames: [{ functionName, scriptId: '0', url: '', lineNumber: 0, columnNumber: 0 }],
    values: [count],
  }))
  return encode([unit], stacks, { at, duration: 0 }, { of: unit, every: 1 })
}
