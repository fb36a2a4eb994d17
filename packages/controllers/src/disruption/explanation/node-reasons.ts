import type { Steps } from '@kerf/engine'
import { defineMetrics, type Metrics } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import { NODES_PER_TURN } from '../giving-way.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { budgetsByReason, upfrontBlocker } from './disruption-status.ts'

/** The label value for nodes without a blocker. Whether Kerf disrupts them depends only on prices and free capacity. */
const CANDIDATE = 'candidate'

export const nodeReasonMetrics = defineMetrics({
  gauge: {
    name: 'kerf_nodes_not_disrupted',
    type: 'gauge',
    help: 'Nodes by the first reason that blocks their disruption; candidate if only prices and free capacity decide.',
    labels: ['nodepool', 'reason'],
  },
})

/** Counts the nodes of each NodePool by blocker, so that users can alert on a rising count. */
export class NodeReasons {
  readonly #gauge
  #reported: ReadonlyMap<string, Readonly<Record<'nodepool' | 'reason', string>>> = new Map()

  constructor(metrics: Metrics) {
    this.#gauge = nodeReasonMetrics.register(metrics).gauge
  }

  /** Updates the counts from the nodes of a pass. Each step handles a few hundred nodes. */
  *report(pass: Pick<DisruptionPass, 'assessments' | 'budgets'>, state: ClusterState): Steps<void> {
    const budgets = budgetsByReason(pass)
    const counts = new Map<string, number>()
    const reported = new Map<string, Readonly<Record<'nodepool' | 'reason', string>>>()
    for (const [number, assessment] of pass.assessments.entries()) {
      if (number % NODES_PER_TURN === NODES_PER_TURN - 1) yield
      const { nodePool, claim } = assessment.state
      if (claim === undefined || nodePool === undefined) continue
      const labels = { nodepool: nodePool, reason: upfrontBlocker(assessment, state, budgets)?.code ?? CANDIDATE }
      const key = `${labels.nodepool} ${labels.reason}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      reported.set(key, labels)
    }
    for (const [key, labels] of this.#reported) if (!reported.has(key)) this.#gauge.remove(labels)
    for (const [key, labels] of reported) this.#gauge.set(counts.get(key) ?? 0, labels)
    this.#reported = reported
  }
}
