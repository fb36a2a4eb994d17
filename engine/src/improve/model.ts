import { NO_STATE, type State, type States } from '../catalogue/states.ts'
import type { HostPort } from '../pods/host-ports.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { fittingTypes } from '../solve/fitting-types.ts'
import type { Run } from '../solve/run.ts'
import type { BatchPod } from '../solve/world.ts'
import type { TopologyGroup } from '../topology/group.ts'

/** More kinds than this are not improved: the work grows with their number, and with many kinds first fit is near enough. */
const MOST_KINDS = 1500

/** Pods that the improvement may exchange for one another. */
export interface Kind {
  readonly id: number
  readonly row: Float64Array
  /** What its node must be like: its requirements, and the domains its topology settled on. */
  readonly requirements: number
  readonly tolerations: number
  /** Templates it may be on. */
  readonly templates: readonly number[]
  readonly pods: BatchPod[]
  /** Groups that look at hosts: those it has to respect, and those that count it. */
  readonly owned: readonly TopologyGroup[]
  readonly counted: readonly TopologyGroup[]
  readonly ports: readonly HostPort[]
  readonly isConstrained: boolean
  /** Fewest instance types that the first plan left to a claim with such a pod. */
  flexibility: number
}

/** A claim of the first plan. */
export interface FirstClaim {
  readonly template: number
  readonly state: number
  readonly used: Float64Array
  readonly entries: readonly (readonly [kind: number, count: number])[]
  /** Pods that stay: what they are to others cannot be told apart from where they are. */
  readonly fixed: readonly BatchPod[]
  /** State and requests of the fixed pods alone. */
  readonly fixedState: number
  readonly fixedUsed: Float64Array
}

/** The first plan as the improvement sees it: kinds of pods in counts, claims as bins. */
export interface Model {
  readonly run: Run
  readonly states: States
  readonly width: number
  readonly kinds: readonly Kind[]
  readonly claims: readonly FirstClaim[]
  /** `conflicts[a * kinds + b]`: pods of these kinds may not share a host. */
  readonly conflicts: Uint8Array | undefined
}

const movesFreely = (run: Run, pod: BatchPod, level: number): boolean => {
  const { podClass } = pod
  if (podClass.volumeAlternatives.length > 1) return false
  const variant = podClass.variants[level]
  return (
    variant !== undefined && !variant.hostGroups.some(({ kind }) => kind === 'affinity') && !followsHost(run, podClass)
  )
}

/** Whether others must share the host of such a pod. */
const followsHost = (_run: Run, podClass: BatchPod['podClass']): boolean =>
  podClass.counting.some((group) => group.isHost && group.kind === 'affinity')

/** The domains a pod's topology settled on, as requirements: wherever the pod moves within them, no counter changes. */
const pinsOf = (run: Run, pod: BatchPod, level: number, stateId: number): Requirement[] => {
  const { states, domains } = run.world
  const { podClass } = pod
  const keys = new Set<number>()
  for (const { key } of podClass.variants[level]?.keyTerms ?? []) keys.add(key)
  for (const group of [...podClass.counting, ...podClass.inverseOwned]) if (!group.isHost) keys.add(group.keyNumber)
  const state = states.get(stateId)
  return [...keys].flatMap((key) => {
    const label = domains.keys[key] ?? ''
    const open = states.openDomains(stateId, key).domains
    if (open.length === 0 && !state.requirements.has(label)) return []
    return Requirement.in(
      label,
      [...open].map((domain) => domains.names[key]?.[domain] ?? ''),
    )
  })
}

/** Reads the model out of a finished run; `undefined` if there is nothing to improve or too much. */
export const modelOf = (run: Run): Model | undefined => {
  const { world, claims } = run
  const { states, templates } = world
  if (claims.size === 0 || run.reservations.isUsed) return undefined
  const weightOf = (template: number): number => templates[template]?.pool.spec.weight ?? 0
  const byWeight = new Map<number, number[]>()
  for (const { index } of templates) {
    const same = byWeight.get(weightOf(index))
    if (same === undefined) byWeight.set(weightOf(index), [index])
    else same.push(index)
  }
  const kinds: Kind[] = []
  const byText = new Map<string, Kind>()
  const first: FirstClaim[] = []
  for (const claim of claims.inOrder()) {
    const stateId = claims.state[claim] ?? NO_STATE
    const state = states.get(stateId)
    const template = state.index.template.index
    const used = claims.used.slice(claim * claims.width, (claim + 1) * claims.width)
    const flexibility = fittingTypes(state, used).length
    const entries = new Map<number, number>()
    const fixed: BatchPod[] = []
    for (const pod of claims.pods[claim] ?? []) {
      const level = run.levels.get(pod) ?? 0
      const kind = movesFreely(run, pod, level)
        ? kindOf(run, pod, level, state, byText, kinds, byWeight.get(weightOf(template)) ?? [])
        : undefined
      if (kind === undefined) {
        fixed.push(pod)
        continue
      }
      kind.pods.push(pod)
      kind.flexibility = Math.min(kind.flexibility, flexibility)
      entries.set(kind.id, (entries.get(kind.id) ?? 0) + 1)
    }
    if (kinds.length > MOST_KINDS) return undefined
    first.push({
      template,
      state: stateId,
      used,
      entries: [...entries],
      fixed,
      fixedState: fixedStateOf(run, fixed, state),
      fixedUsed: sumOf(fixed, claims.width),
    })
  }
  if (kinds.length === 0) return undefined
  return { run, states, width: claims.width, kinds, claims: first, conflicts: conflictsOf(kinds) }
}

