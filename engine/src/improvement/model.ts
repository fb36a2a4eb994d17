import type { States } from '../instance-types/claim-constraints.ts'
import type { BatchPod } from '../model/batch-pod.ts'
import { NO_STATE, type State } from '../model/claim-constraints.ts'
import type { HostPort } from '../model/host-port.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Run } from '../packing/packing-run.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { ClaimDomains, countedKeys } from './claim-domains.ts'
import { bindingGroups, type HostRule, type HostRules, hostRulesOf } from './host-rules.ts'
import { type Choice, choiceOf, KindTable, lesserChoice, type RawKind, textOf } from './kinds.ts'

/** Pods that the improvement may exchange for one another. */
export interface Kind {
  readonly id: number
  readonly row: Float64Array
  /** What its node must be like, in one of these ways: its requirements, and the domains its topology settled on. */
  readonly requirements: readonly number[]
  readonly tolerations: number
  /** Templates it may be on. */
  readonly templates: readonly number[]
  readonly pods: readonly BatchPod[]
  readonly ports: readonly HostPort[]
  /** What it means for others on its host; `undefined` if nothing. */
  readonly rule: HostRule | undefined
  /** Pods that are not in the model might mind it on their host. */
  readonly mayBeMinded: boolean
  /** What a spot node with such a pod must have to choose from, as far as the first plan had it. */
  readonly choice: Choice
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
  readonly hostRules: HostRules
  readonly claims: readonly FirstClaim[]
  /** Claims that stay as they are, because they hold reserved capacity. */
  readonly kept: readonly PackedClaim[]
  /** By template: the state of a new node, or `NO_STATE`. */
  readonly roots: readonly number[]
  /** Number of the requirement that new nodes are not reserved capacity; 0 if there is none to avoid. */
  readonly unreserved: number
}

const UNRESERVED = Requirements.of([new Requirement(labels.capacityType, true, new Set(['reserved']))])

/** Reads the model out of a finished run; `undefined` if there is nothing to improve. */
export const modelOf = (run: Run): Model | undefined => {
  const { world, claims } = run
  const { states, templates } = world
  if (claims.size === 0) return undefined
  const { isUsed } = run.reservations
  // Reservations are counted by the first pass: its claims keep theirs, and all others do without.
  const unreserved = isUsed ? states.requirementNumber(UNRESERVED) : 0
  const table = new KindTable(run)
  const read: (Omit<FirstClaim, 'entries'> & { readonly counts: ReadonlyMap<number, number> })[] = []
  const kept: PackedClaim[] = []
  for (const claim of claims.inOrder()) {
    const used = claims.used.slice(claim * claims.width, (claim + 1) * claims.width)
    const pods = claims.pods[claim] ?? []
    const packed = claims.state[claim] ?? NO_STATE
    const reservations = run.reservations.held(claim)
    const stateId = states.join(packed, unreserved)
    if ((reservations?.size ?? 0) > 0 || stateId === NO_STATE || hasDevices(run, pods)) {
      kept.push({ state: packed, used, pods, reservations })
      continue
    }
    const state = states.get(stateId)
    const choice = choiceOf(state, used)
    const domains = new ClaimDomains(run, state, used)
    const counts = new Map<number, number>()
    const fixed: BatchPod[] = []
    for (const pod of pods) {
      const kind = table.of(pod, state, domains)
      const entry = table.kinds[kind]
      if (entry === undefined) {
        fixed.push(pod)
        continue
      }
      entry.pods.push(pod)
      const before = counts.get(kind)
      if (before === undefined) entry.choice = lesserChoice(entry.choice, choice)
      counts.set(kind, (before ?? 0) + 1)
    }
    read.push({
      template: state.index.template.index,
      state: stateId,
      used,
      counts,
      fixed,
      fixedState: fixedStateOf(run, fixed, state, domains),
      fixedUsed: sumOf(fixed, claims.width),
    })
  }
  if (table.kinds.length === 0) return undefined
  const { merged, numbers } = withoutIdleTerms(table.kinds)
  const hostRules = hostRulesOf(merged, narrowing(states))
  return {
    run,
    states,
    width: claims.width,
    kinds: merged.map((raw, id) => ({ ...raw, id, rule: hostRules.rules[id] })),
    hostRules,
    claims: read.map(({ counts, ...claim }) => ({ ...claim, entries: mergedEntries(counts, numbers) })),
    kept,
    unreserved,
    roots: templates.map(({ index }) => {
      const root = states.root(index)
      return root === NO_STATE ? root : states.join(root, unreserved)
    }),
  }
}

/** Devices are found for a pod on one claim: it stays there, and so do those it shares the node with. */
const hasDevices = ({ devices }: Run, pods: readonly BatchPod[]): boolean =>
  devices !== undefined && pods.some(({ podClass }) => podClass.devices !== undefined)

