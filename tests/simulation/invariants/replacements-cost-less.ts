import { findCondition, karpenterKinds, type NodeClaim, type Pod } from '@kerf/apis'
import type { SimulatedRun } from '../runs/simulated-run.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

/** A consolidation: the nodes that it deletes, and the replacements that it launches. */
interface Move {
  readonly at: number
  /** The total price of the deleted nodes, in dollars per hour. */
  readonly price: number
  readonly replacements: Set<string>
}

/**
 * Reports whether prices can be compared in this run. Overlays change prices, and launches for a buffer or a static NodePool look like
 * replacements.
 */
const isClearRun = (run: SimulatedRun): boolean =>
  run.pools.every(({ spec }) => spec.replicas === undefined) &&
  ![
    ...run.objects,
    ...run.steps.flatMap((step) => ('action' in step && 'object' in step.action ? [step.action.object] : [])),
  ].some(({ kind }) => kind === 'NodeOverlay' || kind === 'CapacityBuffer')

/** The replacements of a consolidation cost less than the nodes that it deletes. */
export const replacementsCostLess: MakeInvariant = (environment, report) => {
  const claimPrice = (claim: NodeClaim): number | undefined => environment.priceOf(claim)
  const isClear = isClearRun(environment.run)
  /**
   * Keys of the DisruptionReason conditions that were already assigned to a consolidation: the NodeClaim's UID and the time of the
   * condition.
   */
  const used = new Set<string>()
  const moves: Move[] = []

  const closedNow = (): readonly NodeClaim[] =>
    environment.claims().filter((claim) => {
      const reason = findCondition(claim, 'DisruptionReason')
      if (reason?.status !== 'True' || reason.reason !== 'Underutilized') return false
      const mark = `${claim.metadata.uid} ${reason.lastTransitionTime}`
      if (used.has(mark)) return false
      used.add(mark)
      return claim.metadata.deletionTimestamp === undefined
    })

  const created = (name: string): void => {
    const at = environment.clock.monotonic()
    const closed = closedNow()
    // Nodes that are being deleted without a disruption reason. Pods on consolidated nodes do not count, because their replacements already
    // exist.
    const leaving = new Set(
      environment
        .claims()
        .filter((each) => findCondition(each, 'DisruptionReason')?.status !== 'True')
        .flatMap(({ metadata, status }) => (metadata.deletionTimestamp === undefined ? [] : [status?.nodeName])),
    )
    const isWaiting = ({ spec, status }: Pod): boolean =>
      spec.nodeName === undefined ? status?.phase === 'Pending' : leaving.has(spec.nodeName)
    const isAsked = environment.pods().some((pod) => isWaiting(pod) && !isOfDaemonSet(pod))
    // The launch may serve pods that are pending now or will be soon.
    if (isAsked || environment.processes.overlaps.near(at)) return
    const last = moves.at(-1)
    if (closed.length > 0) {
      moves.push({
        at,
        price: closed.reduce((sum, claim) => sum + (claimPrice(claim) ?? 0), 0),
        replacements: new Set([name]),
      })
    } else if (last?.at === at) last.replacements.add(name)
  }

  const launched = (name: string): void => {
    const move = moves.find(({ replacements }) => replacements.has(name))
    if (move === undefined) return
    const prices = environment
      .claims()
      .flatMap((claim) => (move.replacements.has(claim.metadata.name) ? (claimPrice(claim) ?? []) : []))
    if (prices.length < move.replacements.size) return
    moves.splice(moves.indexOf(move), 1)
    const price = prices.reduce((sum, each) => sum + each, 0)
    if (price >= move.price)
      report(
        `${[...move.replacements].join(', ')} for $${price.toFixed(4)} an hour replaces nodes for $${move.price.toFixed(4)}`,
      )
  }

  return {
    name: 'replacements-cost-less',
    acted: ({ verb, kind, ref }) => {
      if (!isClear || kind?.kind !== karpenterKinds.NodeClaim.kind || ref === undefined) return
      if (verb === 'create') created(ref.name)
      if (verb === 'patch') launched(ref.name)
    },
  }
}
