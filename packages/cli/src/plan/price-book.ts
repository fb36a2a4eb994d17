import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  groupVersion,
  type KubeObject,
  kinds,
  type Milliseconds,
  ownValue,
  PRICE_CONFIG_MAP,
  PRICE_KEY,
  ProblemError,
  policyKinds,
  type UsdPerHour,
} from '@kerf/apis'
import {
  type PriceBookSpec,
  parsePriceDocument,
  priceBookOrigin,
  priceBookSource,
  pricesInStatus,
} from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { type DeclaredPrice, DeclaredPrices, type PriceDiscount } from '@kerf/provider-contract'
import { SystemClock } from '@kerf/runtime'

const DAY: Milliseconds = 86_400_000

/** The instance type, capacity type and zone of an offering. */
export interface OfferingPlace {
  readonly instanceType: string
  readonly capacityType: string
  readonly zone: string
}

/** The source of the price of an offering. */
export interface PriceOrigin {
  readonly source: string
  /** The age of a declared price in days. */
  readonly ageDays?: number
}

/** The price book of a cluster. A command reads it once and uses it everywhere. */
export interface PlannedPrices {
  readonly spec: PriceBookSpec
  /** Returns the instance types with the declared prices. Returns the same list if no price changes. */
  apply(types: readonly InstanceType[]): readonly InstanceType[]
  /** Returns where the price of an offering comes from. `others` is the source of prices that are not declared. */
  originOf(offering: OfferingPlace, price: UsdPerHour | undefined, others: string): PriceOrigin
  /** Returns the declared price that applies to an offering. */
  find(offering: OfferingPlace): DeclaredPrice | undefined
  /** The declared prices. */
  readonly prices: readonly DeclaredPrice[]
  /** The problem with the source of the prices, if there is one. */
  readonly problem?: string
}

/** Returns whether the object is the ClusterPolicy that Kerf reads. */
export const isClusterPolicy = (object: KubeObject): object is ClusterPolicy =>
  object.kind === policyKinds.ClusterPolicy.kind &&
  object.apiVersion === groupVersion(policyKinds.ClusterPolicy) &&
  object.metadata.name === CLUSTER_POLICY

/** Returns the `priceBook` section with the defaults that the API server would set. */
const withDefaults = (spec: PriceBookSpec): PriceBookSpec =>
  spec.configMap === undefined
    ? spec
    : {
        ...spec,
        configMap: {
          ...spec.configMap,
          name: spec.configMap.name ?? PRICE_CONFIG_MAP,
          key: spec.configMap.key ?? PRICE_KEY,
        },
      }

/** Returns the text of a key of a ConfigMap, if the ConfigMap is among the objects. */
export const configMapText = (
  objects: readonly KubeObject[],
  { name, key }: { readonly name: string; readonly key: string },
): string | undefined => {
  const found = objects.findLast(
    ({ kind, apiVersion, metadata }) => kind === kinds.ConfigMap.kind && apiVersion === 'v1' && metadata.name === name,
  )
  const { data } = (found ?? {}) as { readonly data?: Readonly<Record<string, string>> }
  return ownValue(data ?? {}, key)
}

/**
 * Returns the price book of the ClusterPolicy among the objects, or undefined if there is none. The prices come from the ConfigMap if it is
 * among the objects. Otherwise they come from the status of the ClusterPolicy, where Kerf stores the prices that it uses.
 */
export const plannedPrices = (
  objects: readonly KubeObject[],
  now: Milliseconds = new SystemClock().now(),
  discounts: readonly PriceDiscount[] = [],
): PlannedPrices | undefined => {
  const policy = objects.findLast(isClusterPolicy)
  if (policy?.spec?.priceBook === undefined) return undefined
  const spec = withDefaults(policy.spec.priceBook)
  const read = (): { readonly prices: readonly DeclaredPrice[]; readonly problem?: string } => {
    const stored = pricesInStatus(policy)
    const text = spec.configMap === undefined ? undefined : configMapText(objects, spec.configMap)
    try {
      if (text !== undefined) return { prices: parsePriceDocument(text, spec, now) }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      return { prices: stored, problem: `price book: ${priceBookOrigin(spec)}: ${error.message}` }
    }
    if (policy.status?.priceBook !== undefined) return { prices: stored }
    const missing = `price book: ${priceBookOrigin(spec)} is not among the objects, and the status of the ClusterPolicy has no prices, so the prices of the cloud apply`
    return { prices: [], problem: missing }
  }
  const { prices, problem } = read()
  const store = new DeclaredPrices()
  store.replace(prices)
  if (discounts.length > 0) store.replaceDiscounts(discounts)
  const find = ({ instanceType, capacityType, zone }: OfferingPlace): DeclaredPrice | undefined =>
    store.find(instanceType, capacityType, zone)
  const source = priceBookSource(spec)
  return {
    spec,
    find,
    apply: (types) => store.apply(types),
    originOf: (offering, price, others) => {
      const declared = find(offering)
      if (declared === undefined) return { source: others }
      const ageDays = Math.max(0, Math.floor((now - declared.asOf) / DAY))
      return { source: declared.price === price ? source : `${source}, changed by a NodeOverlay`, ageDays }
    },
    prices,
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Returns the lines about the price book for users. */
export const priceBookNotes = (book: PlannedPrices | undefined): readonly string[] =>
  book?.problem === undefined ? [] : [book.problem]
