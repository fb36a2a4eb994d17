import { defineMetrics, type Metrics } from '@kerf/runtime'
import { amortisedPrice, type CommitmentUse, coversNow, unusedAmount } from '../../state/commitments/commitment-use.ts'

const byCommitment = ['commitment'] as const
const byUnit = ['commitment', 'unit'] as const

export const commitmentMetrics = defineMetrics({
  covered: {
    name: 'kerf_commitment_units',
    type: 'gauge',
    help: 'How much a prepaid commitment covers in this cluster. unit is instances, normalizedUnits, vcpus or usdPerHour. 0 before its start and after its end.',
    labels: byUnit,
  },
  unused: {
    name: 'kerf_commitment_unused_units',
    type: 'gauge',
    help: 'How much of it no node uses.',
    labels: byUnit,
  },
  unusedCost: {
    name: 'kerf_commitment_unused_usd_per_hour',
    type: 'gauge',
    help: 'The amortised price of what no node uses, in US dollars an hour. Absent if the commitment states no price.',
    labels: byCommitment,
  },
})

/** Reports the use of the prepaid commitments. */
export class CommitmentGauges {
  readonly #gauges
  /** The unit of each commitment that has metric series. */
  readonly #shown = new Map<string, string>()

  constructor(metrics: Metrics) {
    this.#gauges = commitmentMetrics.register(metrics)
  }

  show(uses: readonly CommitmentUse[]): void {
    const { covered, unused, unusedCost } = this.#gauges
    const units = new Map<string, string>(uses.map(({ terms }) => [terms.name, terms.unit]))
    for (const [commitment, unit] of [...this.#shown].filter(([name, unit]) => units.get(name) !== unit)) {
      for (const gauge of [covered, unused]) gauge.remove({ commitment, unit })
      unusedCost.remove({ commitment })
      this.#shown.delete(commitment)
    }
    for (const use of uses) {
      const { name: commitment, unit } = use.terms
      this.#shown.set(commitment, unit)
      covered.set(coversNow(use.terms), { commitment, unit })
      unused.set(unusedAmount(use), { commitment, unit })
      const cost = amortisedPrice(use.terms, unusedAmount(use))
      if (cost === undefined) unusedCost.remove({ commitment })
      else unusedCost.set(cost, { commitment })
    }
  }
}
