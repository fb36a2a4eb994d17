import type { EquivalenceGroup } from '../model/equivalence-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { labels } from '../requirements/label-rules.ts'

/**
 * A zone that a pending pod can use: the zone's name if the pod can use only one zone, `flexible` if it can use several, and `none` if it
 * can use no zone.
 */
export type EffectiveZone = string

/**
 * Returns the number of pending pods for each `EffectiveZone`, before any of them is placed
 * (`docs/spec/pending-pods.md#what-a-pass-records`). Running pods are not included.
 */
export const pendingByZone = (run: Run): ReadonlyMap<EffectiveZone, number> => {
  const counts = new Map<EffectiveZone, number>()
  const ofGroup = new Map<EquivalenceGroup, EffectiveZone>()
  for (const { pod, equivalenceGroup } of run.problem.pods) {
    if (pod.status?.phase !== 'Pending') continue
    let zone = ofGroup.get(equivalenceGroup)
    if (zone === undefined) {
      zone = effectiveZone(run, equivalenceGroup)
      ofGroup.set(equivalenceGroup, zone)
    }
    counts.set(zone, (counts.get(zone) ?? 0) + 1)
  }
  return counts
}

const effectiveZone = (run: Run, equivalenceGroup: EquivalenceGroup): EffectiveZone => {
  const variant = run.problem.variants.of(equivalenceGroup, 0)
  if (equivalenceGroup.refusal !== undefined || variant === undefined) return 'none'
  const own = variant.strict.byKey.get(labels.zone)
  const ofVolumes = volumeZones(equivalenceGroup)
  const ofTopology = topologyZones(run, equivalenceGroup)
  if (ofTopology?.length === 0) return 'none'
  const candidates = own !== undefined && !own.complement ? [...own.values] : (ofVolumes ?? ofTopology)
  if (candidates === undefined) return 'flexible'
  const left = candidates.filter(
    (zone) =>
      own?.has(zone) !== false &&
      ofVolumes?.includes(zone) !== false &&
      (ofTopology === undefined || ofTopology.includes(zone)),
  )
  const [first, ...others] = left
  if (first === undefined) return 'none'
  return others.length === 0 ? first : 'flexible'
}

/** Returns all zones in the pod's volume alternatives, or `undefined` if one of the alternatives is not restricted to zones. */
const volumeZones = ({ volumeAlternatives }: EquivalenceGroup): readonly string[] | undefined => {
  const zones = new Set<string>()
  for (const alternative of volumeAlternatives) {
    const zone = alternative.byKey.get(labels.zone)
    if (zone === undefined || zone.complement) return undefined
    for (const value of zone.values) zones.add(value)
  }
  return volumeAlternatives.length === 0 ? undefined : [...zones]
}

/** Returns the zones that spread and affinity currently allow, or `undefined` if no constraint uses zones. */
const topologyZones = (run: Run, equivalenceGroup: EquivalenceGroup): readonly string[] | undefined => {
  const { domains, variants } = run.problem
  const terms = variants.of(equivalenceGroup, 0)?.keyTerms.find(({ key }) => domains.keys[key] === labels.zone)
  if (terms === undefined || terms.groups.length === 0) return undefined
  const names = domains.names[terms.key] ?? []
  const choice = run.counts.choose(terms, equivalenceGroup, Int32Array.from(names.keys()))
  if (choice === undefined) return []
  const open = choice.any.length > 0 ? choice.any : choice.oneOf
  return Array.from(open, (domain) => names[domain] ?? '')
}
