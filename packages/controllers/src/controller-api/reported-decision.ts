import type { Pod } from '@kerf/apis'
import { type ReportedReason, reportReason } from '@kerf/engine'
import type { Decision, DecisionOf } from '../provisioning/decision.ts'

/** A decision, reduced for readers without access to every namespace. It identifies pods by UID only. */
export type ReportedDecision = DecisionOf<
  ReportedReason,
  { readonly pods: readonly string[] },
  { readonly pod: string }
>

/**
 * Returns the decision in its public form. `podAt` finds a pod by `namespace/name`. Remedies are left out: a reader who may read
 * the pod can compute them again from it.
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
      // A newer pod with the same name must not be combined with the reasons of this pod.
      const pod = found?.metadata.uid === decision.uid ? found : undefined
      return { kind, at, pod: decision.uid, reasons: decision.reasons.map((reason) => reportReason(reason, pod)) }
    }
  }
}
