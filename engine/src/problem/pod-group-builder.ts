import type { Pod, Toleration } from '@kerf/apis'
import type { DeviceWorld } from '../devices/device-world.ts'
import type { States } from '../instance-types/claim-constraints.ts'
import type { PodDevices } from '../model/device-claims.ts'
import type { KeyTerms, PodClass, Variant } from '../model/pod-group.ts'
import type { PodWishes } from '../model/preferences.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { TopologyTerm } from '../model/topology-term.ts'
import { cachedRequests } from '../pods/cached-requests.ts'
import { hostPortsOf } from '../pods/host-ports.ts'
import { fullRequirements, requirementAlternatives, strictRequirements } from '../pods/node-requirements.ts'
import { namespaceOf, podName } from '../pods/pod-name.ts'
import { relax, wishesOf } from '../pods/relaxation.ts'
import { demandComplaints, requestComplaints } from '../pods/validation.ts'
import type { Reason } from '../reason.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import type { DefaultSpread } from '../topology/default-spread.ts'
import type { Domains } from '../topology/domains.ts'
import type { PodLabelSets, TopologyGroups } from '../topology/groups.ts'
import { affinityTerm, spreadTerm } from '../topology/term.ts'
import { Storage } from '../volumes/storage.ts'

export interface ClassContext {
  readonly snapshot: ClusterSnapshot
  readonly options: ScheduleOptions
  readonly rules: LabelRules
  readonly storage: Storage
  /** `undefined` while no pod claims devices, or such pods are ignored. */
  readonly devices: DeviceWorld | undefined
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
export class ClassBuilder {
  readonly #context: ClassContext
  readonly #fitKeys = new Map<string, { readonly key: number; readonly expected: { pods: number } }>()
  readonly #requestNumbers = new Map<string, number>()
  readonly #hostKeys = new Map<string, number>()
  #variantCount = 0
  #states: States | undefined
  #domains: Domains | undefined

  constructor(context: ClassContext) {
    this.#context = context
  }

  build(id: number, pod: Pod, avoidsSettling: boolean): PodClass {
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
        wishes: { ...NO_WISHES },
        terms: [],
      }
    }
    const wishes = wishesOf(pod, defaultSpread.constraintsOf(pod))
    const hasVolumes = Storage.hasVolumes(pod)
    return {
      ...base,
      labels: labelSets.of(namespaceOf(pod), pod.metadata.labels),
      requests: cachedRequests(pod),
      ports: hostPortsOf(pod),
      volumes: hasVolumes ? storage.volumeUseOf(pod) : [],
      volumeAlternatives: hasVolumes ? storage.alternativesOf(pod) : [],
      nodeAlternatives: requirementAlternatives(pod, rules),
      wishes,
      terms: this.#termsOf(pod, wishes),
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

  #termsOf(pod: Pod, wishes: PodWishes): readonly TopologyTerm[] {
    const { rules, snapshot, options } = this.#context
    const ignoresPreferences = options.preferencePolicy === 'Ignore'
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
    const { namespaces } = snapshot
    const terms: TopologyTerm[] = []
    for (const constraint of wishes.spread) {
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
    for (const term of wishes.preferredAffinity)
      terms.push(affinityTerm('affinity', pod, term, false, namespaces, rules))
    for (const term of wishes.preferredAntiAffinity) {
      terms.push(affinityTerm('anti-affinity', pod, term, false, namespaces, rules))
    }
    return terms
  }

  #groupOf(podClass: PodClass, term: TopologyTerm, isInverse = false): TopologyGroup {
    return this.#context.groups.of(term, isInverse, podClass.nodeAlternatives, podClass.wishes.tolerations)
  }

  /** Creates the groups of a class, so that later classes can be counted in them. */
  createGroups(podClass: PodClass): void {
    const inverse: TopologyGroup[] = []
    const demanded: TopologyGroup[] = []
    for (const term of podClass.terms) {
      const group = this.#groupOf(podClass, term)
      if (term.required) demanded.push(group)
      if (term.required && term.kind === 'anti-affinity') {
        const own = this.#groupOf(podClass, term, true)
        inverse.push(own)
        demanded.push(own)
      }
    }
    podClass.inverseOwned = [...new Set(inverse)]
    podClass.demanded = [...new Set(demanded)]
  }

