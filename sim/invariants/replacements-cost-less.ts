import { findCondition, karpenterKinds, type NodeClaim, type Pod } from '@kerf/apis'
import type { SimulatedRun } from '../runs/simulated-run.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

/** Nodes that a consolidation deletes, and what it launches to replace them. */
interface Move {
  readonly at: number
  /** Dollars an hour of the nodes that are deleted. */
  readonly price: number
  readonly replacements: Set<string>
}

/** Overlays change prices, and a launch for a capacity buffer or a static NodePool looks like a replacement. */
const isClearRun = (run: SimulatedRun): boolean =>
  run.pools.every(({ spec }) => spec.replicas === undefined) &&
  ![
    ...run.objects,
    ...run.steps.flatMap((step) => ('action' in step && 'object' in step.action ? [step.action.object] : [])),
  ].some(({ kind }) => kind === 'NodeOverlay' || kind === 'CapacityBuffer')

/** What a consolidation launches costs less than what it deletes. */
export const replacementsCostLess: MakeInvariant = (environment, report) => {
  const priceOf = (claim: NodeClaim): number | undefined => environment.priceOf(claim)
  const isClear = isClearRun(environment.run)
  /** DisruptionReason conditions that already belong to a move: the claim, and when the condition was set. */
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
    // What consolidation itself takes has its replacements already.
    const leaving = new Set(
      environment
        .claims()
        .filter((each) => findCondition(each, 'DisruptionReason')?.status !== 'True')
        .flatMap(({ metadata, status }) => (metadata.deletionTimestamp === undefined ? [] : [status?.nodeName])),
    )
    const isWaiting = ({ spec, status }: Pod): boolean =>
      spec.nodeName === undefined ? status?.phase === 'Pending' : leaving.has(spec.nodeName)
    const isAsked = environment.pods().some((pod) => isWaiting(pod) && !isOfDaemonSet(pod))
    // The launch may be for pods that are pending, or will be, or for both.
    if (isAsked || environment.processes.overlaps.near(at)) return
    const last = moves.at(-1)
    if (closed.length > 0) {
      moves.push({
        at,
        price: closed.reduce((sum, claim) => sum + (priceOf(claim) ?? 0), 0),
        replacements: new Set([name]),
      })
    } else if (last?.at === at) last.replacements.add(name)
  }

  const launched = (name: string): void => {
    const move = moves.find(({ replacements }) => replacements.has(name))
    if (move === undefined) return
    const prices = environment
      .claims()
      .flatMap((claim) => (move.replacements.has(claim.metadata.name) ? (priceOf(claim) ?? []) : []))
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
