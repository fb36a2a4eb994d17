import type { PodClass } from '../pods/pod-class.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import type { BatchPod } from './world.ts'

interface Place {
  readonly pod: BatchPod
  /** Seconds since 1970. */
  readonly created: number
  readonly uid: string
  /** The beginning of the uid as a number that sorts alike; 0 for all where it does not pay. */
  prefix: number
}

/**
 * The order in which pods are tried: large ones first, then old ones, then by UID (`spec/scheduling.md` 3.2). Pods are
 * dealt out by size, which is their class's, so that only those of one size are compared with one another.
 */
export const inQueueOrder = (table: ResourceTable, pods: readonly BatchPod[]): BatchPod[] => {
  const { sizes, ofClass } = sizesOf(table, pods)
  const creation = new CreationTimes()
  for (const pod of pods) {
    const { metadata } = pod.pod
    const uid = metadata?.uid ?? ''
    const created = creation.of(metadata?.creationTimestamp ?? '')
    ofClass.get(pod.podClass)?.push({ pod, created, uid, prefix: 0 })
  }
  const queue: BatchPod[] = []
  for (const places of sizes) {
    if (places.length >= PREFIXED_FROM) for (const place of places) place.prefix = prefixOf(place.uid)
    places.sort(inOrder)
    for (const { pod } of places) queue.push(pod)
  }
  return queue
}

/** An empty list for each size, largest first; classes of one size share theirs. */
const sizesOf = (
  table: ResourceTable,
  pods: readonly BatchPod[],
): { readonly sizes: readonly Place[][]; readonly ofClass: ReadonlyMap<PodClass, Place[]> } => {
  const cpu = table.columnOf('cpu') ?? 0
  const memory = table.columnOf('memory') ?? 1
  const classes = [...new Set(pods.map(({ podClass }) => podClass))]
  const compare = (a: PodClass, b: PodClass): number =>
    (b.row[cpu] ?? 0) - (a.row[cpu] ?? 0) || (b.row[memory] ?? 0) - (a.row[memory] ?? 0)
  classes.sort(compare)
  const sizes: Place[][] = []
  const ofClass = new Map<PodClass, Place[]>()
  let before: PodClass | undefined
  for (const podClass of classes) {
    if (before === undefined || compare(before, podClass) !== 0) sizes.push([])
    before = podClass
    ofClass.set(podClass, sizes.at(-1) ?? [])
  }
  return { sizes, ofClass }
}

const inOrder = (a: Place, b: Place): number =>
  a.created - b.created || a.prefix - b.prefix || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : byName(a.pod, b.pod))

const byName = (a: BatchPod, b: BatchPod): number => {
  const left = `${a.pod.metadata?.namespace}/${a.pod.metadata?.name}`
  const right = `${b.pod.metadata?.namespace}/${b.pod.metadata?.name}`
  return left < right ? -1 : left > right ? 1 : 0
}

/** With fewer pods of one size their uids are compared as they are. */
const PREFIXED_FROM = 200
const PREFIX = 6
const LARGEST_BYTE = 255

/**
 * The first characters as one exact number. From a character on that is no byte the rest counts as largest, so that two
 * texts have the order of their numbers or equal numbers.
 */
const prefixOf = (text: string): number => {
  let prefix = 0
  let isByte = true
  for (let place = 0; place < PREFIX; place++) {
    const code = place < text.length ? text.charCodeAt(place) : 0
    if (code >= LARGEST_BYTE) isByte = false
    prefix = prefix * 256 + (isByte ? code : LARGEST_BYTE)
  }
  return prefix
}

/** Seconds of timestamps, each text read once. */
class CreationTimes {
  readonly #known = new Map<string, number>()
  #text = ''
  #seconds = 0

  of(text: string): number {
    if (text === this.#text) return this.#seconds
    let seconds = this.#known.get(text)
    if (seconds === undefined) {
      const parsed = Date.parse(text)
      seconds = Number.isNaN(parsed) ? 0 : Math.floor(parsed / 1000)
      this.#known.set(text, seconds)
    }
    this.#text = text
    this.#seconds = seconds
    return seconds
  }
}
