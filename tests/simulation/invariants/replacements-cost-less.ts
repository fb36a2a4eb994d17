import { findCondition, karpenterKinds, type NodeClaim, type Pod } from '@kerf/apis'
import type { SimulatedRun } from '../runs/simulated-run.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import { coveredByPlans, hourlyBill } from './hourly-bill.ts'
import type { MakeInvariant } from './invariant.ts'

/** A consolidation: the nodes that it deletes, and the replacements that it launches. */
interface Move {
  readonly at: number
  /** The claims of the deleted nodes. */
  readonly closed: readonly NodeClaim[]
  /** The names of the claims that stay. They matter because, with a savings plan, the price of a node depends on the other nodes. */
  readonly others: ReadonlySet<string>
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

/** How long a process may be unaware of a changed policy: a watch may lag by 30 s, and a call may be slow. */
const KNOWN_AFTER = 60_000

/**
 * A consolidation reduces the bill of the whole cluster. The prices of single nodes are not enough for this comparison, because an
 * on-demand node costs nothing extra until a savings plan is used up.
 */
export const replacementsCostLess: MakeInvariant = (environment, report) => {
  let plans = { covered: 0, since: Number.NEGATIVE_INFINITY }
  const notePlans = (now: number): void => {
    const covered = coveredByPlans(environment)
    if (covered !== plans.covered) plans = { covered, since: now }
  }
  /** Returns true if the savings plans changed so recently that Kerf may not know about the change. */
  const isPlanFresh = (now: number): boolean => now - plans.since < KNOWN_AFTER
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
    // These nodes are being deleted without a disruption reason. Pods on consolidated nodes do not count, because their replacements
    // already exist.
    const leaving = new Set(
      environment
        .claims()
        .filter((each) => findCondition(each, 'DisruptionReason')?.status !== 'True')
        .flatMap(({ metadata, status }) => (metadata.deletionTimestamp === undefined ? [] : [status?.nodeName])),
    )
    const isWaiting = ({ spec, status }: Pod): boolean =>
      spec.nodeName === undefined ? status?.phase === 'Pending' : leaving.has(spec.nodeName)
    const isAsked = environment.pods().some((pod) => isWaiting(pod) && !isOfDaemonSet(pod))
    // The launch may be for pods that are pending or will be pending soon, so it may not be part of a consolidation.
    if (isAsked || environment.processes.overlaps.near(at) || isPlanFresh(at)) return
    const last = moves.at(-1)
    if (closed.length > 0) {
      const others = environment
        .claims()
        .filter(
          (claim) =>
            claim.metadata.deletionTimestamp === undefined &&
            claim.metadata.name !== name &&
            findCondition(claim, 'DisruptionReason')?.status !== 'True',
        )
      moves.push({
        at,
        closed,
        others: new Set(plans.covered === 0 ? [] : others.map(({ metadata }) => metadata.name)),
        replacements: new Set([name]),
      })
    } else if (last?.at === at) last.replacements.add(name)
  }

  const launched = (name: string): void => {
    const move = moves.find(({ replacements }) => replacements.has(name))
    if (move === undefined) return
    const claims = environment.claims()
    const replacements = claims.filter(({ metadata }) => move.replacements.has(metadata.name))
    const others = claims.filter(
      ({ metadata }) => move.others.has(metadata.name) && !move.replacements.has(metadata.name),
    )
    const after = hourlyBill(environment, [...others, ...replacements])
    if (replacements.length < move.replacements.size || after === undefined) return
    moves.splice(moves.indexOf(move), 1)
    const before = hourlyBill(environment, [...others, ...move.closed])
    if (before !== undefined && after >= before && !isPlanFresh(environment.clock.monotonic()))
      report(
        `with ${[...move.replacements].join(', ')}, the bill is $${after.toFixed(4)} an hour, and $${before.toFixed(4)} with the nodes that it replaces`,
      )
  }

  return {
    name: 'replacements-cost-less',
    acted: ({ verb, kind, ref }) => {
      if (!isClear || kind?.kind !== karpenterKinds.NodeClaim.kind || ref === undefined) return
      notePlans(environment.clock.monotonic())
      if (verb === 'create') created(ref.name)
      if (verb === 'patch') launched(ref.name)
    },
  }
}
