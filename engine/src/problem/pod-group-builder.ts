import type { Pod, Toleration } from '@kerf/apis'
import type { ClusterDevices } from '../devices/cluster-devices.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import type { PodDevices } from '../model/device-claims.ts'
import type { KeyTerms, PodGroup, Variant } from '../model/pod-group.ts'
import type { PodPreferences } from '../model/preferences.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { TopologyTerm } from '../model/topology-term.ts'
import { cachedRequests } from '../pods/cached-requests.ts'
import { hostPortsOf } from '../pods/host-ports.ts'
import { fullRequirements, requirementAlternatives, strictRequirements } from '../pods/node-requirements.ts'
import { namespaceOf, podName } from '../pods/pod-name.ts'
import { preferencesOf, relax } from '../pods/relaxation.ts'
import { demandComplaints, requestComplaints } from '../pods/validation.ts'
import type { Reason } from '../reason.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import type { DefaultSpread } from '../topology/default-spread.ts'
import type { Domains } from '../topology/domains.ts'
import { affinityTerm, spreadTerm } from '../topology/term.ts'
import type { PodLabelSets, TopologyGroups } from '../topology/topology-groups.ts'
import { Storage } from '../volumes/storage.ts'

export interface PodGroupContext {
  readonly snapshot: ClusterSnapshot
  readonly options: ScheduleOptions
  readonly rules: LabelRules
  readonly storage: Storage
  /** `undefined` while no pod claims devices, or such pods are ignored. */
  readonly devices: ClusterDevices | undefined
  readonly groups: TopologyGroups
  readonly labelSets: PodLabelSets
  readonly defaultSpread: DefaultSpread
  readonly tolerationNumber: (tolerations: readonly Toleration[]) => number
  readonly relaxesTaints: boolean
}

const NO_REQUESTS: ReadonlyMap<string, bigint> = new Map()
const NO_ROW = new Float64Array(0)

const hasDeviceClaims = (pod: Pod): boolean =>
  (pod.spec.resourceClaims?.length ?? 0) > 0 ||
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(
    ({ resources }) => (resources?.claims?.length ?? 0) > 0,
  )

/** Makes pod classes, and their variants one by one as wishes have to be given up. */
export class PodGroupBuilder {
  readonly #context: PodGroupContext
  readonly #fitKeys = new Map<string, { readonly key: number; readonly expected: { pods: number } }>()
  readonly #requestNumbers = new Map<string, number>()
  readonly #hostKeys = new Map<string, number>()
  #variantCount = 0
  #constraintsTable: ClaimConstraintsTable | undefined
  #domains: Domains | undefined

  constructor(context: PodGroupContext) {
    this.#context = context
  }

  build(id: number, pod: Pod, avoidsSettling: boolean): PodGroup {
    const { rules, storage, labelSets, defaultSpread } = this.#context
    const devices = this.#devicesOf(pod)
    const refusal = this.#refusalOf(pod, devices)
    const base = {
      id,
      pod,
      left: 0,
      refusal,
      avoidsSettling,
      devices: devices !== undefined && 'claims' in devices ? devices : undefined,
      row: NO_ROW,
      columns: -1,
      counting: [],
      inverseOwned: [],
      demanded: [],
      variants: [],
    }
    if (refusal !== undefined) {
      return {
        ...base,
        labels: labelSets.of('', {}),
        requests: NO_REQUESTS,
        ports: [],
        volumes: [],
        volumeAlternatives: [],
        nodeAlternatives: [],
        preferences: { ...NO_PREFERENCES },
        terms: [],
      }
    }
    const preferences = preferencesOf(pod, defaultSpread.constraintsOf(pod))
    const hasVolumes = Storage.hasVolumes(pod)
    return {
      ...base,
      labels: labelSets.of(namespaceOf(pod), pod.metadata.labels),
      requests: cachedRequests(pod),
      ports: hostPortsOf(pod),
      volumes: hasVolumes ? storage.volumeUseOf(pod) : [],
      volumeAlternatives: hasVolumes ? storage.alternativesOf(pod) : [],
      nodeAlternatives: requirementAlternatives(pod, rules),
      preferences,
      terms: this.#termsOf(pod, preferences),
    }
  }