const kindOf = (
  run: Run,
  pod: BatchPod,
  level: number,
  state: State,
  byText: Map<string, Kind>,
  kinds: Kind[],
  equalPools: readonly number[],
): Kind | undefined => {
  const { podClass } = pod
  const variant = podClass.variants[level]
  if (variant === undefined) return undefined
  const { states } = run.world
  const pins = pinsOf(run, pod, level, state.id)
  let wanted = states.requirementSet(variant.requirements)
  const [volumes] = podClass.volumeAlternatives
  if (volumes !== undefined) wanted = wanted.merge(volumes)
  if (pins.length > 0) wanted = wanted.merge(Requirements.of(pins))
  const requirements = states.requirementNumber(wanted)
  const templates = pins.length > 0 ? [state.index.template.index] : equalPools
  const owned = variant.hostGroups
  const counted = [
    ...podClass.counting.filter(({ isHost }) => isHost),
    ...podClass.inverseOwned.filter(({ isHost }) => isHost),
  ]
  const text = [
    podClass.row.join(),
    requirements,
    variant.tolerations,
    templates.join(),
    owned.map(({ id }) => id).join(),
    counted.map(({ id }) => id).join(),
    JSON.stringify(podClass.ports),
  ].join('|')
  let kind = byText.get(text)
  if (kind === undefined) {
    kind = {
      id: kinds.length,
      row: podClass.row,
      requirements,
      tolerations: variant.tolerations,
      templates,
      pods: [],
      owned,
      counted,
      ports: podClass.ports,
      isConstrained: owned.length > 0 || counted.length > 0 || podClass.ports.length > 0,
      flexibility: Number.POSITIVE_INFINITY,
    }
    byText.set(text, kind)
    kinds.push(kind)
  }
  return kind
}

const sumOf = (pods: readonly BatchPod[], width: number): Float64Array => {
  const sum = new Float64Array(width)
  for (const { podClass } of pods)
    for (let column = 0; column < width; column++) sum[column] = (sum[column] ?? 0) + (podClass.row[column] ?? 0)
  return sum
}

/** The state of a claim with its fixed pods alone, in the domains where they are. */
const fixedStateOf = (run: Run, fixed: readonly BatchPod[], state: State): number => {
  if (fixed.length === 0) return NO_STATE
  const { states, domains } = run.world
  // Volumes with several alternatives and daemons' host ports shaped the state in ways that the pods do not tell.
  if (fixed.some(({ podClass }) => podClass.volumeAlternatives.length > 1 || podClass.ports.length > 0)) return state.id
  let to = states.root(state.index.template.index, state.allowed)
  for (const pod of fixed) {
    const variant = pod.podClass.variants[run.levels.get(pod) ?? 0]
    if (to === NO_STATE || variant === undefined) return state.id
    to = states.join(to, variant.requirements)
    const [volumes] = pod.podClass.volumeAlternatives
    if (to !== NO_STATE && volumes !== undefined) to = states.join(to, states.requirementNumber(volumes))
    for (const pin of pinsOf(run, pod, run.levels.get(pod) ?? 0, state.id)) {
      if (to !== NO_STATE) to = states.join(to, states.requirementNumber(Requirements.of([pin])))
    }
  }
  return to === NO_STATE || domains.keys.length === 0 ? (to === NO_STATE ? state.id : to) : to
}

const conflictsOf = (kinds: readonly Kind[]): Uint8Array | undefined => {
  if (!kinds.some(({ isConstrained }) => isConstrained)) return undefined
  const size = kinds.length
  const conflicts = new Uint8Array(size * size)
  const refuses = (a: Kind, b: Kind): boolean =>
    a.owned.some((group) => group.kind === 'anti-affinity' && b.counted.includes(group)) ||
    portsConflict(a.ports, b.ports)
  for (const a of kinds) {
    for (const b of kinds) {
      if (a.isConstrained && b.isConstrained && (refuses(a, b) || refuses(b, a))) conflicts[a.id * size + b.id] = 1
    }
  }
  return conflicts
}
