import type { KubeObject } from '@kerf/apis'
import { type Amounts, minus, parseAmounts, sum } from './amounts.ts'
import type { CatalogueEntry } from './documents.ts'
import { expressionHolds, type Labels, presentName } from './label-sets.ts'

export interface Offering {
  readonly zone: string
  readonly capacityType: string
  readonly price: number
}

export interface InstanceTypeRow {
  readonly name: string
  /** All labels that a node of this instance type has, except those of the offering. */
  readonly labels: Labels
  readonly capacity: Amounts
  readonly allocatable: Amounts
  readonly offerings: readonly Offering[]
}

export interface NodeOverlay extends KubeObject {
  readonly spec: {
    readonly requirements: readonly {
      readonly key: string
      readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte'
      readonly values?: readonly string[]
    }[]
    readonly weight?: number
    readonly price?: string
    readonly priceAdjustment?: string
    readonly capacity?: Readonly<Record<string, string>>
  }
}

const OVERHEAD = parseAmounts({ cpu: '100m', memory: '10Mi' })

const PREFIX = 'karpenter.kwok.sh/instance-'

const typeOf = ({ name, architecture, operatingSystems, resources, offerings }: CatalogueEntry): InstanceTypeRow => {
  const capacity = { ...parseAmounts({ pods: '110' }), ...parseAmounts(resources) }
  const cpu = resources['cpu'] ?? ''
  return {
    name,
    labels: {
      'node.kubernetes.io/instance-type': name,
      'kubernetes.io/arch': architecture,
      'kubernetes.io/os': operatingSystems[0] ?? 'linux',
      [`${PREFIX}family`]: name.split(/[.-]/)[0] ?? name,
      [`${PREFIX}size`]: /^[^.]+\.(.+)$/.exec(name)?.[1] ?? cpu,
      [`${PREFIX}cpu`]: cpu,
      [`${PREFIX}memory`]: resources['memory'] ?? '',
    },
    capacity,
    allocatable: minus(capacity, OVERHEAD),
    offerings: offerings.map(({ Price, Requirements }) => {
      const value = (key: string): string => Requirements.find((each) => each.key === key)?.values[0] ?? ''
      return {
        zone: value('topology.kubernetes.io/zone'),
        capacityType: value('karpenter.sh/capacity-type'),
        price: Price,
      }
    }),
  }
}

const adjusted = (price: number, { price: absolute, priceAdjustment }: NodeOverlay['spec']): number => {
  if (absolute !== undefined) return Number(absolute)
  if (priceAdjustment === undefined) return price
  const change = Number(priceAdjustment.replace('%', ''))
  return Math.max(0, priceAdjustment.endsWith('%') ? price * (1 + change / 100) : price + change)
}

export const offeringLabels = ({ zone, capacityType }: Offering): Labels => ({
  'topology.kubernetes.io/zone': zone,
  'karpenter.sh/capacity-type': capacityType,
})

/**
 * Returns the instance types in the file, changed by the overlays. If several overlays change the same value, the one with the highest
 * weight applies.
 */
export const buildInstanceTypes = (
  entries: readonly CatalogueEntry[],
  overlays: readonly NodeOverlay[],
  pool: Labels,
): readonly InstanceTypeRow[] => {
  const heaviestFirst = [...overlays].sort((a, b) => (b.spec.weight ?? 0) - (a.spec.weight ?? 0))
  return entries.map(typeOf).map((type) => {
    const applying = (labels: Labels) =>
      heaviestFirst.filter(({ spec }) =>
        spec.requirements.every((each) => expressionHolds(each, labels[presentName(each.key)])),
      )
    const offerings = type.offerings.map((offering) => {
      const priced = applying({ ...pool, ...type.labels, ...offeringLabels(offering) }).find(
        ({ spec }) => spec.price !== undefined || spec.priceAdjustment !== undefined,
      )
      return priced === undefined ? offering : { ...offering, price: adjusted(offering.price, priced.spec) }
    })
    const extra = [...applying({ ...pool, ...type.labels })].reverse().map(({ spec }) => parseAmounts(spec.capacity))
    const added = Object.assign({}, ...extra) as Amounts
    return { ...type, offerings, capacity: { ...type.capacity, ...added }, allocatable: sum(type.allocatable, added) }
  })
}
