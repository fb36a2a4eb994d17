import { labels, type NodeOverlay, type NodePool, parseResources, type Quantity } from '@kerf/apis'
import { type InstanceType, type LabelRules, Requirements } from '@kerf/engine'

/** One pool and the types its provider offers it, before overlays. */
export interface PoolTypes {
  readonly pool: NodePool
  readonly types: readonly InstanceType[]
}

/** What overlays change in one instance type: prices by offering, and resources it has besides. */
export interface TypeOverlay {
  readonly prices: ReadonlyMap<string, string>
  readonly capacity: Readonly<Record<string, Quantity>>
}

/** By pool, then by type. A pool that is absent has not been evaluated. */
export type Overlays = ReadonlyMap<string, ReadonlyMap<string, TypeOverlay>>

export interface Evaluation {
  readonly overlays: Overlays
  /** Names of overlays of which nothing is applied, because another one of equal weight changes the same. */
  readonly conflicting: ReadonlySet<string>
}

/** An offering is known by what it requires: providers may rebuild their objects at any time. */
export const offeringKey = (rules: LabelRules, offering: InstanceType['offerings'][number]): string =>
  rules.requirements(offering.requirements).toString()

interface Change {
  readonly weight: number
  readonly value: string
}

interface Draft {
  /** The winning change per offering, and the weight of the last overlay that asked for one. */
  readonly prices: Map<string, Change>
  readonly lastPriceWeight: Map<string, number>
  readonly capacity: Map<string, Quantity>
  readonly lastCapacityWeight: Map<string, number>
}

interface Target {
  readonly draft: Draft
  readonly offerings: readonly string[]
}

const weightOf = ({ spec }: NodeOverlay): number => spec.weight ?? 0
const nameOf = ({ metadata }: NodeOverlay): string => metadata.name
const priceOf = ({ spec }: NodeOverlay): string | undefined => spec.price ?? spec.priceAdjustment

/** The heavier first, then the later name. */
const byRank = (a: NodeOverlay, b: NodeOverlay): number => weightOf(b) - weightOf(a) || (nameOf(a) < nameOf(b) ? 1 : -1)

/**
 * Works out all overlays over all pools (`docs/spec/static-pools-buffers-overlays.md#node-overlays`). An overlay is
 * applied everywhere or nowhere: it is checked against every pool before anything of it is kept.
 */
export const evaluateOverlays = (
  overlays: readonly NodeOverlay[],
  pools: readonly PoolTypes[],
  rules: LabelRules,
): Evaluation => {
  const drafts = new Map(pools.map(({ pool }) => [pool.metadata.name, new Map<string, Draft>()]))
  const conflicting = new Set<string>()
  for (const overlay of [...overlays].sort(byRank)) {
    const targets = pools.flatMap((pool) => targetsOf(overlay, pool, drafts, rules))
    if (targets.some((target) => conflicts(overlay, target))) {
      conflicting.add(nameOf(overlay))
      continue
    }
    for (const target of targets) keep(overlay, target)
  }
  const done = [...drafts].map(([pool, types]) => [pool, finished(types)] as const)
  return { overlays: new Map(done), conflicting }
}

/** The types that the overlay matches, each with the offerings it applies to; types without one are not matched. */
const targetsOf = (
  overlay: NodeOverlay,
  { pool, types }: PoolTypes,
  drafts: ReadonlyMap<string, Map<string, Draft>>,
  rules: LabelRules,
): readonly Target[] => {
  const wanted = rules.requirements(overlay.spec.requirements)
  const poolName = pool.metadata.name
  const ofPool = rules.ofLabels({ ...pool.spec.template.metadata?.labels, [labels.nodePool]: poolName })
  return types.flatMap((type) => {
    const offered = Requirements.of([...ofPool.byKey.values(), ...rules.requirements(type.requirements).byKey.values()])
    if (!offered.accepts(wanted)) return []
    const offerings = type.offerings.filter((offering) =>
      wanted.accepts(rules.requirements(offering.requirements), rules.isWellKnown),
    )
    if (offerings.length === 0) return []
    const draft = draftOf(drafts.get(poolName), type.name)
    return [{ draft, offerings: offerings.map((offering) => offeringKey(rules, offering)) }]
  })
}

const draftOf = (types: Map<string, Draft> | undefined, name: string): Draft => {
  const known = types?.get(name)
  if (known !== undefined) return known
  const draft: Draft = {
    prices: new Map(),
    lastPriceWeight: new Map(),
    capacity: new Map(),
    lastCapacityWeight: new Map(),
  }
  types?.set(name, draft)
  return draft
}

const conflicts = (overlay: NodeOverlay, { draft, offerings }: Target): boolean => {
  const weight = weightOf(overlay)
  const overPrice =
    priceOf(overlay) !== undefined && offerings.some((offering) => draft.lastPriceWeight.get(offering) === weight)
  const overCapacity = Object.keys(overlay.spec.capacity ?? {}).some(
    (resource) => draft.lastCapacityWeight.get(resource) === weight,
  )
  return overPrice || overCapacity
}

const keep = (overlay: NodeOverlay, { draft, offerings }: Target): void => {
  const weight = weightOf(overlay)
  const value = priceOf(overlay)
  if (value !== undefined) {
    for (const offering of offerings) {
      if (!draft.prices.has(offering)) draft.prices.set(offering, { weight, value })
      draft.lastPriceWeight.set(offering, weight)
    }
  }
  for (const [resource, amount] of Object.entries(parseResources(overlay.spec.capacity))) {
    if (!draft.capacity.has(resource)) draft.capacity.set(resource, amount)
    draft.lastCapacityWeight.set(resource, weight)
  }
}

const finished = (types: ReadonlyMap<string, Draft>): ReadonlyMap<string, TypeOverlay> =>
  new Map(
    [...types].map(([name, { prices, capacity }]) => [
      name,
      {
        prices: new Map([...prices].map(([offering, change]) => [offering, change.value])),
        capacity: Object.fromEntries(capacity),
      },
    ]),
  )
