import type { Pod } from '@kerf/apis'
import { type ReportedReason, reportReason } from '@kerf/engine'
import type { Decision, DecisionOf } from '../provisioning/decision.ts'

/** A decision without data of namespaced objects, for readers without access to all namespaces. Pods appear only by UID. */
export type ReportedDecision = DecisionOf<
  ReportedReason,
  { readonly pods: readonly string[] },
  { readonly pod: string }
>

/**
 * Converts the decision to its public form. `podAt` returns a pod by `namespace/name`. The result has no remedies, because a reader who may
 * read the pod can compute them.
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
      // If a newer pod has the same name, the reasons do not apply to it.
      const pod = found?.metadata.uid === decision.uid ? found : undefined
      return { kind, at, pod: decision.uid, reasons: decision.reasons.map((reason) => reportReason(reason, pod)) }
    }
  }
}
