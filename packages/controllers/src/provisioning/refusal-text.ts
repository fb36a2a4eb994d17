import type { RefusedPod } from '../pod/placement/refused-pods.ts'

/**
 * Returns the sentence about a pod that kube-scheduler refuses on the nodes that Kerf chose for it
 * (`docs/spec/pending-pods.md#pods-that-kube-scheduler-refuses-on-their-node`). The text remains the same until the next refusal.
 */
export const refusalText = ({ refusals, node, message, pausedUntil }: RefusedPod): string =>
  `kube-scheduler rejected the pod ${refusals} times on a ready node that has room for it by Kerf's rules, last on node "${node}": ${message === '' ? 'it gave no reason' : `"${message}"`}; Kerf launches no node for the pod until ${new Date(pausedUntil).toISOString()}; compare the pod with the profile, plugins and extenders of its scheduler`
