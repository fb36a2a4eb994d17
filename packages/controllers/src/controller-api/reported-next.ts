import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { type DisruptionReason, type KnownObjects, type ReportedBlocker, reportBlocker } from '@kerf/engine'
import type { NextMoves, StartedMove } from '../disruption/explanation/next-moves.ts'
import type { UnusedClaim } from '../provisioning/expected-pods/unused-claims.ts'

/** `NextMoves` without data of namespaced objects, for readers without access to all namespaces. */
export interface NextResponse {
  readonly at: Milliseconds
  readonly started: readonly StartedMove[]
  readonly awaited: readonly {
    readonly node: string
    readonly nodeClaim: string
    readonly nodePool: string
    readonly reason: DisruptionReason
    readonly blocker?: ReportedBlocker
    readonly savings?: UsdPerHour
  }[]
  /** NodeClaims that Kerf launched for expected pods and that no pod uses. Absent with `PLAN_EXPECTED_PODS=off`. */
  readonly unused?: readonly UnusedClaim[]
}

/** Converts to the public form. Copies the fields one by one, so that a new field is not published by accident. */
export const reportNext = (
  { at, started, awaited }: NextMoves,
  known: KnownObjects,
  unused?: readonly UnusedClaim[],
): NextResponse => ({
  at,
  started: started.map(({ method, reason, nodes, nodeClaims, text, savings }) => ({
    ...{ method, reason, nodes, nodeClaims, text },
    ...(savings === undefined ? {} : { savings }),
  })),
  awaited: awaited.map(({ node, nodeClaim, nodePool, reason, blocker, savings }) => ({
    ...{ node, nodeClaim, nodePool, reason },
    ...(blocker === undefined ? {} : { blocker: reportBlocker(blocker, known) }),
    ...(savings === undefined ? {} : { savings }),
  })),
  ...(unused === undefined
    ? {}
    : { unused: unused.map(({ nodeClaim, nodePool, at: from }) => ({ nodeClaim, nodePool, at: from })) }),
})
