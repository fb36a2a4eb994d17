import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { HostPort } from '../model/host-port.ts'
import type { RequirementsId, TolerationsId } from '../model/ids.ts'
import type { BatchPod, Variant } from '../model/pod-group.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { fullRequirements } from '../pods/node-requirements.ts'
import type { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { type ClaimDomains, countedKeys } from './claim-domains.ts'
import { type Flexibility, UNLIMITED } from './flexibility.ts'

/** Pods that ask for the same, as far as the improvement looks; host terms as they were read. */
export interface RawPodSet {
  readonly row: Float64Array
  /** What its node must be like, in one of these ways: its requirements, and the domains its topology settled on. */
  readonly requirements: readonly RequirementsId[]
  readonly tolerations: TolerationsId
  /** Templates it may be on. */
  readonly templates: readonly number[]
  readonly pods: BatchPod[]
  /** Groups that look at hosts: those it has to respect, and those that count it. */
  readonly owned: readonly TopologyGroup[]
  readonly counted: readonly TopologyGroup[]
  readonly ports: readonly HostPort[]
  /** Labels of which its claim left several domains open: counters hold nothing of it, so its node may leave no fewer. */
  readonly open: readonly Requirement[]
  /** Least choice that the first plan left to a spot claim with such a pod. */
  flexibility: Flexibility
}

const NO_GROUPS: readonly TopologyGroup[] = []

/** Whether a pod means the same to others wherever it is in its domains. */
const movesFreely = ({ podGroup }: BatchPod, variant: Variant | undefined): boolean => {
  if (podGroup.volumeAlternatives.length > 1) return false
  if (variant === undefined || variant.hostGroups.some(({ type }) => type === 'affinity')) return false
  return !podGroup.counting.some((group) => group.isHost && group.type === 'affinity')
}

/** What was found out about a pod group: the labels it is counted by, by level, and its pod sets, by place. */
interface KnownGroup {
  readonly keys: (readonly number[])[]
  readonly podSets: Map<number | string, number>
}

/** Sorts the pods of a finished run into pod sets, once for each class, level and place. */
export class PodSetTable {
  readonly podSets: RawPodSet[] = []
  readonly #run: Run
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #byText = new Map<string, number>()
  readonly #known: KnownGroup[] = []
  /** Templates of the weight of each template: a pod may change among them, but not to a lighter or heavier one. */
  readonly #equals: readonly (readonly number[])[]

  constructor(run: Run) {
    this.#run = run
    const { templates, constraintsTable } = run.problem
    this.#constraintsTable = constraintsTable
    const weightOf = (template: number): number => templates[template]?.pool.spec.weight ?? 0
    this.#equals = templates.map(({ index }) =>
      templates.map((other) => other.index).filter((other) => weightOf(other) === weightOf(index)),
    )
  }

  /** The pod set of a pod on a claim with these constraints, which may end in these domains; -1 if it must stay where it is. */
  of(pod: BatchPod, constraints: ClaimConstraints, domains: ClaimDomains): number {
    const { podGroup } = pod
    const { variants } = this.#run.problem
    const level = this.#run.levels.get(pod) ?? 0
    const known = this.#known[podGroup.id] ?? { keys: [], podSets: new Map() }
    this.#known[podGroup.id] = known
    known.keys[level] ??= countedKeys(pod, variants.of(podGroup, level))
    const pins = domains.pins(known.keys[level] ?? [])
    const place =
      pins.length === 0
        ? constraints.id * MOST_LEVELS + level
        : `${constraints.id}|${level}|${pins.map(({ identity }) => identity).join()}`
    let podSet = known.podSets.get(place)
    if (podSet === undefined) {
      podSet = movesFreely(pod, variants.of(podGroup, level))
        ? this.#read(pod, level, constraints, pins, known.keys[level]?.length !== 0)
        : -1
      known.podSets.set(place, podSet)
    }
    return podSet
  }

  #read(
    { podGroup }: BatchPod,
    level: number,
    constraints: ClaimConstraints,
    pins: readonly Requirement[],
    isCounted: boolean,
  ): number {
    const variant = this.#run.problem.variants.of(podGroup, level)
    if (variant === undefined) return -1
    const constraintsTable = this.#constraintsTable
    const { options, rules } = this.#run.problem
    const [volumes] = podGroup.volumeAlternatives
    const numberOf = (own: Requirements): RequirementsId => {
      const reachable = volumes === undefined ? own : own.merge(volumes)
      return constraintsTable.requirementNumber(pins.length > 0 ? reachable.merge(Requirements.of(pins)) : reachable)
    }
    const requirements = new Set([numberOf(constraintsTable.requirementSet(variant.requirements))])
    // The first plan takes the first of a pod's alternatives that can be had; any other is as good.
    if (podGroup.nodeAlternatives.length > 1) {
      for (const strict of podGroup.nodeAlternatives) {
        const full =
          options.preferencePolicy === 'Ignore' ? strict : fullRequirements(strict, variant.preferences, rules)
        requirements.add(numberOf(full))
      }
    }
    const template = constraints.index.template.index
    // In another pool a label may be there that nodes of this one lack, and with it pods to stay away from.
    const templates = pins.length > 0 || isCounted ? [template] : (this.#equals[template] ?? [template])
    const hostOnly = (groups: readonly TopologyGroup[]): readonly TopologyGroup[] =>
      groups.some(({ isHost }) => isHost) ? groups.filter(({ isHost }) => isHost) : NO_GROUPS
    const counted = [...hostOnly(podGroup.counting), ...hostOnly(podGroup.inverseOwned)]
    const podSet: RawPodSet = {
      row: podGroup.row,
      requirements: [...requirements],
      tolerations: variant.tolerations,
      templates,
      pods: [],
      owned: variant.hostGroups,
      counted,
      ports: podGroup.ports,
      open: pins.filter(({ values }) => values.size > 1),
      flexibility: UNLIMITED,
    }
    const text = textOf(podSet)
    let number = this.#byText.get(text)
    if (number === undefined) {
      number = this.podSets.length
      this.#byText.set(text, number)
      this.podSets.push(podSet)
    }
    return number
  }
}

/** More than any pod has preferences to give up. */
const MOST_LEVELS = 4096

/** Equal for pods that may stand in for one another. */
export const textOf = (podSet: RawPodSet): string => {
  const { row, requirements, tolerations, templates, owned, counted, ports, open } = podSet
  const ids = (groups: readonly TopologyGroup[]): string => groups.map(({ id }) => id).join()
  return `${row.join()}|${requirements.join()}|${tolerations}|${templates.join()}|${ids(owned)}|${ids(counted)}|${ports.length === 0 ? '' : JSON.stringify(ports)}|${open.map(({ identity }) => identity).join()}`
}
