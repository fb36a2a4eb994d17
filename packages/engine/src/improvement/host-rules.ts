import { floatAt, wordAt } from '../column.ts'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { RawPodSet } from './pod-sets.ts'

/** How pods of one role affect other pods on their host. Pod sets with equal host terms have the same role. */
export interface HostRule {
  readonly role: number
  /** The roles whose pods cannot share the host, as bits; `undefined` if there are none. */
  readonly blocks: Uint32Array | undefined
  /** Whether a host may have at most one pod of this role. */
  readonly isOnePerHost: boolean
  /** The numbers of the hostname spread groups whose constraint applies to pods of the role. */
  readonly owned: readonly number[]
  /** The numbers of the hostname spread groups that count pods of the role. */
  readonly counted: readonly number[]
}

/** The constraints between pods on the same host (host terms), for all pod sets. Terms that no placement can violate are left out. */
export interface HostRules {
  /** The rule of each pod set; `undefined` if a pod set is not restricted on a host. */
  readonly rules: readonly (HostRule | undefined)[]
  /** The number of 32-bit words in a set of roles. */
  readonly words: number
  /** The maximum number of pods of each spread group on one host. */
  readonly maxSkew: Int32Array
}

/**
 * Returns the groups that a placement on a new node could violate: anti-affinity that selects another pod, and spread that selects more
 * pods than are allowed on one host.
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

/** Returns the role of each pod set, and one pod set of each role as a sample. */
const assignRoles = (
  podSets: readonly RawPodSet[],
): { readonly roleOf: readonly number[]; readonly samples: readonly RawPodSet[] } => {
  const isNarrowing = podSets.some(({ open }) => open.length > 0)
  const byText = new Map<string, number>()
  const samples: RawPodSet[] = []
  const roleOf = podSets.map((podSet) => {
    const text = roleText(podSet, isNarrowing)
    let role = byText.get(text)
    if (role === undefined) {
      role = samples.push(podSet) - 1
      byText.set(text, role)
    }
    return role
  })
  return { roleOf, samples }
}

/** Returns a key. Pod sets with equal keys have the same effect on other pods of their host. */
const roleText = ({ owned, counted, ports, open, requirements }: RawPodSet, isNarrowing: boolean): string => {
  const ids = (groups: readonly TopologyGroup[]): string => groups.map(({ id }) => id).join()
  const narrowed = isNarrowing ? `${open.map(({ identity }) => identity).join()}|${requirements.join()}` : ''
  return `${ids(owned)}|${ids(counted)}|${ports.length === 0 ? '' : JSON.stringify(ports)}|${narrowed}`
}

/**
 * Returns the rules of pod sets; the pod sets are numbered in the order of the list. `narrows(a, b)` reports whether pods of `b` would
 * narrow domains that pods of `a` must keep open.
 */
export const computeHostRules = (
  podSets: readonly RawPodSet[],
  narrows: (open: RawPodSet, other: RawPodSet) => boolean,
): HostRules => {
  const { roleOf, samples } = assignRoles(podSets)
  const words = (samples.length + 31) >>> 5
  const blocks = blockedRoles(samples, words, narrows)
  const maxSkew: number[] = []
  const spreads = new Map<TopologyGroup, number>()
  const groupNumber = (group: TopologyGroup): number => {
    let number = spreads.get(group)
    if (number === undefined) {
      number = maxSkew.length
      spreads.set(group, number)
      maxSkew.push(group.maxSkew)
    }
    return number
  }
  const isSpread = ({ type }: TopologyGroup): boolean => type === 'spread'
  const byRole = samples.map(({ owned, counted }, role): HostRule | undefined => {
    const own = owned.filter(isSpread).map(groupNumber)
    const by = counted.filter(isSpread).map(groupNumber)
    const blocked = blocks[role]
    if (blocked === undefined && own.length === 0 && by.length === 0) return undefined
    const isOnePerHost = blocked !== undefined && (wordAt(blocked, role >>> 5) & (1 << (role & 31))) !== 0
    return { role, blocks: blocked, isOnePerHost, owned: own, counted: by }
  })
  return { rules: roleOf.map((role) => byRole[role]), words, maxSkew: Int32Array.from(maxSkew) }
}

/**
 * For each role, returns the roles that cannot share its host. The reasons are anti-affinity, host ports, and domains that one role must
 * keep open and the other would narrow.
 */
const blockedRoles = (
  samples: readonly RawPodSet[],
  words: number,
  narrows: (open: RawPodSet, other: RawPodSet) => boolean,
): readonly (Uint32Array | undefined)[] => {
  const selectedBy = new Map<TopologyGroup, number[]>()
  const withPorts: number[] = []
  for (const [role, { counted, ports }] of samples.entries()) {
    if (ports.length > 0) withPorts.push(role)
    for (const group of counted) {
      const known = selectedBy.get(group)
      if (known === undefined) selectedBy.set(group, [role])
      else known.push(role)
    }
  }
  const blocks: (Uint32Array | undefined)[] = samples.map(() => undefined)
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
  for (const [role, each] of samples.entries()) {
    const { owned, ports, open } = each
    for (const group of owned) {
      if (group.type === 'anti-affinity') for (const other of selectedBy.get(group) ?? []) block(role, other)
    }
    if (open.length > 0)
      for (const [number, other] of samples.entries()) {
        if (other !== each && narrows(each, other)) block(role, number)
      }
    if (ports.length === 0) continue
    for (const other of withPorts) if (portsConflict(ports, samples[other]?.ports ?? [])) block(role, other)
  }
  return blocks
}

/**
 * Returns a function that takes a pod set and returns the number of pods in the batch that its host terms exclude, or may exclude, from its
 * host. Pod sets that exclude many pods should be placed first.
 */
export const computeHardness = (
  podSets: readonly { readonly pods: { readonly length: number } }[],
  { rules, maxSkew }: HostRules,
): ((podSet: number) => number) => {
  const pods: number[] = []
  const counted = new Float64Array(maxSkew.length)
  const owning = new Float64Array(maxSkew.length)
  const byRole: (HostRule | undefined)[] = []
  for (const [number, podSet] of podSets.entries()) {
    const rule = rules[number]
    if (rule === undefined) continue
    byRole[rule.role] = rule
    pods[rule.role] = (pods[rule.role] ?? 0) + podSet.pods.length
    for (const group of rule.counted) counted[group] = floatAt(counted, group) + podSet.pods.length
    for (const group of rule.owned) owning[group] = floatAt(owning, group) + podSet.pods.length
  }
  const hardness = byRole.map((rule) => {
    if (rule === undefined) return 0
    let sum = 0
    if (rule.blocks !== undefined) forEachBit(rule.blocks, (role) => (sum += pods[role] ?? 0))
    for (const group of rule.owned) sum += floatAt(counted, group)
    for (const group of rule.counted) sum += floatAt(owning, group)
    return sum
  })
  return (podSet) => hardness[rules[podSet]?.role ?? -1] ?? 0
}
