import { expect, test } from 'vitest'
import { drafted } from '../../../../tests/integration/migrate/drafted.ts'
import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import { okeCluster, okePool, preemptible } from '../migrate/oke-pools.ts'

const web = okePool('web', {
  pool: {
    'initial-node-labels': [{ key: 'team', value: 'web' }],
    'ssh-public-key': 'ssh-ed25519 key',
    'freeform-tags': {
      'cluster-autoscaler/node-template/label/1': 'example.com/disk=fast',
      'cluster-autoscaler/node-template/taint/1': 'dedicated=web:NoSchedule',
      'cluster-autoscaler/node-template/autoscaling-options/scaledownunneededtime': '5m',
      'cluster-autoscaler/node-ephemeral-storage': '90Gi',
      owner: 'ops',
    },
    'node-metadata': {
      'kubelet-extra-args': '--v=4 --register-with-taints=team=web:NoExecute,other:PreferNoSchedule --pods-per-core=4',
      user_data: 'IyEvYmluL2Jhc2g=',
      mine: 'yes',
    },
  },
  details: {
    ...{ 'nsg-ids': ['ocid1.networksecuritygroup.oc1.phx.a'], 'kms-key-id': 'ocid1.key.oc1.phx.a' },
    ...{ 'is-pv-encryption-in-transit-enabled': true, 'defined-tags': { ops: { owner: 'web' } } },
  },
  network: {
    ...{ 'cni-type': 'OCI_VCN_IP_NATIVE', 'max-pods-per-node': 60, 'pod-nsg-ids': ['ocid1.networksecuritygroup.b'] },
    'pod-subnet-ids': ['ocid1.subnet.oc1.phx.aaaapods'],
  },
})

const fixed = okePool('fixed', {
  pool: { 'node-shape': 'VM.GPU.A10.1', 'node-shape-config': null, 'node-source': null },
  placement: { ...preemptible, 'capacity-reservation-id': 'ocid1.capacityreservation.oc1.phx.a' },
})

test('node pools become NodePools and OCINodeClasses', async () => {
  const { pools, classes, lines, plan } = await drafted([
    ...[okeCluster, web, fixed],
    autoscaler(['--cloud-provider=oci', '--nodes=1:9:ocid1.nodepool.oc1.phx.aaaaweb']),
  ])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['web', 'fixed'])
  const zones = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['PHX-AD-1', 'PHX-AD-2'] }
  expect(pools[0]?.spec).toMatchObject({
    template: {
      metadata: { labels: { team: 'web', 'example.com/disk': 'fast' } },
      spec: {
        nodeClassRef: { group: 'oci.oraclecloud.com', kind: 'OCINodeClass', name: 'web' },
        requirements: expect.arrayContaining([
          {
            key: 'node.kubernetes.io/instance-type',
            operator: 'In',
            values: ['VM.Standard.E4.Flex.2o.16g.1_1b'],
          },
          zones,
        ]),
        taints: expect.arrayContaining([
          { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
          { key: 'team', value: 'web', effect: 'NoExecute' },
          { key: 'other', effect: 'PreferNoSchedule' },
        ]),
      },
    },
    disruption: { consolidateAfter: '10m0s' },
    limits: { nodes: '9' },
  })
  expect(pools[1]?.spec.template.spec.taints).toEqual(
    expect.arrayContaining([
      { key: 'nvidia.com/gpu', effect: 'NoSchedule' },
      { key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' },
    ]),
  )
  expect(pools[1]?.spec.template.spec.requirements).toContainEqual({
    ...{ key: 'karpenter.sh/capacity-type', operator: 'In' },
    values: ['spot'],
  })
  const subnetConfig = { subnetId: 'ocid1.subnet.oc1.phx.aaaanodes' }
  const pods = {
    subnetConfig: { subnetId: 'ocid1.subnet.oc1.phx.aaaapods' },
    ipCount: 32,
    networkSecurityGroupConfigs: [{ networkSecurityGroupId: 'ocid1.networksecuritygroup.b' }],
  }
  expect(classes.map(({ spec }) => spec)).toEqual([
    {
      shapeConfigs: [{ ocpus: 2, memoryInGbs: 16 }],
      nodeCompartmentId: 'ocid1.compartment.oc1..aaaanodes',
      volumeConfig: {
        bootVolumeConfig: {
          imageConfig: { imageType: 'OKEImage', imageFilter: { osFilter: 'Oracle Linux', osVersionFilter: '8' } },
          sizeInGBs: 100,
          kmsKeyConfig: { kmsKeyId: 'ocid1.key.oc1.phx.a' },
          pvEncryptionInTransit: true,
        },
      },
      networkConfig: {
        primaryVnicConfig: {
          subnetConfig,
          networkSecurityGroupConfigs: [{ networkSecurityGroupId: 'ocid1.networksecuritygroup.oc1.phx.a' }],
        },
        // Sixty pods need two network interfaces of 31 pods.
        secondaryVnicConfigs: [pods, pods],
      },
      metadata: { mine: 'yes' },
      kubeletConfig: { maxPods: 60, extraArgs: '--v=4 --pods-per-core=4' },
      definedTags: { ops: { owner: 'web' } },
      sshAuthorizedKeys: ['ssh-ed25519 key'],
    },
    {
      nodeCompartmentId: 'ocid1.compartment.oc1..aaaanodes',
      volumeConfig: {
        bootVolumeConfig: {
          imageConfig: { imageType: 'OKEImage', imageId: 'ocid1.image.oc1.phx.aaaaoke' },
          sizeInGBs: 100,
        },
      },
      networkConfig: { primaryVnicConfig: { subnetConfig } },
      capacityReservationConfigs: [{ capacityReservationId: 'ocid1.capacityreservation.oc1.phx.a' }],
    },
  ])
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringContaining('OKE node pool web | nodeMetadata.user_data | not carried over'),
      expect.stringContaining('OKE node pool web | freeformTags.owner | not carried over'),
    ]),
  )
  const questions = plan.questions.map(({ object, message }) => `${object}: ${message}`)
  expect(questions).toContainEqual(
    expect.stringContaining('OKE node pool web: its nodes start with their own cloud-init'),
  )
  expect(questions).toContainEqual(expect.stringContaining('OKE node pool fixed: it uses capacity reservations'))
  expect(questions).toContainEqual(
    expect.stringContaining('OKE node pool fixed: no flag of Cluster Autoscaler finds it'),
  )
  const commands = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'by hand' ? step.commands : []))
  expect(commands).toContain('oci ce node-pool delete --node-pool-id ocid1.nodepool.oc1.phx.aaaaweb --force # web')
})

