import type { ResourceTable } from '../resources/resource-table.ts'
import type { BatchPod } from './world.ts'

interface Place {
  readonly cpu: number
  readonly memory: number
  readonly created: number
  readonly uid: string
  readonly pod: BatchPod
}

/** The order in which pods are tried: large ones first, then old ones, then by UID (`spec/scheduling.md` 3.2). */
export const inQueueOrder = (table: ResourceTable, pods: readonly BatchPod[]): BatchPod[] => {
  const cpu = table.columnOf('cpu') ?? 0
  const memory = table.columnOf('memory') ?? 1
  const times = new Map<string, number>()
  const places = pods.map((entry): Place => {
    const { metadata } = entry.pod
    const { row } = entry.podClass
    const text = metadata?.creationTimestamp ?? ''
    let created = times.get(text)
    if (created === undefined) {
      const parsed = Date.parse(text)
      created = Number.isNaN(parsed) ? 0 : Math.floor(parsed / 1000)
      times.set(text, created)
    }
    return { cpu: row[cpu] ?? 0, memory: row[memory] ?? 0, created, uid: metadata?.uid ?? '', pod: entry }
  })
  places.sort(
    (a, b) =>
      b.cpu - a.cpu ||
      b.memory - a.memory ||
      a.created - b.created ||
      (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : byName(a.pod, b.pod)),
  )
  return places.map(({ pod }) => pod)
}

const byName = (a: BatchPod, b: BatchPod): number => {
  const left = `${a.pod.metadata?.namespace}/${a.pod.metadata?.name}`
  const right = `${b.pod.metadata?.namespace}/${b.pod.metadata?.name}`
  return left < right ? -1 : left > right ? 1 : 0
}
