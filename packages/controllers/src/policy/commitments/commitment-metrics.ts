import { defineMetrics, type Metrics } from '@kerf/runtime'
import { type CommitmentUse, coversNow, unusedInstances } from '../../state/commitments/commitment-use.ts'

const byCommitment = ['commitment'] as const

export const commitmentMetrics = defineMetrics({
  instances: {
    name: 'kerf_commitment_instances',
    type: 'gauge',
    help: 'How many instances a prepaid commitment covers in this cluster. 0 before its start and after its end.',
    labels: byCommitment,
  },
  unused: {
    name: 'kerf_commitment_unused_instances',
    type: 'gauge',
    help: 'How many of these instances no node uses.',
    labels: byCommitment,
  },
  unusedCost: {
    name: 'kerf_commitment_unused_usd_per_hour',
    type: 'gauge',
    help: 'The amortised price of the instances that no node uses, in US dollars an hour. Absent if the commitment states no price.',
    labels: byCommitment,
  },
})

/** Reports the use of the prepaid commitments. */
export class CommitmentGauges {
  readonly #gauges
  readonly #shown = new Set<string>()

  constructor(metrics: Metrics) {
    this.#gauges = commitmentMetrics.register(metrics)
  }

  show(uses: readonly CommitmentUse[]): void {
    const { instances, unused, unusedCost } = this.#gauges
    const names = new Set(uses.map(({ terms }) => terms.name))
    for (const commitment of [...this.#shown].filter((name) => !names.has(name))) {
      for (const gauge of [instances, unused, unusedCost]) gauge.remove({ commitment })
      this.#shown.delete(commitment)
    }
    for (const use of uses) {
      const { name: commitment, usdPerHour } = use.terms
      this.#shown.add(commitment)
      instances.set(coversNow(use.terms), { commitment })
      unused.set(unusedInstances(use), { commitment })
      if (usdPerHour === undefined) unusedCost.remove({ commitment })
      else unusedCost.set(unusedInstances(use) * usdPerHour, { commitment })
    }
  }
}
