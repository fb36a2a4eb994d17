import type { NodePool, Pod } from '@kerf/apis'
import { type Amounts, amountsOf, lacking, podRequests, sum } from './amounts.ts'
import type { ClaimDocument, Problem } from './documents.ts'
import { type InstanceTypeRow, type Offering, offeringLabels } from './instance-types.ts'
import { type Labels, podSelects, presentName } from './label-sets.ts'
import { nodeLabels } from './new-node.ts'
import { untolerated } from './taint-check.ts'
import type { World } from './world.ts'

const MAX_LISTED = 60

/** What the controller of DaemonSets lets every daemon tolerate. */
const daemonTolerations = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
  'network-unavailable',
].map((name) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists' as const }))

export const asDaemon = (pod: Pod): Pod => ({
  ...pod,
  spec: { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), ...daemonTolerations] },
})

/** Topology keys that a hard constraint of these pods speaks of. */
const hardKeys = (pods: readonly Pod[]): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const { spec } of pods) {
    for (const { topologyKey, whenUnsatisfiable } of spec.topologySpreadConstraints ?? [])
      if (whenUnsatisfiable === 'DoNotSchedule') keys.add(presentName(topologyKey))
    for (const side of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
      for (const { topologyKey } of side?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
        keys.add(presentName(topologyKey))
    }
  }
  return keys
}

