/** Returns a node pool in the format of `oci ce node-pool get`: the fields of the API, with typical values. */
export const okePool = (
  name: string,
  more: {
    readonly pool?: object
    readonly details?: object
    readonly placement?: object
    readonly network?: object
    readonly nodes?: number
  } = {},
) => ({
  data: {
    ...{ id: `ocid1.nodepool.oc1.phx.aaaa${name}`, name, 'cluster-id': 'ocid1.cluster.oc1.phx.aaaacluster' },
    ...{ 'compartment-id': 'ocid1.compartment.oc1..aaaanodes', 'lifecycle-state': 'ACTIVE', nodes: [] },
    ...{ 'kubernetes-version': 'v1.34.1', 'node-shape': 'VM.Standard.E4.Flex' },
    'node-shape-config': { 'memory-in-gbs': 16.0, ocpus: 2.0 },
    'node-source': {
      ...{ 'image-id': 'ocid1.image.oc1.phx.aaaaoke', 'source-type': 'IMAGE' },
      'source-name': 'Oracle-Linux-8.10-2025.09.16-0-OKE-1.34.1-1191',
    },
    'node-source-details': {
      ...{ 'boot-volume-size-in-gbs': 100, 'image-id': 'ocid1.image.oc1.phx.aaaaoke', 'source-type': 'IMAGE' },
    },
    'node-config-details': {
      ...{ size: more.nodes ?? 3, 'nsg-ids': [], 'kms-key-id': '', 'is-pv-encryption-in-transit-enabled': false },
      ...{ 'defined-tags': {}, 'freeform-tags': {} },
      'node-pool-pod-network-option-details': { 'cni-type': 'FLANNEL_OVERLAY', ...more.network },
      'placement-configs': ['Uocm:PHX-AD-1', 'Uocm:PHX-AD-2'].map((domain) => ({
        ...{ 'availability-domain': domain, 'subnet-id': 'ocid1.subnet.oc1.phx.aaaanodes' },
        ...{ 'capacity-reservation-id': null, 'fault-domains': null, 'preemptible-node-config': null },
        ...more.placement,
      })),
      ...more.details,
    },
    ...{
      'initial-node-labels': [],
      'node-metadata': {},
      'ssh-public-key': '',
      'freeform-tags': {},
      'defined-tags': {},
    },
    ...more.pool,
  },
})

/** Part of the output of `oci ce cluster get`. */
export const okeCluster = {
  data: { id: 'ocid1.cluster.oc1.phx.aaaacluster', name: 'shop', 'lifecycle-state': 'ACTIVE' },
}

/** The fields of a node pool with preemptible instances, in the API's format. */
export const preemptible = {
  'preemptible-node-config': { 'preemption-action': { type: 'TERMINATE', 'is-preserve-boot-volume': false } },
}