test('node pools that a flag discovers by tags get their maximum size from the flag', async () => {
  const tagged = okePool('tagged', { pool: { 'defined-tags': { ops: { autoscale: 'yes' } } } })
  const discovery = 'clusterId:ocid1.cluster.a,compartmentId:ocid1.b,nodepoolTags:ops.autoscale=yes,min:1,max:7'
  const { plan } = await drafted([
    ...[tagged, okePool('untagged')],
    autoscaler(['--cloud-provider=oci', `--node-group-auto-discovery=${discovery}`]),
  ])
  const questions = plan.questions.map(({ object, message }) => `${object}: ${message}`)
  expect(questions).toContainEqual(
    expect.stringContaining('OKE node pool tagged: --node-group-auto-discovery gives it at most 7 nodes'),
  )
  expect(questions).toContainEqual(expect.stringContaining('OKE node pool untagged: no flag of Cluster Autoscaler'))
})

test('a list of node pools, virtual node pools and truncated exports are reported', async () => {
  const { id, name } = okePool('a').data
  const { lines, pools } = await drafted([
    { data: [okePool('a').data, { id: 'ocid1.virtualnodepool.oc1.phx.a', 'display-name': 'virtual' }] },
    { data: { id: `${id}-cut`, name } },
  ])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['a'])
  expect(lines).toContainEqual(expect.stringContaining('its nodes are not instances'))
  expect(lines).toContainEqual(expect.stringContaining('the export is cut off'))
})

/** The output of `terraform show -json` with one node pool of the Terraform provider oracle/oci. */
const terraform = {
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [
        {
          address: 'oci_containerengine_node_pool.batch',
          mode: 'managed',
          type: 'oci_containerengine_node_pool',
          values: {
            ...{ id: 'ocid1.nodepool.oc1.phx.aaaabatch', name: 'batch', cluster_id: 'ocid1.cluster.oc1.phx.a' },
            ...{ compartment_id: 'ocid1.compartment.oc1..aaaanodes', kubernetes_version: 'v1.34.1', state: 'ACTIVE' },
            ...{ node_shape: 'VM.Standard.E5.Flex', node_shape_config: [{ memory_in_gbs: 24, ocpus: 2 }] },
            node_source_details: [
              { boot_volume_size_in_gbs: '80', image_id: 'ocid1.image.oc1.phx.a', source_type: 'IMAGE' },
            ],
            node_config_details: [
              {
                ...{ size: 4, nsg_ids: [], kms_key_id: '', is_pv_encryption_in_transit_enabled: false },
                ...{ defined_tags: { 'ops.owner': 'batch' }, freeform_tags: { 'Cost.Centre': '1' } },
                node_pool_pod_network_option_details: [{ cni_type: 'FLANNEL_OVERLAY', max_pods_per_node: 0 }],
                placement_configs: [
                  {
                    ...{ availability_domain: 'Uocm:PHX-AD-3', subnet_id: 'ocid1.subnet.oc1.phx.aaaanodes' },
                    ...{ capacity_reservation_id: '', fault_domains: [] },
                    preemptible_node_config: [
                      { preemption_action: [{ type: 'TERMINATE', is_preserve_boot_volume: false }] },
                    ],
                  },
                ],
              },
            ],
            ...{ initial_node_labels: [{ key: 'team', value: 'batch' }], node_metadata: {}, ssh_public_key: '' },
            ...{ freeform_tags: {}, defined_tags: {}, nodes: [], timeouts: null, quantity_per_subnet: 0 },
          },
        },
      ],
    },
  },
}

test('node pools from Terraform equal those from the API', async () => {
  const { pools, classes, lines } = await drafted([terraform])
  expect(pools[0]?.spec.template).toMatchObject({
    metadata: { labels: { team: 'batch' } },
    spec: {
      taints: expect.arrayContaining([{ key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' }]),
    },
  })
  expect(classes[0]?.spec).toEqual({
    shapeConfigs: [{ ocpus: 2, memoryInGbs: 24 }],
    nodeCompartmentId: 'ocid1.compartment.oc1..aaaanodes',
    volumeConfig: {
      bootVolumeConfig: {
        imageConfig: { imageType: 'OKEImage', imageId: 'ocid1.image.oc1.phx.a' },
        sizeInGBs: 80,
      },
    },
    networkConfig: { primaryVnicConfig: { subnetConfig: { subnetId: 'ocid1.subnet.oc1.phx.aaaanodes' } } },
    definedTags: { ops: { owner: 'batch' } },
    freeformTags: { 'Cost.Centre': '1' },
  })
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
})
