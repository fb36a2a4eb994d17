import type { Used } from '../../benchmarks/beside/bench-cluster.ts'
import type { Run as BesideRun, Phase } from '../../benchmarks/beside/measure.ts'
import type { Program } from '../../benchmarks/beside/program.ts'
import type { Measurement as Consolidation } from '../../benchmarks/consolidation/measure-one.ts'
import type { Measurement as Scheduling } from '../../benchmarks/scheduling/measure-one.ts'

/** Returns all keys of a type. If a key is missing or superfluous, the code does not compile. */
const keysOf =
  <T>() =>
  (keys: Record<keyof T, true>): readonly string[] =>
    Object.keys(keys).sort()

const below = (path: string, keys: readonly string[]): readonly string[] => keys.map((key) => `${path}.${key}`)

/** Each benchmark that prints JSON, with the keys of its output. */
export const benchKeys = (): readonly { readonly command: string; readonly keys: readonly string[] }[] => {
  const scheduling = keysOf<Scheduling>()({
    workload: true,
    pods: true,
    cold: true,
    warm: true,
    peakMemory: true,
    claims: true,
    unschedulable: true,
    hourlyCost: true,
    steps: true,
  })
  const consolidation = keysOf<Consolidation>()({
    nodes: true,
    method: true,
    candidates: true,
    cost: true,
    looks: true,
    movable: true,
    together: true,
    course: true,
    isOver: true,
    peakMebibytes: true,
  })
  const beside = keysOf<BesideRun>()({
    autoscaler: true,
    program: true,
    up: true,
    down: true,
    drifted: true,
    used: true,
  })
  const phase = keysOf<Phase>()({
    running: true,
    pods: true,
    nodes: true,
    claims: true,
    hourlyCost: true,
    evictions: true,
    nodesMade: true,
    nodesGone: true,
    nodesUndone: true,
    spent: true,
    costs: true,
    lastChange: true,
    runningAfter: true,
    settledAfter: true,
    hasSettled: true,
    mostDown: true,
    bound: true,
    lastBound: true,
    lastOpen: true,
    boughtLate: true,
    writes: true,
    used: true,
    cpuSeconds: true,
  })
  const used = keysOf<Used>()({ cpuSeconds: true, peakMebibytes: true })
  const program = keysOf<Program>()({ command: true, sha256: true })
  return [
    { command: 'bench:scheduling -o json', keys: below('[]', [...scheduling, 'pass'].sort()) },
    {
      command: 'bench:consolidation -o json',
      keys: [...below('pairs[].kerf', consolidation), ...below('pairs[].upstream', consolidation), 'problems[]'],
    },
    {
      command: 'bench:beside -o json',
      keys: [
        ...below('[]', beside),
        ...below('[].program', program),
        ...below('[].up', phase),
        ...below('[].down', phase),
        ...below('[].used', used),
      ],
    },
  ]
}
