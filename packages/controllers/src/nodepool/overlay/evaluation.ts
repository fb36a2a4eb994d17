import { labels, type NodeOverlay, type NodePool, parseResources, type Quantity } from '@kerf/apis'
import { type InstanceType, type LabelRules, Requirements } from '@kerf/engine'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'

/** A pool and the instance types of its provider, before overlays. */
export interface PoolTypes {
  readonly pool: NodePool
  readonly types: readonly InstanceType[]
}

/** The changes that overlays make to one instance type: prices by offering, and additional resources. */
export interface TypeOverlay {
  readonly prices: ReadonlyMap<string, string>
  readonly capacity: Readonly<Record<string, Quantity>>
}

/** The changes by pool and instance type. If a pool is absent, its overlays have not been evaluated. */
export type Overlays = ReadonlyMap<string, ReadonlyMap<string, TypeOverlay>>

export interface Evaluation {
  readonly overlays: Overlays
  /** Names of overlays that are not applied because another overlay of equal weight changes the same value. */
  readonly conflicting: ReadonlySet<string>
}

/**
 * Returns a key that identifies an offering by its requirements. The object itself cannot be the key, because providers may create new
 * offering objects at any time.
 */
export const offeringKey = (rules: LabelRules, offering: InstanceType['offerings'][number]): string =>
  rules.requirements(offering.requirements).toString()

interface Change {
  readonly weight: number
  readonly value: string
}

interface Draft {
  /** The price change with the highest rank, and the weight of the last overlay that changes the price, both keyed by offering. */
  readonly prices: Map<string, Change>
  readonly lastPriceWeight: Map<string, number>
  readonly capacity: Map<string, Quantity>
  readonly lastCapacityWeight: Map<string, number>
}

interface Target {
  readonly draft: Draft
  readonly offerings: readonly string[]
}

/** The parsed values of an overlay. All overlays are parsed before they are compared, because parsing may throw. */
interface ReadOverlay {
  readonly name: string
  readonly weight: number
  readonly price: string | undefined
  readonly capacity: readonly (readonly [string, Quantity])[]
  readonly wanted: Requirements
}

interface ReadType {
  readonly name: string
  /** The labels of the instance type and of its pool. */
  readonly offered: Requirements
  readonly offerings: readonly { readonly key: string; readonly requirements: Requirements }[]
}

interface ReadPool {
  readonly name: string
  readonly types: readonly ReadType[]
}

/** Sorts by descending weight, then by descending name. */
const byRank = (a: ReadOverlay, b: ReadOverlay): number => b.weight - a.weight || (a.name < b.name ? 1 : -1)

/**
 * Evaluates all overlays for all pools (`docs/spec/static-pools-buffers-overlays.md#node-overlays`). An overlay is either applied to all
 * pools or to none, so it is first checked against every pool. An overlay that cannot be read changes nothing. A pool that cannot be read
 * is not evaluated (`docs/spec/isolation.md`).
 */
export const evaluateOverlays = (
  overlays: readonly NodeOverlay[],
  pools: readonly PoolTypes[],
  rules: LabelRules,
  isolation: Pick<Isolation, 'guard'> = unreported,
): Evaluation => {
  const readable = overlays.flatMap(
    (overlay) =>
      isolation.guard('NodeOverlay', 'overlays', overlay, () => readOverlay(overlay, rules), undefined) ?? [],
  )
  const offered =
    overlays.length === 0
      ? namesAlone(pools, isolation)
      : pools.flatMap(
          (each) => isolation.guard('NodePool', 'overlays', each.pool, () => readPool(each, rules), undefined) ?? [],
        )
  const drafts = new Map(offered.map(({ name }) => [name, new Map<string, Draft>()]))
  const conflicting = new Set<string>()
  for (const overlay of readable.sort(byRank)) {
    const targets = offered.flatMap((pool) => findTargets(overlay, pool, drafts, rules))
    if (targets.some((target) => conflicts(overlay, target))) {
      conflicting.add(overlay.name)
      continue
    }
    for (const target of targets) keep(overlay, target)
  }
  const done = [...drafts].map(([pool, types]) => [pool, finished(types)] as const)
  return { overlays: new Map(done), conflicting }
}

const readOverlay = ({ metadata, spec }: NodeOverlay, rules: LabelRules): ReadOverlay => ({
  name: metadata.name,
  weight: spec.weight ?? 0,
  price: spec.price ?? spec.priceAdjustment,
  capacity: Object.entries(parseResources(spec.capacity)),
  wanted: rules.requirements(spec.requirements),
})

/** Returns the pools without their instance types, which are not needed if there are no overlays. */
const namesAlone = (pools: readonly PoolTypes[], isolation: Pick<Isolation, 'guard'>): readonly ReadPool[] =>
  pools.flatMap(({ pool }) => {
    const name = isolation.guard('NodePool', 'overlays', pool, () => pool.metadata.name, undefined)
    return name === undefined ? [] : [{ name, types: [] }]
  })

const readPool = ({ pool, types }: PoolTypes, rules: LabelRules): ReadPool => {
  const { name } = pool.metadata
  const ofPool = rules.ofLabels({ ...pool.spec.template.metadata?.labels, [labels.nodePool]: name })
  const readType = (type: InstanceType): ReadType => ({
    name: type.name,
    offered: Requirements.of([...ofPool.byKey.values(), ...rules.requirements(type.requirements).byKey.values()]),
    offerings: type.offerings.map((offering) => {
      const requirements = rules.requirements(offering.requirements)
      return { key: requirements.toString(), requirements }
    }),
  })
  return { name, types: types.map(readType) }
}

/** Returns the instance types that the overlay matches, each with its matching offerings. Omits types without a matching offering. */
const findTargets = (
  { wanted }: ReadOverlay,
  { name: poolName, types }: ReadPool,
  drafts: ReadonlyMap<string, Map<string, Draft>>,
  rules: LabelRules,
): readonly Target[] =>
  types.flatMap(({ name, offered, offerings }) => {
    if (!offered.accepts(wanted)) return []
    const matched = offerings.filter(({ requirements }) => wanted.accepts(requirements, rules.isWellKnown))
    if (matched.length === 0) return []
    return [{ draft: typeDraft(drafts.get(poolName), name), offerings: matched.map(({ key }) => key) }]
  })

const typeDraft = (types: Map<string, Draft> | undefined, name: string): Draft => {
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

const conflicts = ({ weight, price, capacity }: ReadOverlay, { draft, offerings }: Target): boolean => {
  const overPrice = price !== undefined && offerings.some((offering) => draft.lastPriceWeight.get(offering) === weight)
  return overPrice || capacity.some(([resource]) => draft.lastCapacityWeight.get(resource) === weight)
}

const keep = ({ weight, price, capacity }: ReadOverlay, { draft, offerings }: Target): void => {
  if (price !== undefined) {
    for (const offering of offerings) {
      if (!draft.prices.has(offering)) draft.prices.set(offering, { weight, value: price })
      draft.lastPriceWeight.set(offering, weight)
    }
  }
  for (const [resource, amount] of capacity) {
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
