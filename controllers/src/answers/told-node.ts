import { type KnownObjects, type ReportedBlocker, reportBlocker, type UsdPerHour } from '@kerf/engine'
import type { Milliseconds } from '@kerf/runtime'
import type { MethodVerdict, NodeExplanation } from '../disruption/explanation/explain-node.ts'

/** `NodeExplanation` for readers who may not read every namespace. */
export interface ToldNode {
  readonly node: string
  readonly nodePool?: string
  readonly price?: UsdPerHour
  readonly underWay?: string
  readonly departure?: {
    readonly since: Milliseconds
    readonly deadline?: Milliseconds
    readonly waitsFor: readonly ReportedBlocker[]
  }
  readonly blockers: readonly ReportedBlocker[]
  readonly methods: readonly {
    readonly method: MethodVerdict['method']
    readonly blockers: readonly ReportedBlocker[]
    readonly move?: NonNullable<MethodVerdict['move']>
  }[]
}

/** Field by field, so that whatever an explanation comes to hold besides is not told before somebody decides so. */
export const tellNode = (explanation: NodeExplanation, known: KnownObjects): ToldNode => {
  const { node, nodePool, price, underWay, departure, blockers, methods } = explanation
  const tell = (each: readonly Parameters<typeof reportBlocker>[0][]): readonly ReportedBlocker[] =>
    each.map((blocker) => reportBlocker(blocker, known))
  return {
    node,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(price === undefined ? {} : { price }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(departure === undefined
      ? {}
      : {
          departure: {
            since: departure.since,
            ...(departure.deadline === undefined ? {} : { deadline: departure.deadline }),
            waitsFor: tell(departure.waitsFor),
          },
        }),
    blockers: tell(blockers),
    methods: methods.map(({ method, blockers: own, move }) => ({
      method,
      blockers: tell(own),
      ...(move === undefined ? {} : { move: { text: move.text, savings: move.savings } }),
    })),
  }
}
