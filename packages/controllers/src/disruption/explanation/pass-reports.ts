import { karpenterKinds } from '@kerf/apis'
import { disruptionReasons, type Steps } from '@kerf/engine'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import { blockersFor } from '../candidates/assessment.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { NODES_PER_TURN } from '../giving-way.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { NodeReasons } from './node-reasons.ts'

export interface ReportDeps extends Pick<Deps, 'informers' | 'log' | 'metrics'> {
  readonly state: ClusterState
}

/** The Events and metrics in which blockers and budgets are reported. */
export interface ReportTargets {
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/** Reports the blockers of nodes and the remaining budgets as Events and metrics at the start of a pass. */
export class PassReports {
  readonly #deps: ReportDeps
  readonly #targets: ReportTargets
  readonly #reasons: NodeReasons
  /** The pools that currently have metric series. */
  readonly #measured = new Set<string>()

  constructor(deps: ReportDeps, targets: ReportTargets) {
    this.#deps = deps
    this.#targets = targets
    this.#reasons = new NodeReasons(deps.metrics)
  }

  /** Writes the reports. Each step handles a few hundred nodes. */
  *report(pass: DisruptionPass): Steps<void> {
    const { informers, state } = this.#deps
    const { events, metrics } = this.#targets
    for (const [number, assessment] of pass.assessments.entries()) {
      if (number % NODES_PER_TURN === NODES_PER_TURN - 1) yield
      const [blocker] = blockersFor(assessment, 'graceful')
      if (blocker !== undefined) events.blocked(assessment.state, blocker)
      events.protections(assessment.state, pass.now)
    }
    yield* this.#reasons.report(pass, state)
    for (const reason of disruptionReasons) this.#reportBudgets(pass.budgets(reason))
    for (const nodepool of this.#measured) {
      if (informers.of(karpenterKinds.NodePool).get(nodepool) !== undefined) continue
      metrics.allowed.remove({ nodepool })
      metrics.consuming.remove({ nodepool })
      this.#measured.delete(nodepool)
    }
  }

  #reportBudgets({ byPool, reason }: PoolBudgets): void {
    const { log } = this.#deps
    const { events, metrics } = this.#targets
    for (const [nodepool, { pool, allowance, disrupting, total }] of byPool) {
      metrics.allowed.set(allowance.allowed, { nodepool, reason })
      metrics.consuming.set(disrupting, { nodepool, reason })
      this.#measured.add(nodepool)
      const { error } = allowance
      // An invalid budget is reported even if the pool has no nodes yet.
      const isBlocking = total > 0 && allowance.allowed === 0
      if (isBlocking || error !== undefined) events.budgetBlocked(pool, reason, error)
      if (error !== undefined) {
        log.error('unable to evaluate disruption budgets', { NodePool: { name: nodepool }, error })
      }
    }
  }
}
