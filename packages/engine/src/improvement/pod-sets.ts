import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { BatchPod, Variant } from '../model/equivalence-group.ts'
import type { HostPort } from '../model/host-port.ts'
import type { RequirementsId, TolerationsId } from '../model/ids.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { fullRequirements } from '../pods/node-requirements.ts'
import type { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { type ClaimDomains, countedKeys } from './claim-domains.ts'
import { type Flexibility, UNLIMITED } from './flexibility.ts'

/** Pods that the improvement pass treats as equal. Their host terms still include terms that no placement can violate. */
export interface RawPodSet {
  readonly row: Float64Array
  /** The alternative requirements on the node. Each includes the domains that the first pass chose for the topology of the pods. */
  readonly requirements: readonly RequirementsId[]
  readonly tolerations: TolerationsId
  /** The templates on whose nodes the pods may run. */
  readonly templates: readonly number[]
  readonly pods: BatchPod[]
  /** The hostname groups whose terms apply to the pods. */
  readonly owned: readonly TopologyGroup[]
  /** The hostname groups that count the pods. */
  readonly counted: readonly TopologyGroup[]
  readonly ports: readonly HostPort[]
  /**
   * The labels for which several domains remained possible for the claim of the pods. No domain counts these pods, so their next node must
   * keep all of these domains possible too.
   */
  readonly open: readonly Requirement[]
  /** The lowest flexibility that a spot claim with a pod of this set had in the first plan. */
  flexibility: Flexibility
}

const NO_GROUPS: readonly TopologyGroup[] = []

/** Returns whether a pod affects other pods in the same way on every node in its domains. */
const movesFreely = ({ equivalenceGroup }: BatchPod, variant: Variant | undefined): boolean => {
  if (equivalenceGroup.volumeAlternatives.length > 1) return false
  if (variant === undefined || variant.hostGroups.some(({ type }) => type === 'affinity')) return false
  return !equivalenceGroup.counting.some((group) => group.isHost && group.type === 'affinity')
}

/**
 * Cached results for an equivalence group: the labels for which topology groups count it, by level, and its pod sets, by claim constraints,
 * level and domains.
 */
interface KnownGroup {
  readonly keys: (readonly number[])[]
  readonly podSets: Map<number | string, number>
}

/** Sorts the pods of a finished run into pod sets, once for each combination of equivalence group, level, claim constraints and domains. */
export class PodSetTable {
  readonly podSets: RawPodSet[] = []
  readonly #run: Run
  readonly #constraintsTable: ClaimConstraintsTable
  readonly #byText = new Map<string, number>()
  readonly #known: KnownGroup[] = []
  /** For each template, the templates with the same weight. A pod may move only to a template of the same weight. */
  readonly #equals: readonly (readonly number[])[]

  constructor(run: Run) {
    this.#run = run
    const { templates, constraintsTable } = run.problem
    this.#constraintsTable = constraintsTable
    const templateWeight = (template: number): number => templates[template]?.pool.spec.weight ?? 0
    this.#equals = templates.map(({ index }) =>
      templates.map((other) => other.index).filter((other) => templateWeight(other) === templateWeight(index)),
    )
  }

  /** Returns the pod set of a pod on a claim with these constraints and domains; -1 if the pod must not move. */
  of(pod: BatchPod, constraints: ClaimConstraints, domains: ClaimDomains): number {
    const { equivalenceGroup } = pod
    const { variants } = this.#run.problem
    const level = this.#run.levels.get(pod) ?? 0
    const known = this.#known[equivalenceGroup.id] ?? { keys: [], podSets: new Map() }
    this.#known[equivalenceGroup.id] = known
    known.keys[level] ??= countedKeys(pod, variants.of(equivalenceGroup, level))
    const pins = domains.pins(known.keys[level] ?? [])
    const place =
      pins.length === 0
        ? constraints.id * MOST_LEVELS + level
        : `${constraints.id}|${level}|${pins.map(({ identity }) => identity).join()}`
    let podSet = known.podSets.get(place)
    if (podSet === undefined) {
      podSet = movesFreely(pod, variants.of(equivalenceGroup, level))
        ? this.#read(pod, level, constraints, pins, known.keys[level]?.length !== 0)
        : -1
      known.podSets.set(place, podSet)
    }
    return podSet
  }

  #read(
    { equivalenceGroup }: BatchPod,
    level: number,
    constraints: ClaimConstraints,
    pins: readonly Requirement[],
    isCounted: boolean,
  ): number {
    const variant = this.#run.problem.variants.of(equivalenceGroup, level)
    if (variant === undefined) return -1
    const constraintsTable = this.#constraintsTable
    const { options, rules } = this.#run.problem
    const [volumes] = equivalenceGroup.volumeAlternatives
    const internRequirements = (own: Requirements): RequirementsId => {
      const reachable = volumes === undefined ? own : own.merge(volumes)
      return constraintsTable.requirementNumber(pins.length > 0 ? reachable.merge(Requirements.of(pins)) : reachable)
    }
    const requirements = new Set([internRequirements(constraintsTable.requirementSet(variant.requirements))])
    // The first plan uses the first alternative that works for the pod, but all alternatives are equally good.
    if (equivalenceGroup.nodeAlternatives.length > 1) {
      for (const strict of equivalenceGroup.nodeAlternatives) {
        const full =
          options.preferencePolicy === 'Ignore' ? strict : fullRequirements(strict, variant.preferences, rules)
        requirements.add(internRequirements(full))
      }
    }
    const template = constraints.index.template.index
    // Nodes of another pool may have a label that nodes of this pool lack. Terms about this label might then exclude the pod from them.
    const templates = pins.length > 0 || isCounted ? [template] : (this.#equals[template] ?? [template])
    const hostOnly = (groups: readonly TopologyGroup[]): readonly TopologyGroup[] =>
      groups.some(({ isHost }) => isHost) ? groups.filter(({ isHost }) => isHost) : NO_GROUPS
    const counted = [...hostOnly(equivalenceGroup.counting), ...hostOnly(equivalenceGroup.inverseOwned)]
    const podSet: RawPodSet = {
      row: equivalenceGroup.row,
      requirements: [...requirements],
      tolerations: variant.tolerations,
      templates,
      pods: [],
      owned: variant.hostGroups,
      counted,
      ports: equivalenceGroup.ports,
      open: pins.filter(({ values }) => values.size > 1),
      flexibility: UNLIMITED,
    }
    const text = podSetText(podSet)
    let number = this.#byText.get(text)
    if (number === undefined) {
      number = this.podSets.length
      this.#byText.set(text, number)
      this.podSets.push(podSet)
    }
    return number
  }
}

/** More levels than any pod can have. */
const MOST_LEVELS = 4096

/** Returns a key. Pods with equal keys can replace one another. */
export const podSetText = (podSet: RawPodSet): string => {
  const { row, requirements, tolerations, templates, owned, counted, ports, open } = podSet
  const ids = (groups: readonly TopologyGroup[]): string => groups.map(({ id }) => id).join()
  return `${row.join()}|${requirements.join()}|${tolerations}|${templates.join()}|${ids(owned)}|${ids(counted)}|${ports.length === 0 ? '' : JSON.stringify(ports)}|${open.map(({ identity }) => identity).join()}`
}
