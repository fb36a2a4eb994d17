import type { Pod } from '@kerf/apis'
import { type ReportedReason, reportReason } from '@kerf/engine'
import type { Decision, DecisionOf } from '../provisioning/decision.ts'

/** A decision for readers who may not read every namespace: pods by uid. */
export type ReportedDecision = DecisionOf<
  ReportedReason,
  { readonly pods: readonly string[] },
  { readonly pod: string }
>

/**
 * `podAt` finds a pod by `namespace/name`. Remedies are left out: each is a sentence about the pod alone, and the reader of
 * the pod makes it again.
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
      // Another pod of the same name says nothing about this one.
      const pod = found?.metadata.uid === decision.uid ? found : undefined
      return { kind, at, pod: decision.uid, reasons: decision.reasons.map((reason) => reportReason(reason, pod)) }
    }
  }
}
