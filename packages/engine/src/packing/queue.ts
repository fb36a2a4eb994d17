import { parseTime } from '@kerf/apis'
import { floatAt } from '../column.ts'
import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import type { ResourceTable } from '../resources/resource-table.ts'

/** A pod with the values that determine its position in the queue. */
export interface Place {
  readonly pod: BatchPod
  readonly cpu: number
  readonly memory: number
  /** The creation time in seconds since 1970. */
  readonly created: number
  readonly uid: string
  /** A number for the first characters of the UID. It sorts like the UID. It is 0 for all pods if the batch is small. */
  readonly prefix: number
}

/** If there are fewer pods than this per equivalence group on average, the pods are not grouped by size first. */
const DEALT_FROM = 4

/**
 * Returns the pods in the order in which they are tried: by size, descending, then by creation time, then by UID
 * (`docs/spec/scheduling.md#queue`). All pods of a group have the same size. The pods are therefore grouped by size first,
 * and only pods of equal size are compared.
 */
export const inQueueOrder = (table: ResourceTable, pods: readonly BatchPod[]): BatchPod[] => {
  const placeOf = placer(table, pods.length >= PREFIXED_FROM)
  const queue: BatchPod[] = []
  for (const places of dealt(pods.map(placeOf))) {
    places.sort(inOrder)
    for (const { pod } of places) queue.push(pod)
  }
  return queue
}

const placer = (table: ResourceTable, isPrefixed: boolean): ((pod: BatchPod) => Place) => {
  const cpu = table.columnOf('cpu') ?? 0
  const memory = table.columnOf('memory') ?? 1
  const creation = new CreationTimes()
  return (pod) => {
    const { metadata } = pod.pod
    const { row } = pod.equivalenceGroup
    const created = creation.of(metadata?.creationTimestamp ?? '')
    const uid = metadata?.uid ?? ''
    const prefix = isPrefixed ? parsePrefix(uid) : 0
    return { pod, cpu: floatAt(row, cpu), memory: floatAt(row, memory), created, uid, prefix }
  }
}

/** Sorts pods that are needed in many queues. Each list is sorted only once. */
export class QueueLists {
  readonly #placeOf: (pod: BatchPod) => Place

  constructor(table: ResourceTable) {
    this.#placeOf = placer(table, true)
  }

  /** Returns a list in the order of the queue. */
  ordered(pods: readonly BatchPod[]): readonly Place[] {
    return pods.map(this.#placeOf).sort(inOrder)
  }
}

/** Returns one list of pods for each size, the largest size first. Returns a single list if there are too many equivalence groups. */
const dealt = (places: Place[]): readonly Place[][] => {
  const byGroup = new Map<EquivalenceGroup, Place[]>()
  for (const place of places) {
    const { equivalenceGroup } = place.pod
    const same = byGroup.get(equivalenceGroup)
    if (same === undefined) byGroup.set(equivalenceGroup, [place])
    else same.push(place)
    if (byGroup.size * DEALT_FROM > places.length) return [places]
  }
  const sizes: Place[][] = []
  const equivalenceGroups = [...byGroup.values()].sort((a, b) => (a[0] && b[0] ? bySize(a[0], b[0]) : 0))
  for (const own of equivalenceGroups) {
    const before = sizes.at(-1)
    if (before?.[0] && own[0] && bySize(before[0], own[0]) === 0) for (const place of own) before.push(place)
    else sizes.push(own)
  }
  return sizes
}

const bySize = (a: Place, b: Place): number => b.cpu - a.cpu || b.memory - a.memory

/** Compares two pods by queue order (`docs/spec/scheduling.md#queue`). */
export const inOrder = (a: Place, b: Place): number =>
  bySize(a, b) ||
  a.created - b.created ||
  a.prefix - b.prefix ||
  (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : byName(a.pod, b.pod))

const byName = (a: BatchPod, b: BatchPod): number => {
  const left = `${a.pod.metadata?.namespace}/${a.pod.metadata?.name}`
  const right = `${b.pod.metadata?.namespace}/${b.pod.metadata?.name}`
  return left < right ? -1 : left > right ? 1 : 0
}

/** If a batch has fewer pods than this, their UIDs are compared directly, without prefixes. */
const PREFIXED_FROM = 2_000
const PREFIX = 6
const LARGEST_BYTE = 255

/**
 * Returns a number for the first characters of the string. If a character is not a single byte, it and all later characters are replaced by
 * the largest byte. If two strings have different numbers, they sort in the order of these numbers.
 */
const parsePrefix = (text: string): number => {
  let prefix = 0
  let isByte = true
  for (let place = 0; place < PREFIX; place++) {
    const code = place < text.length ? text.charCodeAt(place) : 0
    if (code >= LARGEST_BYTE) isByte = false
    prefix = prefix * 256 + (isByte ? code : LARGEST_BYTE)
  }
  return prefix
}

/** Converts timestamps to seconds; each string is parsed once. */
class CreationTimes {
  readonly #known = new Map<string, number>()
  #text = ''
  #seconds = 0

  of(text: string): number {
    if (text === this.#text) return this.#seconds
    let seconds = this.#known.get(text)
    if (seconds === undefined) {
      const at = parseTime(text)
      seconds = at === undefined ? 0 : Math.floor(at / 1000)
      this.#known.set(text, seconds)
    }
    this.#text = text
    this.#seconds = seconds
    return seconds
  }
}
