import type { UsdPerHour } from '@kerf/apis'
import { type CommitmentUse, coversNow, unusedInstances, usedInstances } from '@kerf/controllers'
import { type Style, table } from '@kerf/provider-kit/terminal'
import type { PlannedCommitments } from '../plan/commitments.ts'
import { counted } from '../terminal/amounts.ts'

/** A prepaid commitment in the output of commands. */
export interface ExplainedCommitment {
  readonly name: string
  readonly instanceType: string
  /** Absent: every zone. */
  readonly zone?: string
  readonly state: string
  readonly covers: number
  readonly used: number
  readonly unused: number
  /** The amortised price of one instance. Absent if the policy does not state it. */
  readonly usdPerHour?: UsdPerHour
}

/** A discount in the output of `kerf policy explain`. */
export interface ExplainedDiscount {
  readonly name: string
  readonly factor: string
  readonly instanceTypes: readonly string[]
  readonly capacityTypes: readonly string[]
}

export const explainedUse = (use: CommitmentUse): ExplainedCommitment => {
  const { name, instanceType, zone, state, usdPerHour } = use.terms
  return {
    ...{ name, instanceType },
    ...(zone === undefined ? {} : { zone }),
    ...{ state, covers: coversNow(use.terms), used: usedInstances(use), unused: unusedInstances(use) },
    ...(usdPerHour === undefined ? {} : { usdPerHour }),
  }
}

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

const amount = (price: UsdPerHour | undefined, instances: number): string =>
  price === undefined ? '-' : `$${(price * instances).toFixed(4)}/h`

/** Returns the lines that show the commitments to people. */
export const commitmentLines = (planned: PlannedCommitments, style: Style): readonly string[] => {
  const uses = planned.uses.map(explainedUse)
  const discounts = explainedDiscounts(planned)
  const [head = '', ...rows] = table(
    uses,
    [
      { title: 'COMMITMENT', value: ({ name }) => name },
      { title: 'TYPE', value: ({ instanceType }) => instanceType },
      { title: 'ZONE', value: ({ zone = 'every' }) => zone },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'COVERS', value: ({ covers }) => String(covers), align: 'right' },
      { title: 'USED', value: ({ used }) => String(used), align: 'right' },
      { title: 'UNUSED', value: ({ unused }) => String(unused), align: 'right' },
      { title: 'UNUSED COST', value: ({ usdPerHour, unused }) => amount(usdPerHour, unused), align: 'right' },
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
