import type { ReasonCode } from '../reason.ts'
import type { ReasonDefinition } from './reason-definition.ts'

/** The reasons why a pod is pending, or why a NodePool, a node or an instance type was rejected for it. */
export const reasonCatalogue: Readonly<Record<ReasonCode, ReasonDefinition>> = {
  'device.unavailable': {
    when: 'No device that is free, or that a new node would have, matches the pod’s resource claim.',
    next: 'Compare the claim’s requests with the devices in the cluster’s ResourceSlices.',
  },
  'instance-type.none': {
    when: 'Each of requirements, resources and offerings leaves instance types, but none is left by all three together.',
    next: 'Relax one of them; kerf explain pod shows how many offerings each constraint leaves.',
  },
  'min-values.unmet': {
    when: 'Fewer different values of a label are left than minValues asks for.',
    next: 'Lower minValues of the NodePool, or widen its requirements.',
  },
  'node.has-room': {
    when: 'A node that exists, or is being launched, has enough free capacity for the pod.',
    next: 'Nothing: kube-scheduler binds the pod.',
  },
  'nodepool.catalogue-empty': {
    when: 'The NodePool’s requirements leave no instance type at all.',
    next: 'Widen the requirements of the NodePool.',
  },
  'nodepool.limit': {
    when: 'Every instance type would take the NodePool over one of its limits.',
    next: 'Raise spec.limits of the NodePool, or remove pods or nodes.',
  },
  'nodepool.node-limit': {
    when: 'The NodePool has as many nodes as its limit allows.',
    next: 'Raise spec.limits.nodes of the NodePool.',
  },
  'nodepool.none': {
    when: 'No NodePool can launch nodes.',
    next: 'Create a NodePool, or look at the condition Ready of those that exist.',
  },
  'nodepool.not-ready': {
    when: 'The NodePool, or the node class that it names, is not ready.',
    next: 'Look at the conditions of the NodePool and of its node class.',
  },
  'offering.unavailable': {
    when: 'The instance types that fit are not offered in the zones and capacity types that are allowed, or had no capacity a moment ago.',
    next: 'Allow more zones, capacity types or instance types; a lack of capacity is tried again after a few minutes.',
  },
  'pod.device-claim': {
    when: 'The pod’s resource claim is missing or cannot be read.',
    next: 'Create or correct the ResourceClaim that the message names.',
  },
  'pod.host-port-conflict': {
    when: 'A host port of the pod is taken on the node.',
    next: 'Use another host port, or none.',
  },
  'pod.invalid': {
    when: 'The pod cannot be planned as it is written.',
    next: 'Correct what the message names.',
  },
  'price.cheapest': {
    when: 'The instance type was chosen because it is the cheapest that meets all constraints.',
    next: 'Nothing.',
  },
  'price.flexibility': {
    when: 'Further instance types are left as launch options, in case the cheapest has no capacity.',
    next: 'Nothing.',
  },
  'requirement.label-unknown': {
    when: 'The pod asks for a label that neither the NodePool nor its instance types define.',
    next: 'Correct the label in the pod, or add it to the NodePool’s template.',
  },
  'requirement.unsatisfied': {
    when: 'A label has other values than the pod asks for.',
    next: 'Change the pod’s node selector or affinity, or the requirements of the NodePool.',
  },
  'reservation.exhausted': {
    when: 'The capacity reservation that the pod needs has no free instance.',
    next: 'Enlarge the reservation, or allow other capacity types.',
  },
  'resources.exceeded': {
    when: 'Even the largest instance type has too little of a resource.',
    next: 'Lower the pod’s requests, or allow larger instance types.',
  },
  'taint.not-tolerated': {
    when: 'The nodes have a taint that the pod does not tolerate.',
    next: 'Add a toleration to the pod, or take the taint off the NodePool.',
  },
  'topology.affinity': {
    when: 'No pod that the pod wants to be near to is anywhere it could run.',
    next: 'Check the label selector of the pod affinity, and whether those pods run.',
  },
  'topology.anti-affinity': {
    when: 'Every domain that the pod could use has a pod that it must stay away from.',
    next: 'Allow more zones or nodes, or relax the anti-affinity.',
  },
  'topology.spread': {
    when: 'The pod would make its topology spread more uneven than maxSkew allows, alone or together with the constraint that is named.',
    next: 'Raise maxSkew, allow more domains, or use whenUnsatisfiable: ScheduleAnyway.',
  },
  'volume.invalid': {
    when: 'A volume of the pod cannot be used: its claim, class or volume is missing or wrong.',
    next: 'Correct what the message names.',
  },
  'volume.limit': {
    when: 'The node cannot attach another volume of the driver.',
    next: 'Use instance types that attach more volumes, or fewer volumes in the pod.',
  },
  'volume.topology': {
    when: 'The pod’s volumes are in a zone where it cannot run.',
    next: 'Allow that zone in the NodePool, or move the volumes.',
  },
}