const hasPreference = ({ spec }: Pod): boolean =>
  (spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')

const byPrice = (a: Offering, b: Offering): number =>
  a.price - b.price || compare(a.zone, b.zone) || compare(a.capacityType, b.capacityType)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface CheckedClaim {
  readonly problems: readonly Problem[]
  /** The node that the cheapest offering would give. */
  readonly labels: Labels
  /** The most that the node may have of each resource, whichever type is launched. */
  readonly largest: Amounts
  readonly daemons: readonly Pod[]
}

/**
 * Everything about one new node that can be judged without the others: that each listed type can be had where the pods
 * may run and holds them with the daemons, that the pool's terms are kept, and that the cheapest is what it is said to be.
 * @param pods the pods of the claim, in any order
 */
export const checkClaim = (
  world: World,
  name: string,
  claim: ClaimDocument,
  pool: NodePool,
  pods: readonly Pod[],
): CheckedClaim => {
  const problems: Problem[] = []
  const report = (code: Problem['code'], text: string): void => {
    problems.push({ code, subject: name, text })
  }
  const catalogue = world.typesOf(pool)
  const types = claim.instanceTypes.flatMap((typeName) => catalogue.get(typeName) ?? [])
  if (types.length < claim.instanceTypes.length) report('claim.types', 'lists a type that the catalogue does not have')
  if (new Set(claim.instanceTypes).size < claim.instanceTypes.length) report('claim.types', 'lists a type twice')
  if (claim.instanceTypes.length > MAX_LISTED) report('claim.types', `lists more than ${MAX_LISTED} types`)
  if (types.length === 0) report('claim.types', 'lists no type')

  const { taints = [], requirements } = pool.spec.template.spec
  for (const pod of pods) {
    for (const { key } of untolerated(pod, taints))
      report('taint', `${pod.metadata.name} does not tolerate ${key} of the pool`)
  }

  const first = types[0]
  const waysOf = nodeLabels(world, pool, pods, name)

  const { cheapest } = claim
  const keys = hardKeys(pods)
  const pinned = (offering: Offering): boolean =>
    (!keys.has('topology.kubernetes.io/zone') || offering.zone === cheapest.zone) &&
    (!keys.has('karpenter.sh/capacity-type') || offering.capacityType === cheapest.capacityType)
  const usable = new Map(
    types.map((type) => [
      type,
      type.offerings.filter((offering) => pinned(offering) && waysOf(type, offering).length > 0),
    ]),
  )

  const podTotal = sum(...pods.map(podRequests))
  const daemonsOf = (type: InstanceTypeRow): readonly Pod[] =>
    world.daemons.filter((daemon) => {
      if (untolerated(asDaemon(daemon), taints).length > 0) return false
      return (usable.get(type) ?? []).some((offering) =>
        waysOf(type, offering).some((labels) => podSelects(daemon, labels)),
      )
    })
  for (const [type, offerings] of usable) {
    if (offerings.length === 0) report('selector', `${type.name} has no offering that pool and pods accept`)
    const short = lacking(sum(podTotal, ...daemonsOf(type).map(podRequests)), type.allocatable)
    if (short.length > 0) report('resources', `${type.name} has too little ${short.join(', ')}`)
    for (const key of keys) {
      if (first !== undefined && type.labels[key] !== first.labels[key])
        report('claim.types', `${type.name} differs in ${key}, which pods are spread or tied by`)
    }
  }

  for (const { key, minValues } of requirements) {
    if (minValues === undefined) continue
    const present = presentName(key)
    const values = new Set(
      types
        .flatMap((type) => [
          type.labels[present] ?? (usable.get(type) ?? []).map((offering) => offeringLabels(offering)[present]),
        ])
        .flat(),
    )
    if (values.size < minValues)
      report('pool.min-values', `${values.size} values of ${key}, the pool wants ${minValues}`)
  }

  const chosen = types.find((type) => type.name === cheapest.instanceType)
  const offering = (chosen === undefined ? [] : (usable.get(chosen) ?? [])).find(
    (each) => each.zone === cheapest.zone && each.capacityType === cheapest.capacityType,
  )
  if (offering === undefined) report('claim.cheapest', 'names an offering that is not among the usable ones')
  else if (Math.abs(offering.price - cheapest.price) > 1e-6)
    report('claim.cheapest', `says ${cheapest.price}, the catalogue ${offering.price}`)
  // Preferences and other pods' constraints may narrow a claim in ways that its document does not show.
  const isExact =
    !pods.some(hasPreference) &&
    ![...world.pending.values(), ...[...world.standing.values()].flatMap((node) => node.pods)].some(
      (pod) => hardKeys([pod]).size > 0,
    )
  if (isExact && offering !== undefined) {
    const ranked = types
      .map((type) => ({ type: type.name, best: [...(usable.get(type) ?? [])].sort(byPrice)[0] }))
      .sort(
        (a, b) =>
          (a.best?.price ?? Number.POSITIVE_INFINITY) - (b.best?.price ?? Number.POSITIVE_INFINITY) ||
          compare(a.type, b.type),
      )
    if (ranked.map(({ type }) => type).join() !== claim.instanceTypes.join())
      report('claim.order', 'types are not ordered by their cheapest usable offering')
    const best = ranked[0]
    if (
      best?.type !== cheapest.instanceType ||
      best.best?.zone !== cheapest.zone ||
      best.best.capacityType !== cheapest.capacityType
    ) {
      report('claim.cheapest', `${best?.type} in ${best?.best?.zone} as ${best?.best?.capacityType} comes first`)
    }
  }

  const daemons = chosen === undefined ? [] : daemonsOf(chosen)
  const stated = amountsOf(claim.requests)
  const least = sum(podTotal, ...daemons.map(podRequests))
  const most = sum(podTotal, ...world.daemons.map(podRequests))
  for (const resource of new Set([...Object.keys(stated), ...Object.keys(least)])) {
    const amount = stated[resource] ?? 0n
    if (amount < (least[resource] ?? 0n) || amount > (most[resource] ?? 0n))
      report('claim.requests', `states another amount of ${resource} than its pods and daemons ask for`)
  }

  const largest: Record<string, bigint> = {}
  for (const { capacity } of types) {
    for (const [resource, amount] of Object.entries(capacity))
      if (amount > (largest[resource] ?? 0n)) largest[resource] = amount
  }
  const labels = chosen === undefined || offering === undefined ? {} : (waysOf(chosen, offering)[0] ?? {})
  return { problems, labels, largest, daemons }
}
