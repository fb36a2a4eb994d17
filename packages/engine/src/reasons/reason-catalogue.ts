import { detailTexts } from './detail-texts.ts'
import { cheapest, exceeded, prefix, suffix, text, together } from './reason-details.ts'
import { row } from './reason-row.ts'

// To add a reason, add a row to `reasonCatalogue`. Its type, the reference page, `kerf explain pod`, Events and the dashboard
// follow from the row. Its translations are in `packages/dashboard/plugin/src/locales/*/reasons.json`.

/** The numbers of offerings before and after the constraints of a pod. */
const COUNTS = ['offered', 'left'] as const

/** The reasons why a pod is pending, and why a NodePool, a node or an instance type was chosen or rejected for a pod. */
export const reasonCatalogue = {
  'access.namespace': row({
    when: 'A NodePoolPolicy opens the NodePool only to other namespaces, or the namespace of the pod is not known yet.',
    next: 'Use another NodePool, or ask the owner of the NodePoolPolicy to select the namespace.',
    sentence: (reason) => `${prefix(reason)}not open to pods of namespace ${text(reason, 'namespace')}`,
    publicDetails: COUNTS,
    ownDetails: ['namespace'],
  }),
  'access.scheduler': row({
    when: 'A NodePoolPolicy opens the NodePool only to pods of other schedulers.',
    next: 'Use another NodePool, or set spec.schedulerName of the pod to a name that the NodePoolPolicy lists.',
    sentence: (reason) => `${prefix(reason)}not open to pods of scheduler ${text(reason, 'schedulerName')}`,
    publicDetails: COUNTS,
    ownDetails: ['schedulerName'],
  }),
  ceiling: row({
    when: 'A new node would take the cluster over a ceiling of the ClusterPolicy.',
    next: 'Raise spec.ceilings of the ClusterPolicy, remove pods or nodes, or give the pod a PriorityClass with a higher value.',
    sentence: (reason) =>
      `${prefix(reason)}a new node would exceed the ceiling of the ClusterPolicy on ${text(reason, 'resource')}`,
    publicDetails: ['resource', ...COUNTS],
    ownDetails: [],
  }),
  'device.unavailable': row({
    when: 'Neither a free device nor a device of a new node matches the pod’s resource claim.',
    next: 'Compare the claim’s requests with the devices in the cluster’s ResourceSlices.',
    sentence: (reason) => `${prefix(reason)}no device for ${text(reason, 'request')} is available${suffix(reason)}`,
    publicDetails: COUNTS,
    ownDetails: ['request', 'problem'],
  }),
  'instance-type.none': row({
    when: 'Requirements, resources and offerings each leave some instance types, but no instance type satisfies all three.',
    next: 'Relax one of them; kerf explain pod shows how many offerings each constraint leaves.',
    sentence: (reason) =>
      `${prefix(reason)}no instance type meets requirements, resources and offering at once${suffix(reason)}`,
    publicDetails: COUNTS,
    ownDetails: ['problem'],
  }),
  'min-values.unmet': row({
    when: 'Fewer different values of a label are left than minValues requires.',
    next: 'Lower minValues of the NodePool, or widen its requirements.',
    sentence: (reason) =>
      `${prefix(reason)}minValues of ${text(reason, 'keys')} is not reached with ${text(reason, 'types', 'the')} instance types`,
    publicDetails: ['keys', 'types', ...COUNTS],
    ownDetails: [],
  }),
  'node.has-room': row({
    when: 'A node that exists, or is being launched, has enough free capacity for the pod.',
    next: 'Nothing: kube-scheduler binds the pod.',
    sentence: (reason) => `${prefix(reason)}has enough free capacity and came first in the order`,
    publicDetails: [],
    ownDetails: [],
  }),
  'nodepool.asleep': row({
    when: 'A NodePoolPolicy lets the NodePool sleep at this time, so it launches no node.',
    next: 'Wait until the NodePool wakes, or wake it with the annotation kerf.sh/awake-until.',
    sentence: (reason) => `${prefix(reason)}sleeps until ${text(reason, 'until')}`,
    publicDetails: ['until', ...COUNTS],
    ownDetails: [],
  }),
  'nodepool.catalogue-empty': row({
    when: 'The NodePool’s requirements leave no instance type at all.',
    next: 'Widen the requirements of the NodePool.',
    sentence: (reason) => `${prefix(reason)}no instance type is left${suffix(reason)}`,
    publicDetails: ['problem', ...COUNTS],
    ownDetails: [],
  }),
  'nodepool.limit': row({
    when: 'Every instance type would take the NodePool over one of its limits.',
    next: 'Raise spec.limits of the NodePool, or remove pods or nodes.',
    sentence: (reason) =>
      `${prefix(reason)}all instance types would exceed the limit${text(reason, 'resource') === '' ? '' : ` on ${text(reason, 'resource')}`}`,
    publicDetails: ['resource', ...COUNTS],
    ownDetails: [],
  }),
  'nodepool.node-limit': row({
    when: 'The NodePool has as many nodes as its limit allows.',
    next: 'Raise spec.limits.nodes of the NodePool.',
    sentence: (reason) => `${prefix(reason)}the limit on nodes is reached`,
    publicDetails: COUNTS,
    ownDetails: [],
  }),
  'nodepool.none': row({
    when: 'No NodePool can launch nodes.',
    next: 'Create a NodePool, or look at the Ready condition of the existing NodePools.',
    sentence: (reason) => `no NodePool can launch nodes${suffix(reason)}`,
    publicDetails: [],
    ownDetails: ['problem'],
  }),
  'nodepool.not-ready': row({
    when: 'The NodePool, or the node class that it names, is not ready.',
    next: 'Look at the conditions of the NodePool and of its node class.',
    sentence: (reason) => `${prefix(reason)}not ready${suffix(reason)}`,
    publicDetails: ['problem', ...COUNTS],
    ownDetails: [],
  }),
  'offering.unavailable': row({
    when: 'The suitable instance types are not offered in the allowed zones and capacity types, or had no capacity a few minutes ago.',
    next: 'Allow more zones, capacity types or instance types; Kerf tries an offering without capacity again after a few minutes.',
    sentence: (reason) => `${prefix(reason)}no offering is available${suffix(reason)}`,
    publicDetails: COUNTS,
    ownDetails: ['problem'],
  }),
  'pod.device-claim': row({
    when: 'The pod’s resource claim is missing or cannot be read.',
    next: 'Create or correct the ResourceClaim that the message names.',
    sentence: (reason) => `the pod cannot be planned${suffix(reason)}`,
    publicDetails: [],
    ownDetails: ['problem'],
  }),
  'pod.host-port-conflict': row({
    when: 'A host port of the pod is taken on the node.',
    next: 'Use another host port, or none.',
    sentence: (reason) => `${prefix(reason)}host port ${text(reason, 'port')} is taken`,
    publicDetails: [],
    ownDetails: ['port'],
  }),
  'pod.invalid': row({
    when: 'The pod has a field that Kerf cannot use.',
    next: 'Correct what the message names.',
    sentence: (reason) => `the pod cannot be planned${suffix(reason)}`,
    publicDetails: [],
    ownDetails: ['problem'],
  }),
  'price.cheapest': row({
    when: 'The instance type was chosen because it is the cheapest that meets all constraints.',
    next: 'Nothing.',
    sentence: cheapest,
    publicDetails: ['instanceType', 'zone', 'capacityType', 'types', 'pods'],
    ownDetails: [],
  }),
  'price.flexibility': row({
    when: 'Further instance types are left as launch options, in case the cheapest has no capacity.',
    next: 'Nothing.',
    sentence: (reason) =>
      `a cheaper choice would leave fewer than ${text(reason, 'types')} instance types to launch from`,
    publicDetails: ['types'],
    ownDetails: [],
  }),
  'requirement.label-unknown': row({
    when: 'The pod asks for a label that neither the NodePool nor its instance types define.',
    next: 'Correct the label in the pod, or add it to the NodePool’s template.',
    sentence: (reason) => `${prefix(reason)}label ${text(reason, 'key')} has no known values${text(reason, 'hint')}`,
    publicDetails: COUNTS,
    ownDetails: ['key', 'hint'],
  }),
  'requirement.unsatisfied': row({
    when: 'A label of the nodes does not have a value that the pod requires.',
    next: 'Change the pod’s node selector or affinity, or the requirements of the NodePool.',
    sentence: (reason) =>
      `${prefix(reason)}${text(reason, 'key', 'a label')} does not match: wanted ${text(reason, 'wanted')}, there is ${text(reason, 'found', 'nothing')}`,
    // `found` is the NodePool's requirement on the label.
    publicDetails: ['found', ...COUNTS],
    ownDetails: ['key', 'wanted'],
  }),
  'reservation.exhausted': row({
    when: 'The capacity reservation that the pod needs has no free instance.',
    next: 'Enlarge the reservation, or allow other capacity types.',
    sentence: (reason) =>
      `${prefix(reason)}the reserved capacity is taken by other nodes; the pod waits for the next round`,
    publicDetails: [],
    ownDetails: [],
  }),
  'resources.exceeded': row({
    when: 'Even the largest instance type has too little of a resource.',
    next: 'Lower the pod’s requests, or allow larger instance types.',
    sentence: (reason) => `${prefix(reason)}${exceeded(reason)}`,
    publicDetails: ['requested', 'available', 'short', 'largest', 'isAbsent', ...COUNTS],
    ownDetails: ['resource'],
  }),
  'taint.not-tolerated': row({
    when: 'The nodes have a taint that the pod does not tolerate.',
    next: 'Add a toleration to the pod, or take the taint off the NodePool.',
    sentence: (reason) => `${prefix(reason)}taint ${text(reason, 'taint')} is not tolerated`,
    publicDetails: ['taint', ...COUNTS],
    ownDetails: [],
  }),
  'topology.affinity': row({
    when: 'No pod that the pod affinity selects is in a domain that the pod can use.',
    next: 'Check the label selector of the pod affinity, and whether the selected pods run.',
    sentence: (reason) => {
      if (text(reason, 'with') !== '') return `${prefix(reason)}${detailTexts.affinity} and ${together(reason)}`
      const more =
        text(reason, 'elsewhere') === ''
          ? ''
          : '; such pods run elsewhere, so the exception for the first pod does not apply'
      return `${prefix(reason)}no ${text(reason, 'key')} that the pod can use has a pod that its affinity selects${more}`
    },
    publicDetails: ['maxSkew', 'with', 'elsewhere', ...COUNTS],
    ownDetails: ['key'],
  }),
  'topology.anti-affinity': row({
    when: 'Every domain that the pod can use has a pod that anti-affinity separates from it.',
    next: 'Allow more zones or nodes, or relax the anti-affinity.',
    sentence: (reason) =>
      text(reason, 'with') === ''
        ? `${prefix(reason)}every ${text(reason, 'key')} that the pod can use has a pod that anti-affinity separates from it`
        : `${prefix(reason)}${detailTexts.antiAffinity} and ${together(reason)}`,
    publicDetails: ['maxSkew', 'with', 'elsewhere', ...COUNTS],
    ownDetails: ['key'],
  }),
  'topology.spread': row({
    when: 'The pod would exceed the maxSkew of its topology spread constraint in every domain that it can use, sometimes because of another constraint that the message names.',
    next: 'Raise maxSkew, allow more domains, or use whenUnsatisfiable: ScheduleAnyway.',
    sentence: (reason) =>
      text(reason, 'with') === ''
        ? `${prefix(reason)}spread over ${text(reason, 'key')} would exceed a skew of ${text(reason, 'maxSkew')}`
        : `${prefix(reason)}${detailTexts.spread(text(reason, 'maxSkew'))} and ${together(reason)}`,
    publicDetails: ['maxSkew', 'with', 'elsewhere', ...COUNTS],
    ownDetails: ['key'],
  }),
  'volume.invalid': row({
    when: 'A volume of the pod cannot be used: its claim, class or volume is missing or wrong.',
    next: 'Correct what the message names.',
    sentence: (reason) => `a volume of the pod cannot be used${suffix(reason)}`,
    publicDetails: [],
    ownDetails: ['problem'],
  }),
  'volume.limit': row({
    when: 'The node cannot attach another volume of the driver.',
    next: 'Use instance types that attach more volumes, or fewer volumes in the pod.',
    sentence: (reason) => `${prefix(reason)}no more volumes of ${text(reason, 'driver')} can be attached`,
    publicDetails: ['driver'],
    ownDetails: [],
  }),
  'volume.topology': row({
    when: 'The pod’s volumes are in a zone where it cannot run.',
    next: 'Allow that zone in the NodePool, or move the volumes.',
    sentence: (reason) => `${prefix(reason)}the volumes are elsewhere${suffix(reason)}`,
    publicDetails: COUNTS,
    ownDetails: ['problem'],
  }),
} as const