/** Whether a kind would leave fewer domains on a node than another needs open there; worked out once for equal demands. */
const narrowing = (states: States): ((open: RawKind, other: RawKind) => boolean) => {
  const known = new Map<Requirement, Map<string, boolean>>()
  const narrows = (pin: Requirement, requirements: readonly number[]): boolean => {
    const verdicts = known.get(pin) ?? new Map<string, boolean>()
    known.set(pin, verdicts)
    const text = requirements.join()
    let verdict = verdicts.get(text)
    if (verdict === undefined) {
      verdict = requirements.some((number) => {
        const wanted = states.requirementSet(number).get(pin.key)
        return [...pin.values].some((value) => !wanted.has(value))
      })
      verdicts.set(text, verdict)
    }
    return verdict
  }
  return ({ open }, { requirements }) => open.some((pin) => narrows(pin, requirements))
}

type MergedKind = RawKind & { readonly mayBeMinded: boolean }

/** The kinds without host terms that bind nobody; kinds that differed by nothing else become one. */
const withoutIdleTerms = (kinds: readonly RawKind[]): { merged: readonly MergedKind[]; numbers: readonly number[] } => {
  const binding = bindingGroups(kinds)
  const merged: MergedKind[] = []
  const byText = new Map<string, number>()
  const numbers = kinds.map((kind) => {
    const { owned, counted, ports } = kind
    const reduced = {
      ...kind,
      owned: owned.filter((group) => binding.has(group)),
      counted: counted.filter((group) => binding.has(group)),
      mayBeMinded: owned.length > 0 || counted.length > 0 || ports.length > 0 || kind.open.length > 0,
    }
    const text = textOf(reduced)
    const known = byText.get(text)
    const entry = merged[known ?? -1]
    if (known === undefined || entry === undefined) {
      byText.set(text, merged.length)
      return merged.push(reduced) - 1
    }
    merged[known] = {
      ...entry,
      pods: [...entry.pods, ...kind.pods],
      choice: lesserChoice(entry.choice, kind.choice),
      mayBeMinded: entry.mayBeMinded || reduced.mayBeMinded,
    }
    return known
  })
  return { merged, numbers }
}

const mergedEntries = (
  counts: ReadonlyMap<number, number>,
  numbers: readonly number[],
): readonly (readonly [number, number])[] => {
  const sums = new Map<number, number>()
  for (const [raw, count] of counts) {
    const kind = numbers[raw] ?? raw
    sums.set(kind, (sums.get(kind) ?? 0) + count)
  }
  return [...sums]
}

/** The state of a node after a kind joins in the first way that keeps an offering; `NO_STATE` if it may not. */
export const joinKind = (model: Model, state: number, kind: Kind, offering: number): number => {
  for (const requirements of kind.requirements) {
    const to = joinWith(model, state, kind, requirements)
    if (to === state) return to
    if (to === NO_STATE) continue
    const { offerings } = model.states.get(to)
    if (((offerings[offering >>> 5] ?? 0) & (1 << (offering & 31))) !== 0) return to
  }
  return NO_STATE
}

/** The state of a node after a kind joins in one of its ways. */
export const joinWith = (model: Model, state: number, { ports }: Kind, requirements: number): number => {
  const { states } = model
  const to = requirements === 0 ? state : states.join(state, requirements)
  if (to === NO_STATE || ports.length === 0) return to
  const conflicting: number[] = []
  for (const [group, daemons] of states.get(to).index.template.daemonGroups.entries()) {
    if (portsConflict(ports, daemons.ports)) conflicting.push(group)
  }
  return conflicting.length === 0 ? to : states.exclude(to, conflicting)
}

const sumOf = (pods: readonly BatchPod[], width: number): Float64Array => {
  const sum = new Float64Array(width)
  for (const { podClass } of pods)
    for (let column = 0; column < width; column++) sum[column] = (sum[column] ?? 0) + (podClass.row[column] ?? 0)
  return sum
}

/** The state of a claim with its fixed pods alone, in the domains where they are. */
const fixedStateOf = (run: Run, fixed: readonly BatchPod[], state: State, domains: ClaimDomains): number => {
  if (fixed.length === 0) return NO_STATE
  const { states } = run.world
  // Volumes with several alternatives and daemons' host ports shaped the state in ways that the pods do not tell, and so
  // do reservations.
  if (run.reservations.isUsed) return state.id
  if (fixed.some(({ podClass }) => podClass.volumeAlternatives.length > 1 || podClass.ports.length > 0)) return state.id
  let to = states.root(state.index.template.index, state.allowed)
  for (const pod of fixed) {
    const level = run.levels.get(pod) ?? 0
    const variant = pod.podClass.variants[level]
    if (to === NO_STATE || variant === undefined) return state.id
    to = states.join(to, variant.requirements)
    const [volumes] = pod.podClass.volumeAlternatives
    if (to !== NO_STATE && volumes !== undefined) to = states.join(to, states.requirementNumber(volumes))
    for (const pin of domains.pins(countedKeys(pod, level))) {
      if (to !== NO_STATE) to = states.join(to, states.requirementNumber(Requirements.of([pin])))
    }
  }
  return to === NO_STATE ? state.id : to
}
