import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { type KnownObjects, type ReportedBlocker, reportBlocker } from '@kerf/engine'
import type { MethodVerdict, NodeExplanation } from '../disruption/explanation/explain-node.ts'

/** Why the termination of a node has not ended yet. */
interface ReportedTermination {
  readonly since: Milliseconds
  readonly deadline?: Milliseconds
  readonly waitsFor: readonly ReportedBlocker[]
}

/** `NodeExplanation` without data of namespaced objects, for readers without access to all namespaces. */
export interface ReportedNode {
  readonly node: string
  readonly nodePool?: string
  readonly price?: UsdPerHour
  readonly underWay?: string
  readonly termination?: ReportedTermination
  /** The old name of `termination`, with the same value. */
  readonly departure?: ReportedTermination
  readonly blockers: readonly ReportedBlocker[]
  readonly methods: readonly {
    readonly method: MethodVerdict['method']
    readonly blockers: readonly ReportedBlocker[]
    readonly move?: NonNullable<MethodVerdict['move']>
  }[]
}

const reportMove = ({ text, savings }: NonNullable<MethodVerdict['move']>): NonNullable<MethodVerdict['move']> => ({
  text,
  ...(savings === undefined ? {} : { savings }),
})

/** Converts to the public form. Copies the fields one by one, so that a new field of `NodeExplanation` is not published by accident. */
export const reportNode = (explanation: NodeExplanation, known: KnownObjects): ReportedNode => {
  const { node, nodePool, price, underWay, termination, blockers, methods } = explanation
  const report = (each: readonly Parameters<typeof reportBlocker>[0][]): readonly ReportedBlocker[] =>
    each.map((blocker) => reportBlocker(blocker, known))
  const reported: ReportedTermination | undefined = termination && {
    since: termination.since,
    ...(termination.deadline === undefined ? {} : { deadline: termination.deadline }),
    waitsFor: report(termination.waitsFor),
  }
  return {
    node,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(price === undefined ? {} : { price }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(reported === undefined ? {} : { termination: reported, departure: reported }),
    blockers: report(blockers),
    methods: methods.map(({ method, blockers: own, move }) => ({
      method,
      blockers: report(own),
      ...(move === undefined ? {} : { move: reportMove(move) }),
    })),
  }
}