  /** Once all groups exist: who counts whom, and the first variant of every class. */
  connect(states: States, domains: Domains, classes: readonly PodClass[]): void {
    this.#states = states
    this.#domains = domains
    for (const podClass of classes) {
      if (podClass.refusal !== undefined) continue
      podClass.counting = this.#context.groups.selecting(podClass.labels).filter(({ isInverse }) => !isInverse)
      podClass.variants = [this.#variant(podClass, podClass.wishes)]
    }
  }

  /** The class with `level` wishes given up; `undefined` when there are not that many. */
  variant(podClass: PodClass, level: number): Variant | undefined {
    while (podClass.variants.length <= level) {
      const last = podClass.variants.at(-1)
      const wishes = last === undefined ? undefined : this.#relaxed(last.wishes)
      if (wishes === undefined) return undefined
      podClass.variants.push(this.#variant(podClass, wishes))
    }
    return podClass.variants[level]
  }

  /** The next wishes that make a difference: giving up what is ignored anyway changes nothing. */
  #relaxed(wishes: PodWishes): PodWishes | undefined {
    let next = relax(wishes, this.#context.relaxesTaints)
    if (this.#context.options.preferencePolicy !== 'Ignore') return next
    while (
      next !== undefined &&
      next.requiredNodeTerms.length === wishes.requiredNodeTerms.length &&
      next.tolerations.length === wishes.tolerations.length
    ) {
      next = relax(next, this.#context.relaxesTaints)
    }
    return next
  }

  #variant(podClass: PodClass, wishes: PodWishes): Variant {
    const { pod } = podClass
    const { rules, options, groups, tolerationNumber } = this.#context
    const states = this.#states
    if (states === undefined) throw new Error('variants are made after the groups are connected')
    const strict = strictRequirements(pod, wishes, rules)
    const full = options.preferencePolicy === 'Ignore' ? strict : fullRequirements(strict, wishes, rules)
    const requirements = states.requirementNumber(full)
    const tolerations = tolerationNumber(wishes.tolerations)
    const required = podClass.terms.filter((term) => term.required && term.kind !== 'spread')
    const soft = this.#termsOf(pod, wishes).filter((term) => !term.required || term.kind === 'spread')
    const owned = new Set([...required, ...soft].map((term) => this.#groupOf(podClass, term)))
    const all = [...owned]
    for (const group of groups.selecting(podClass.labels)) if (group.isInverse) all.push(group)
    const hostGroups = all.filter(({ isHost }) => isHost)
    const hostText = [
      ...hostGroups.map((group) => `${group.id}${group.selects(podClass.labels.namespace, podClass.labels.labels)}`),
      strict.byKey.get(labels.hostname)?.identity ?? '',
    ].join()
    const fit = this.#fitKey([
      this.#requestNumber(podClass),
      requirements,
      tolerations,
      ...podClass.ports.map(({ ip, port, protocol }) => `${ip}:${port}/${protocol}`),
      '|',
      ...podClass.volumeAlternatives.map((alternative) => states.requirementNumber(alternative)),
      '|',
      hostText,
    ])
    fit.expected.pods += podClass.left
    return {
      id: this.#variantCount++,
      wishes,
      strict,
      requirements,
      tolerations,
      hostGroups,
      hostKey: numberIn(this.#hostKeys, hostText),
      keyTerms: this.#keyTerms(podClass, all, strict),
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

  #requestNumber(podClass: PodClass): number {
    return numberIn(this.#requestNumbers, podClass.row.join())
  }

  #keyTerms(podClass: PodClass, groups: readonly TopologyGroup[], strict: Requirements): readonly KeyTerms[] {
    const byKey = new Map<number, TopologyGroup[]>()
    for (const group of groups) {
      if (group.isHost) continue
      const same = byKey.get(group.keyNumber)
      if (same === undefined) byKey.set(group.keyNumber, [group])
      else same.push(group)
    }
    const pins = new Map<number, TopologyGroup[]>()
    const lookingFor = podClass.counting.filter(({ kind }) => kind !== 'spread')
    for (const group of [...podClass.inverseOwned, ...lookingFor]) {
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

const NO_WISHES: PodWishes = {
  requiredNodeTerms: [],
  preferredNodeTerms: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
  spread: [],
  tolerations: [],
}
