/**
 * The reason why an option was rejected, as data. `code` is one of a closed set. `subject` names the object that refused,
 * such as `nodepool/general` or `node/ip-10-0-0-1`. `detail` has the values for the sentence. Only `sentenceOf` writes
 * sentences.
 */
export type ReasonCode =
  | 'pod.invalid'
  | 'pod.host-port-conflict'
  | 'pod.device-claim'
  | 'device.unavailable'
  | 'requirement.unsatisfied'
  | 'requirement.label-unknown'
  | 'taint.not-tolerated'
  | 'resources.exceeded'
  | 'offering.unavailable'
  | 'instance-type.none'
  | 'min-values.unmet'
  | 'topology.spread'
  | 'topology.affinity'
  | 'topology.anti-affinity'
  | 'volume.topology'
  | 'volume.limit'
  | 'volume.invalid'
  | 'nodepool.none'
  | 'nodepool.limit'
  | 'nodepool.node-limit'
  | 'nodepool.not-ready'
  | 'nodepool.catalogue-empty'
  | 'reservation.exhausted'
  | 'price.cheapest'
  | 'price.flexibility'
  | 'node.has-room'

export interface Reason {
  readonly code: ReasonCode
  readonly subject: string
  readonly detail: Readonly<Record<string, string | number | boolean | readonly string[]>>
}
