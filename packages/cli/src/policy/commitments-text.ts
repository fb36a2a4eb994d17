import { ownValue, type UsdPerHour } from '@kerf/apis'
import { amortisedPrice, type CommitmentUse, coversNow, unusedAmount, usedAmount } from '@kerf/controllers'
import { type Style, table } from '@kerf/provider-kit/terminal'
import type { PlannedCommitments } from '../plan/commitments.ts'
import { counted } from '../terminal/amounts.ts'

/** A prepaid commitment in the output of commands. */
export interface ExplainedCommitment {
  readonly name: string
  /**
   * Names of instance types. A name that ends with `*` stands for every type with that prefix. If absent, the commitment covers every
   * instance type.
   */
  readonly instanceTypes?: readonly string[]
  /** Absent: every zone. */
  readonly zone?: string
  readonly state: string
  /** The unit of `covers` and `used`: instances, normalizedUnits, vcpus or usdPerHour. */
  readonly unit: string
  readonly covers: number
  readonly used: number
  readonly unused: number
  /** The amortised price of everything that the commitment covers. Absent if the policy does not state it. */
  readonly amortised?: UsdPerHour
  /** The amortised price of the part that no node uses. */
  readonly unusedCost?: UsdPerHour
}

/** A discount in the output of `kerf policy explain`. */
export interface ExplainedDiscount {
  readonly name: string
  readonly factor: string
  readonly instanceTypes: readonly string[]
  readonly capacityTypes: readonly string[]
}

export const explainedUse = (use: CommitmentUse): ExplainedCommitment => {
  const { name, instanceTypes, zone, state, unit } = use.terms
  const covers = coversNow(use.terms)
  const unused = unusedAmount(use)
  const amortised = amortisedPrice(use.terms, covers)
  const unusedCost = amortisedPrice(use.terms, unused)
  return {
    name,
    ...(instanceTypes === undefined ? {} : { instanceTypes }),
    ...(zone === undefined ? {} : { zone }),
    ...{ state, unit, covers, used: usedAmount(use), unused },
    ...(amortised === undefined ? {} : { amortised }),
    ...(unusedCost === undefined ? {} : { unusedCost }),
  }
}

/** Returns the instance types of a commitment as one text. */
export const typesText = ({ instanceTypes }: ExplainedCommitment): string => instanceTypes?.join(', ') ?? 'every'

const UNITS: Readonly<Record<string, string>> = {
  normalizedUnits: ' units',
  vcpus: ' vCPUs',
  usdPerHour: ' $/h',
}

/** Returns an amount of a commitment with its unit. A number of instances has no unit. */
export const amountText = ({ unit }: ExplainedCommitment, amount: number): string =>
  `${Number(amount.toFixed(4))}${ownValue(UNITS, unit) ?? ''}`

export const explainedDiscounts = ({ specs }: PlannedCommitments): readonly ExplainedDiscount[] =>
  specs.flatMap(({ name, discount }) =>
    discount === undefined
      ? []
      : [
          {
            name,
            factor: discount.factor,
            instanceTypes: discount.instanceTypes ?? [],
            capacityTypes: discount.capacityTypes ?? ['on-demand'],
          },
        ],
  )

const priceText = (price: UsdPerHour | undefined): string => (price === undefined ? '-' : `$${price.toFixed(4)}/h`)

/** Returns the lines that show the commitments to people. */
export const commitmentLines = (planned: PlannedCommitments, style: Style): readonly string[] => {
  const uses = planned.uses.map(explainedUse)
  const discounts = explainedDiscounts(planned)
  const [head = '', ...rows] = table(
    uses,
    [
      { title: 'COMMITMENT', value: ({ name }) => name },
      { title: 'TYPES', value: typesText },
      { title: 'ZONE', value: ({ zone = 'every' }) => zone },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'COVERS', value: (each) => amountText(each, each.covers), align: 'right' },
      { title: 'USED', value: (each) => amountText(each, each.used), align: 'right' },
      { title: 'UNUSED', value: (each) => amountText(each, each.unused), align: 'right' },
      { title: 'UNUSED COST', value: ({ unusedCost }) => priceText(unusedCost), align: 'right' },
    ],
    style.width,
  )
  const discountLines = discounts.map(({ name, factor, instanceTypes, capacityTypes }) => {
    const types = instanceTypes.length === 0 ? 'every instance type' : instanceTypes.join(', ')
    return `Discount ${name}: ${factor} times the price of ${types}, ${capacityTypes.join(' and ')}`
  })
  return [
    style('bold', `ClusterPolicy default: ${counted(planned.specs.length, 'commitment')}`),
    ...(uses.length === 0 ? [] : ['', style('gray', head), ...rows]),
    ...(discountLines.length === 0 ? [] : ['', ...discountLines]),
  ]
}
