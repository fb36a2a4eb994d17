import type { Pod } from '@kerf/apis'
import { type ReportedReason, reportReason } from '@kerf/engine'
import type { Decision, DecisionOf } from '../provisioning/decision.ts'

/** A decision for readers without access to every namespace. It contains only the UIDs of pods. */
export type ReportedDecision = DecisionOf<
  ReportedReason,
  { readonly pods: readonly string[] },
  { readonly pod: string }
>

/**
 * Returns the decision in its public form. `podAt` finds a pod by `namespace/name`. Leaves out remedies, because a reader who may read the
 * pod can compute them.
 */
export const reportDecision = (decision: Decision, podAt: (key: string) => Pod | undefined): ReportedDecision => {
  const { kind, at } = decision
  switch (kind) {
    case 'launch': {
      const { nodeClaim, nodePool, instanceTypes, uids, reasons } = decision
      const { instanceType, zone, capacityType, price } = decision.cheapest
      return {
        kind,
        at,
        nodeClaim,
        nodePool,
        cheapest: { instanceType, zone, capacityType, price },
        instanceTypes,
        pods: uids,
        reasons: reasons.map((reason) => reportReason(reason, undefined)),
      }
    }
    case 'place':
      return { kind, at, node: decision.node, pods: decision.uids }
    case 'refuse': {
      const found = podAt(decision.pod)
      // The reasons must not be combined with a newer pod of the same name.
      const pod = found?.metadata.uid === decision.uid ? found : undefined
      return { kind, at, pod: decision.uid, reasons: decision.reasons.map((reason) => reportReason(reason, pod)) }
    }
  }
}
