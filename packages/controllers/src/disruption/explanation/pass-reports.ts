import { karpenterKinds } from '@kerf/apis'
import { disruptionReasons, type Steps } from '@kerf/engine'
import type { Logger } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import { blockersFor } from '../candidates/assessment.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { NODES_PER_TURN } from '../giving-way.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { NodeReasons } from './node-reasons.ts'

export interface ReportParts {
  readonly deps: Deps
  readonly state: ClusterState
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
  readonly log: Logger
}

/** Reports blockers of nodes and budgets in Events and metrics, at the start of a pass. */
export class PassReports {
  readonly #parts: ReportParts
  readonly #reasons: NodeReasons
  /** Pools with their own series. */
  readonly #measured = new Set<string>()

  constructor(parts: ReportParts) {
    this.#parts = parts
    this.#reasons = new NodeReasons(parts.deps.metrics)
  }

  /** Reports a few hundred nodes per step. */
  *report(pass: DisruptionPass): Steps<void> {
    const { deps, state, events, metrics } = this.#parts
    for (const [number, assessment] of pass.assessments.entries()) {
      if (number % NODES_PER_TURN === NODES_PER_TURN - 1) yield
      const [blocker] = blockersFor(assessment, 'graceful')
      if (blocker !== undefined) events.blocked(assessment.state, blocker)
      events.protections(assessment.state, pass.now)
    }
    yield* this.#reasons.report(pass, state)
    for (const reason of disruptionReasons) this.#reportBudgets(pass.budgets(reason))
    for (const nodepool of this.#measured) {
      if (deps.informers.of(karpenterKinds.NodePool).get(nodepool) !== undefined) continue
      metrics.allowed.remove({ nodepool })
      metrics.consuming.remove({ nodepool })
      this.#measured.delete(nodepool)
    }
  }

  #reportBudgets({ byPool, reason }: PoolBudgets): void {
    const { events, metrics, log } = this.#parts
    for (const [nodepool, { pool, allowance, disrupting, total }] of byPool) {
      metrics.allowed.set(allowance.allowed, { nodepool, reason })
      metrics.consuming.set(disrupting, { nodepool, reason })
      this.#measured.add(nodepool)
      const { error } = allowance
      // An invalid budget is reported even before the pool has nodes.
      const isBlocking = total > 0 && allowance.allowed === 0
      if (isBlocking || error !== undefined) events.budgetBlocked(pool, reason, error)
      if (error !== undefined) {
        log.error('unable to evaluate disruption budgets', { NodePool: { name: nodepool }, error })
      }
    }
  }
}
