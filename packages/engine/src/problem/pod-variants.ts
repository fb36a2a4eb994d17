import type { Toleration } from '@kerf/apis'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { EquivalenceGroup, KeyTerms, PodDemand, Variant } from '../model/equivalence-group.ts'
import type { TolerationsId } from '../model/ids.ts'
import type { PodPreferences } from '../model/preferences.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { fullRequirements, strictRequirements } from '../pods/node-requirements.ts'
import { relax } from '../pods/relaxation.ts'
import { labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { selects } from '../topology/topology-groups.ts'
import type { ProblemTopology } from './pod-topology.ts'
import { readTopologyTerms, type TermContext } from './topology-terms.ts'

/** The inputs for creating variants, in addition to the equivalence groups. */
export interface VariantContext {
  readonly terms: TermContext
  readonly topology: Pick<ProblemTopology, 'groups' | 'domains'>
  readonly constraintsTable: ClaimConstraintsTable
  readonly tolerationNumber: (tolerations: readonly Toleration[], usablePools: string) => TolerationsId
  /** Whether some pool has a PreferNoSchedule taint. If so, tolerating such taints is the last step of relaxation. */
  readonly relaxesTaints: boolean
}

/** A demand with some of its preferences relaxed: a variant without the amounts. */
interface DemandVariant extends Omit<Variant, 'id' | 'level' | 'fitKey'> {
  /** If two demands have the same number, hosts refuse both permanently for the same reasons, regardless of amounts. */
  readonly fitPart: number
}

/** The variants of a demand that have been created. `preferences` are those of the last variant, with all alternatives. */
interface DemandVariants {
  readonly variants: DemandVariant[]
  preferences: PodPreferences
}

/** Returns the number of alternatives of the required node affinity; 1 if there is no such affinity. */
const alternativeCount = ({ requiredNodeTerms }: PodPreferences): number => Math.max(1, requiredNodeTerms.length)

/** Returns the preferences with a single alternative of the required node affinity. If there is only one, returns the same object. */
const withAlternative = (preferences: PodPreferences, alternative: number): PodPreferences =>
  preferences.requiredNodeTerms.length < 2
    ? preferences
    : { ...preferences, requiredNodeTerms: preferences.requiredNodeTerms.slice(alternative, alternative + 1) }

/**
 * The variants of equivalence groups: first with all preferences, then with more and more of them relaxed. For each number of relaxed
 * preferences, there is one variant per alternative of the required node affinity. Variants are created when they are first needed and then
 * cached, because most what-ifs involve only few of the cluster's pods. Groups that differ only in amounts share everything else.
 */
export class PodVariants {
  readonly #context: VariantContext
  readonly #topology: VariantContext['topology']
  readonly #fitParts = new Map<string, number>()
  /** The fit keys, by the number of the requests row, then by fit part. */
  readonly #fitKeys: Map<number, number>[] = []
  #fitKeyCount = 0
  readonly #rowNumbers = new Map<string, number>()
  readonly #numberOfRow = new Map<Float64Array, number>()
  readonly #hostKeys = new Map<string, number>()
  readonly #ofDemands = new Map<PodDemand, DemandVariants>()
  /** The variants of each equivalence group, by its number. */
  readonly #variants: Variant[][]
  readonly #held = new Map<string, EquivalenceGroup>()
  /** The variants by the number of the equivalence group, then by the number of relaxed preferences. */
  readonly #alternatives: (readonly Variant[])[][] = []
  #count = 0

  constructor(equivalenceGroups: readonly EquivalenceGroup[], context: VariantContext) {
    this.#context = context
    this.#topology = context.topology
    this.#variants = equivalenceGroups.map(() => [])
  }

  /**
   * Returns a copy of the group whose pods must run on a node that also satisfies these requirements, as if a volume required them. Cached
   * for each combination of group and requirements.
   */
  heldTo(equivalenceGroup: EquivalenceGroup, requirements: Requirements): EquivalenceGroup {
    const text = `${equivalenceGroup.id} ${requirements.identity}`
    let held = this.#held.get(text)
    if (held === undefined) {
      const own =
        equivalenceGroup.volumeAlternatives.length === 0 ? [Requirements.none] : equivalenceGroup.volumeAlternatives
      const possible = own.filter((alternative) => alternative.intersects(requirements))
      const volumeAlternatives = (possible.length === 0 ? own : possible).map((each) => each.merge(requirements))
      held = {
        ...equivalenceGroup,
        id: this.#variants.push([]) - 1,
        demand: { ...equivalenceGroup.demand, volumeAlternatives },
        volumeAlternatives,
      }
      this.#held.set(text, held)
    }
    return held
  }

  /**
   * Returns the variants with `given` preferences relaxed, one for each alternative of the required node affinity. No alternative is
   * preferred to another. Returns `undefined` if there are not that many preferences, or if the group's pods are refused.
   */
  alternatives(equivalenceGroup: EquivalenceGroup, given: number): readonly Variant[] | undefined {
    let own = this.#alternatives[equivalenceGroup.id]
    if (own === undefined) {
      own = []
      this.#alternatives[equivalenceGroup.id] = own
    }
    let found = own[given]
    if (found === undefined) {
      const count = alternativeCount(equivalenceGroup.preferences)
      const made: Variant[] = []
      for (let level = given * count; level < (given + 1) * count; level++) {
        const variant = this.of(equivalenceGroup, level)
        if (variant === undefined) return undefined
        made.push(variant)
      }
      own[given] = made
      found = made
    }
    return found
  }

  /**
   * Returns the variant of a level (`Variant.level`); `undefined` if there are not that many levels, or if the group's pods are refused.
   */
  of(equivalenceGroup: EquivalenceGroup, level: number): Variant | undefined {
    const own = this.#variants[equivalenceGroup.id]
    if (own === undefined || equivalenceGroup.refusal !== undefined) return undefined
    while (own.length <= level) {
      const next = this.#ofDemand(equivalenceGroup, own.length)
      if (next === undefined) return undefined
      own.push(this.#make(equivalenceGroup, next, own.length))
    }
    return own[level]
  }

  /** Returns the part of the variants of a level that does not depend on amounts. */
  #ofDemand(equivalenceGroup: EquivalenceGroup, level: number): DemandVariant | undefined {
    const { demand } = equivalenceGroup
    let own = this.#ofDemands.get(demand)
    if (own === undefined) {
      own = { variants: [], preferences: demand.preferences }
      this.#ofDemands.set(demand, own)
    }
    const { variants } = own
    const count = alternativeCount(demand.preferences)
    while (variants.length <= level) {
      const alternative = variants.length % count
      if (alternative === 0 && variants.length > 0) {
        const relaxed = this.#relaxed(own.preferences)
        if (relaxed === undefined) return undefined
        own.preferences = relaxed
      }
      variants.push(this.#demandVariant(equivalenceGroup, withAlternative(own.preferences, alternative)))
    }
    return variants[level]
  }

  #make({ row }: EquivalenceGroup, demand: DemandVariant, level: number): Variant {
    const { preferences, strict, requirements, tolerations, hostGroups, hostKey, keyTerms, fitPart } = demand
    const fitKey = this.#fitKey(row, fitPart)
    return {
      id: this.#count++,
      level,
      preferences,
      strict,
      requirements,
      tolerations,
      hostGroups,
      hostKey,
      keyTerms,
      fitKey,
    }
  }

  #fitKey(row: Float64Array, part: number): number {
    let number = this.#numberOfRow.get(row)
    if (number === undefined) {
      number = numberIn(this.#rowNumbers, row.join())
      this.#numberOfRow.set(row, number)
    }
    const byPart = this.#fitKeys[number] ?? new Map<number, number>()
    this.#fitKeys[number] = byPart
    let fitKey = byPart.get(part)
    if (fitKey === undefined) {
      fitKey = this.#fitKeyCount++
      byPart.set(part, fitKey)
    }
    return fitKey
  }

  /** Returns the preferences after the next relaxation that has an effect. Relaxing a preference that is already ignored has no effect. */
  #relaxed(preferences: PodPreferences): PodPreferences | undefined {
    const { relaxesTaints, terms } = this.#context
    let next = relax(preferences, relaxesTaints)
    if (!terms.ignoresPreferences) return next
    while (next !== undefined && next.tolerations.length === preferences.tolerations.length) {
      next = relax(next, relaxesTaints)
    }
    return next
  }

  #demandVariant(equivalenceGroup: EquivalenceGroup, preferences: PodPreferences): DemandVariant {
    const { terms, constraintsTable, tolerationNumber } = this.#context
    const strict = strictRequirements(equivalenceGroup.pod, preferences, terms.rules)
    const full = terms.ignoresPreferences ? strict : fullRequirements(strict, preferences, terms.rules)
    const requirements = constraintsTable.requirementNumber(full)
    const tolerations = tolerationNumber(preferences.tolerations, equivalenceGroup.usablePools)
    const groups = this.#groupsOf(equivalenceGroup, preferences)
    const hostGroups = groups.filter(({ isHost }) => isHost)
    const hostText = [
      ...hostGroups.map((group) => `${group.id}${selects(group, equivalenceGroup.labels)}`),
      strict.byKey.get(labels.hostname)?.identity ?? '',
    ].join()
    const fitText = [
      requirements,
      tolerations,
      ...equivalenceGroup.ports.map(({ ip, port, protocol }) => `${ip}:${port}/${protocol}`),
      '|',
      ...equivalenceGroup.volumeAlternatives.map((alternative) => constraintsTable.requirementNumber(alternative)),
      '|',
      hostText,
    ].join()
    return {
      preferences,
      strict,
      requirements,
      tolerations,
      hostGroups,
      hostKey: numberIn(this.#hostKeys, hostText),
      keyTerms: this.#keyTerms(equivalenceGroup, groups, strict),
      fitPart: numberIn(this.#fitParts, fitText),
    }
  }

  /**
   * Returns the topology groups that restrict the pods: the groups of their required terms and of the given preferences, and
   * inverse groups that select the pods.
   */
  #groupsOf(equivalenceGroup: EquivalenceGroup, preferences: PodPreferences): readonly TopologyGroup[] {
    const { groups } = this.#topology
    const selecting = groups.selecting(equivalenceGroup.labels)
    if (equivalenceGroup.terms.length === 0 && selecting.length === 0) return selecting
    const { tolerations } = equivalenceGroup.preferences
    const required = equivalenceGroup.terms.filter((term) => term.required && term.type !== 'spread')
    const isWhole = preferences === equivalenceGroup.preferences
    const left = isWhole
      ? equivalenceGroup.terms
      : readTopologyTerms(equivalenceGroup.pod, preferences, this.#context.terms)
    const soft = left.filter((term) => !term.required || term.type === 'spread')
    const own = new Set(
      [...required, ...soft].map((term) => groups.of(term, false, equivalenceGroup.nodeAlternatives, tolerations)),
    )
    return [...own, ...selecting.filter(({ isInverse }) => isInverse)]
  }

  #keyTerms(
    equivalenceGroup: EquivalenceGroup,
    groups: readonly TopologyGroup[],
    strict: Requirements,
  ): readonly KeyTerms[] {
    const byKey = new Map<number, TopologyGroup[]>()
    for (const group of groups) {
      if (group.isHost) continue
      const same = byKey.get(group.keyNumber)
      if (same === undefined) byKey.set(group.keyNumber, [group])
      else same.push(group)
    }
    const pins = new Map<number, TopologyGroup[]>()
    const lookingFor = equivalenceGroup.counting.filter(({ type }) => type !== 'spread')
    for (const group of [...equivalenceGroup.inverseOwned, ...lookingFor]) {
      if (group.isHost) continue
      const same = pins.get(group.keyNumber)
      if (same === undefined) pins.set(group.keyNumber, [group])
      else same.push(group)
      if (!byKey.has(group.keyNumber)) byKey.set(group.keyNumber, [])
    }
    // The key contains names instead of numbers, because the numbers depend on the other pods of the batch.
    const nameOf = (key: number): string => this.#topology.domains.keys[key] ?? ''
    return [...byKey]
      .sort(([a], [b]) => byText(nameOf(a), nameOf(b)))
      .map(([key, own]) => ({
        key,
        groups: own,
        onlyAvoids: own.every(({ type }) => type === 'anti-affinity'),
        allowed: this.#allowed(key, strict),
        pins: pins.get(key) ?? [],
      }))
  }

  #allowed(key: number, strict: Requirements): Uint8Array | undefined {
    const requirement = strict.byKey.get(this.#topology.domains.keys[key] ?? '')
    if (requirement === undefined) return undefined
    return Uint8Array.from(this.#topology.domains.names[key] ?? [], (name) => (requirement.has(name) ? 1 : 0))
  }
}

/** Returns the number of a string. Numbers are assigned in order of first use. */
const numberIn = (numbers: Map<string, number>, text: string): number => {
  let number = numbers.get(text)
  if (number === undefined) {
    number = numbers.size
    numbers.set(text, number)
  }
  return number
}
