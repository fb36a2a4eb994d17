import { wordAt } from '../column.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { RawPodSet } from './pod-sets.ts'

/** What the pods of one pod set mean for others on their host. */
export interface HostRule {
  /** Pod sets that may not share its host, as bits; `undefined` if all may. */
  readonly blocks: Uint32Array | undefined
  /** At most one pod of the pod set on a host. */
  readonly isOnePerHost: boolean
  /** Numbers of the host spread groups that the pod set has to respect, and of those that count it. */
  readonly owned: readonly number[]
  readonly counted: readonly number[]
}

/** Host terms of all pod sets, without those that can bind nobody. */
export interface HostRules {
  /** By pod set; `undefined` for pod sets that share a host with anybody in any number. */
  readonly rules: readonly (HostRule | undefined)[]
  /** Words of a set of pod sets. */
  readonly words: number
  /** Most pods of each spread group on one host. */
  readonly maxSkew: Int32Array
}

/**
 * Terms that may bind: an anti-affinity that some other pod would break, a spread that selects more pods than one host may
 * have. What is left out cannot be broken on a new node, whoever is put there.
 */
export const bindingGroups = (podSets: readonly RawPodSet[]): ReadonlySet<TopologyGroup> => {
  const selected = new Map<TopologyGroup, { pods: number; podSets: number }>()
  for (const { counted, pods } of podSets) {
    for (const group of counted) {
      const known = selected.get(group)
      if (known === undefined) selected.set(group, { pods: pods.length, podSets: 1 })
      else {
        known.pods += pods.length
        known.podSets++
      }
    }
  }
  const binding = new Set<TopologyGroup>()
  for (const { owned, counted, pods } of podSets) {
    for (const group of owned) {
      const seen = selected.get(group)
      if (seen === undefined || binding.has(group)) continue
      if (group.type === 'spread') {
        if (seen.pods > group.maxSkew) binding.add(group)
      } else if (group.type === 'anti-affinity') {
        const isOnlyItself = seen.podSets === 1 && seen.pods === 1 && pods.length === 1 && counted.includes(group)
        if (!isOnlyItself) binding.add(group)
      }
    }
  }
  return binding
}

/**
 * The rules of pod sets that are numbered in the order of the list. `narrows` tells pairs where the second would narrow what
 * the first needs open.
 */
export const hostRulesOf = (
  podSets: readonly RawPodSet[],
  narrows: (open: RawPodSet, other: RawPodSet) => boolean,
): HostRules => {
  const words = (podSets.length + 31) >>> 5
  const maxSkew: number[] = []
  const spreads = new Map<TopologyGroup, number>()
  const numberOf = (group: TopologyGroup): number => {
    let number = spreads.get(group)
    if (number === undefined) {
      number = maxSkew.length
      spreads.set(group, number)
      maxSkew.push(group.maxSkew)
    }
    return number
  }
  const selectedBy = new Map<TopologyGroup, number[]>()
  const withPorts: number[] = []
  for (const [podSet, { counted, ports }] of podSets.entries()) {
    if (ports.length > 0) withPorts.push(podSet)
    for (const group of counted) {
      const known = selectedBy.get(group)
      if (known === undefined) selectedBy.set(group, [podSet])
      else known.push(podSet)
    }
  }
  const blocks: (Uint32Array | undefined)[] = podSets.map(() => undefined)
  const block = (a: number, b: number): void => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const set = blocks[from] ?? new Uint32Array(words)
      blocks[from] = set
      set[to >>> 5] = wordAt(set, to >>> 5) | (1 << (to & 31))
    }
  }
  for (const [podSet, each] of podSets.entries()) {
    const { owned, ports, open } = each
    for (const group of owned) {
      if (group.type === 'anti-affinity') for (const other of selectedBy.get(group) ?? []) block(podSet, other)
    }
    if (open.length > 0)
      for (const [number, other] of podSets.entries()) {
        if (other !== each && narrows(each, other)) block(podSet, number)
      }
    if (ports.length === 0) continue
    for (const other of withPorts) if (portsConflict(ports, podSets[other]?.ports ?? [])) block(podSet, other)
  }
  const isSpread = ({ type }: TopologyGroup): boolean => type === 'spread'
  const rules = podSets.map(({ owned, counted }, podSet): HostRule | undefined => {
    const own = owned.filter(isSpread).map(numberOf)
    const by = counted.filter(isSpread).map(numberOf)
    const blocked = blocks[podSet]
    if (blocked === undefined && own.length === 0 && by.length === 0) return undefined
    const isOnePerHost = blocked !== undefined && (wordAt(blocked, podSet >>> 5) & (1 << (podSet & 31))) !== 0
    return { blocks: blocked, isOnePerHost, owned: own, counted: by }
  })
  return { rules, words, maxSkew: Int32Array.from(maxSkew) }
}
