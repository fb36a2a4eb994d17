import type { TopologyGroup } from '../model/topology-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { RawKind } from './kinds.ts'

/** What the pods of one kind mean for others on their host. */
export interface HostRule {
  /** Kinds that may not share its host, as bits; `undefined` if all may. */
  readonly blocks: Uint32Array | undefined
  /** At most one pod of the kind on a host. */
  readonly isAlone: boolean
  /** Numbers of the host spread groups that the kind has to respect, and of those that count it. */
  readonly owned: readonly number[]
  readonly counted: readonly number[]
}

/** Host terms of all kinds, without those that can bind nobody. */
export interface HostRules {
  /** By kind; `undefined` for kinds that share a host with anybody in any number. */
  readonly rules: readonly (HostRule | undefined)[]
  /** Words of a set of kinds. */
  readonly words: number
  /** Most pods of each spread group on one host. */
  readonly maxSkew: Int32Array
}

/**
 * Terms that may bind: an anti-affinity that some other pod would break, a spread that selects more pods than one host may
 * have. What is left out cannot be broken on a new node, whoever is put there.
 */
export const bindingGroups = (kinds: readonly RawKind[]): ReadonlySet<TopologyGroup> => {
  const selected = new Map<TopologyGroup, { pods: number; kinds: number }>()
  for (const { counted, pods } of kinds) {
    for (const group of counted) {
      const known = selected.get(group)
      if (known === undefined) selected.set(group, { pods: pods.length, kinds: 1 })
      else {
        known.pods += pods.length
        known.kinds++
      }
    }
  }
  const binding = new Set<TopologyGroup>()
  for (const { owned, counted, pods } of kinds) {
    for (const group of owned) {
      const seen = selected.get(group)
      if (seen === undefined || binding.has(group)) continue
      if (group.kind === 'spread') {
        if (seen.pods > group.maxSkew) binding.add(group)
      } else if (group.kind === 'anti-affinity') {
        const isOnlyItself = seen.kinds === 1 && seen.pods === 1 && pods.length === 1 && counted.includes(group)
        if (!isOnlyItself) binding.add(group)
      }
    }
  }
  return binding
}

/** The rules of kinds that are numbered in the order of the list. `narrows` tells pairs where the second would narrow what the first needs open. */
export const hostRulesOf = (
  kinds: readonly RawKind[],
  narrows: (open: RawKind, other: RawKind) => boolean,
): HostRules => {
  const words = (kinds.length + 31) >>> 5
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
  for (const [kind, { counted, ports }] of kinds.entries()) {
    if (ports.length > 0) withPorts.push(kind)
    for (const group of counted) {
      const known = selectedBy.get(group)
      if (known === undefined) selectedBy.set(group, [kind])
      else known.push(kind)
    }
  }
  const blocks: (Uint32Array | undefined)[] = kinds.map(() => undefined)
  const block = (a: number, b: number): void => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const set = blocks[from] ?? new Uint32Array(words)
      blocks[from] = set
      set[to >>> 5] = (set[to >>> 5] ?? 0) | (1 << (to & 31))
    }
  }
  for (const [kind, each] of kinds.entries()) {
    const { owned, ports, open } = each
    for (const group of owned) {
      if (group.kind === 'anti-affinity') for (const other of selectedBy.get(group) ?? []) block(kind, other)
    }
    if (open.length > 0)
      for (const [number, other] of kinds.entries()) {
        if (other !== each && narrows(each, other)) block(kind, number)
      }
    if (ports.length === 0) continue
    for (const other of withPorts) if (portsConflict(ports, kinds[other]?.ports ?? [])) block(kind, other)
  }
  const isSpread = ({ kind }: TopologyGroup): boolean => kind === 'spread'
  const rules = kinds.map(({ owned, counted }, kind): HostRule | undefined => {
    const own = owned.filter(isSpread).map(numberOf)
    const by = counted.filter(isSpread).map(numberOf)
    const blocked = blocks[kind]
    if (blocked === undefined && own.length === 0 && by.length === 0) return undefined
    const isAlone = blocked !== undefined && ((blocked[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0
    return { blocks: blocked, isAlone, owned: own, counted: by }
  })
  return { rules, words, maxSkew: Int32Array.from(maxSkew) }
}