  #devicesOf(pod: Pod): PodDevices | readonly string[] | undefined {
    const { devices, options } = this.#context
    try {
      if (options.ignoreDraRequests !== false) {
        return hasDeviceClaims(pod) ? ['it claims devices (dynamic resource allocation), which are ignored'] : undefined
      }
      const found = devices?.devicesOf(pod)
      return found !== undefined && 'claims' in found && found.claims.length === 0 ? undefined : found
    } catch {
      // If it is not a pod at all, what is wrong with it is told where its requests are read.
      return pod.spec?.containers === undefined ? undefined : ['its resource claims cannot be read']
    }
  }

  #refusalOf(pod: Pod, devices: PodDevices | readonly string[] | undefined): readonly Reason[] | undefined {
    const { rules, storage } = this.#context
    const subject = `pod/${podName(pod)}`
    const refuse = (code: Reason['code'], complaints: readonly string[]): readonly Reason[] =>
      complaints.map((problem) => ({ code, subject, detail: { problem } }))
    try {
      const broken = requestComplaints(pod)
      if (broken.length > 0) return refuse('pod.invalid', broken)
      if (devices !== undefined && !('claims' in devices)) return refuse('pod.device-claim', devices)
      // Pods that run already were admitted once; what they demand is not questioned again
      // (`docs/spec/pending-pods.md#the-provisioning-pass`).
      if (pod.spec.nodeName) return undefined
      const demands = demandComplaints(pod, rules)
      if (demands.length > 0) return refuse('pod.invalid', demands)
      const volumes = Storage.hasVolumes(pod) ? storage.complaintsOf(pod) : []
      return volumes.length > 0 ? refuse('volume.invalid', volumes) : undefined
    } catch (error) {
      return refuse('pod.invalid', [`it cannot be read: ${error instanceof Error ? error.message : String(error)}`])
    }
  }

  #termsOf(pod: Pod, preferences: PodPreferences): readonly TopologyTerm[] {
    const { rules, snapshot, options } = this.#context
    const ignoresPreferences = options.preferencePolicy === 'Ignore'
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
    const { namespaces } = snapshot
    const terms: TopologyTerm[] = []
    for (const constraint of preferences.spread) {
      const term = spreadTerm(pod, constraint, rules)
      if (term.required || !ignoresPreferences) terms.push(term)
    }
    for (const term of podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      terms.push(affinityTerm('affinity', pod, term, true, namespaces, rules))
    }
    for (const term of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      terms.push(affinityTerm('anti-affinity', pod, term, true, namespaces, rules))
    }
    if (ignoresPreferences) return terms
    for (const term of preferences.preferredAffinity)
      terms.push(affinityTerm('affinity', pod, term, false, namespaces, rules))
    for (const term of preferences.preferredAntiAffinity) {
      terms.push(affinityTerm('anti-affinity', pod, term, false, namespaces, rules))
    }
    return terms
  }

  #groupOf(podGroup: PodGroup, term: TopologyTerm, isInverse = false): TopologyGroup {
    return this.#context.groups.of(term, isInverse, podGroup.nodeAlternatives, podGroup.preferences.tolerations)
  }

  /** Creates the groups of a class, so that later classes can be counted in them. */
  createGroups(podGroup: PodGroup): void {
    const inverse: TopologyGroup[] = []
    const demanded: TopologyGroup[] = []
    for (const term of podGroup.terms) {
      const group = this.#groupOf(podGroup, term)
      if (term.required) demanded.push(group)
      if (term.required && term.type === 'anti-affinity') {
        const own = this.#groupOf(podGroup, term, true)
        inverse.push(own)
        demanded.push(own)
      }
    }
    podGroup.inverseOwned = [...new Set(inverse)]
    podGroup.demanded = [...new Set(demanded)]
  }

  /** Once all groups exist: who counts whom, and the first variant of every class. */
  connect(constraintsTable: ClaimConstraintsTable, domains: Domains, podGroups: readonly PodGroup[]): void {
    this.#constraintsTable = constraintsTable
    this.#domains = domains
    for (const podGroup of podGroups) {
      if (podGroup.refusal !== undefined) continue
      podGroup.counting = this.#context.groups.selecting(podGroup.labels).filter(({ isInverse }) => !isInverse)
      podGroup.variants = [this.#variant(podGroup, podGroup.preferences)]
    }
  }

  /** The class with `level` wishes given up; `undefined` when there are not that many. */
  variant(podGroup: PodGroup, level: number): Variant | undefined {
    while (podGroup.variants.length <= level) {
      const last = podGroup.variants.at(-1)
      const preferences = last === undefined ? undefined : this.#relaxed(last.preferences)
      if (preferences === undefined) return undefined
      podGroup.variants.push(this.#variant(podGroup, preferences))
    }
    return podGroup.variants[level]
  }

  /** The next wishes that make a difference: giving up what is ignored anyway changes nothing. */
  #relaxed(preferences: PodPreferences): PodPreferences | undefined {
    let next = relax(preferences, this.#context.relaxesTaints)
    if (this.#context.options.preferencePolicy !== 'Ignore') return next
    while (
      next !== undefined &&
      next.requiredNodeTerms.length === preferences.requiredNodeTerms.length &&
      next.tolerations.length === preferences.tolerations.length
    ) {
      next = relax(next, this.#context.relaxesTaints)
    }
    return next
  }

  #variant(podGroup: PodGroup, preferences: PodPreferences): Variant {
    const { pod } = podGroup
    const { rules, options, groups, tolerationNumber } = this.#context
    const constraintsTable = this.#constraintsTable
    if (constraintsTable === undefined) throw new Error('variants are made after the groups are connected')
    const strict = strictRequirements(pod, preferences, rules)
    const full = options.preferencePolicy === 'Ignore' ? strict : fullRequirements(strict, preferences, rules)
    const requirements = constraintsTable.requirementNumber(full)
    const tolerations = tolerationNumber(preferences.tolerations)
    const required = podGroup.terms.filter((term) => term.required && term.type !== 'spread')
    const soft = this.#termsOf(pod, preferences).filter((term) => !term.required || term.type === 'spread')
    const owned = new Set([...required, ...soft].map((term) => this.#groupOf(podGroup, term)))
    const all = [...owned]
    for (const group of groups.selecting(podGroup.labels)) if (group.isInverse) all.push(group)
    const hostGroups = all.filter(({ isHost }) => isHost)
    const hostText = [
      ...hostGroups.map((group) => `${group.id}${group.selects(podGroup.labels.namespace, podGroup.labels.labels)}`),
      strict.byKey.get(labels.hostname)?.identity ?? '',
    ].join()
    const fit = this.#fitKey([
      this.#requestNumber(podGroup),
      requirements,
      tolerations,
      ...podGroup.ports.map(({ ip, port, protocol }) => `${ip}:${port}/${protocol}`),
      '|',
      ...podGroup.volumeAlternatives.map((alternative) => constraintsTable.requirementNumber(alternative)),
      '|',
      hostText,
    ])
    fit.expected.pods += podGroup.left
    return {
      id: this.#variantCount++,
      preferences,
      strict,
      requirements,
      tolerations,
      hostGroups,
      hostKey: numberIn(this.#hostKeys, hostText),
      keyTerms: this.#keyTerms(podGroup, all, strict),
      fitKey: fit.key,
      expected: fit.expected,
    }
  }

  #fitKey(parts: readonly (string | number)[]): { readonly key: number; readonly expected: { pods: number } } {
    const text = parts.join()
    let fit = this.#fitKeys.get(text)
    if (fit === undefined) {
      fit = { key: this.#fitKeys.size, expected: { pods: 0 } }
      this.#fitKeys.set(text, fit)
    }
    return fit
  }

  #requestNumber(podGroup: PodGroup): number {
    return numberIn(this.#requestNumbers, podGroup.row.join())
  }

  #keyTerms(podGroup: PodGroup, groups: readonly TopologyGroup[], strict: Requirements): readonly KeyTerms[] {
    const byKey = new Map<number, TopologyGroup[]>()
    for (const group of groups) {
      if (group.isHost) continue
      const same = byKey.get(group.keyNumber)
      if (same === undefined) byKey.set(group.keyNumber, [group])
      else same.push(group)
    }
    const pins = new Map<number, TopologyGroup[]>()
    const lookingFor = podGroup.counting.filter(({ type }) => type !== 'spread')
    for (const group of [...podGroup.inverseOwned, ...lookingFor]) {
      if (group.isHost) continue
      const same = pins.get(group.keyNumber)
      if (same === undefined) pins.set(group.keyNumber, [group])
      else same.push(group)
      if (!byKey.has(group.keyNumber)) byKey.set(group.keyNumber, [])
    }
    // By name, not by number: numbers depend on what other pods there are.
    const nameOf = (key: number): string => this.#domains?.keys[key] ?? ''
    return [...byKey]
      .sort(([a], [b]) => byText(nameOf(a), nameOf(b)))
      .map(([key, own]) => ({
        key,
        groups: own,
        allowed: this.#allowed(key, strict),
        pins: pins.get(key) ?? [],
      }))
  }

  #allowed(key: number, strict: Requirements): Uint8Array | undefined {
    const requirement = strict.byKey.get(this.#domains?.keys[key] ?? '')
    if (requirement === undefined) return undefined
    return Uint8Array.from(this.#domains?.names[key] ?? [], (name) => (requirement.has(name) ? 1 : 0))
  }
}

/** The number of a text; numbers are given out as texts come. */
const numberIn = (numbers: Map<string, number>, text: string): number => {
  let number = numbers.get(text)
  if (number === undefined) {
    number = numbers.size
    numbers.set(text, number)
  }
  return number
}

const NO_PREFERENCES: PodPreferences = {
  requiredNodeTerms: [],
  preferredNodeTerms: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
  spread: [],
  tolerations: [],
}
