import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  type CustomResource,
  decimal,
  enumField,
  listField,
  mapField,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
  yesNo,
} from '@kerf/apis/schema'
import { ORACLE_GROUP } from '../names.ts'
import { oracleKubelet } from './kubelet-fields.ts'
import { exactlyOne, freeformTags, namespaced, resourceFilter } from './oracle-selectors.ts'
import { oracleStatus } from './oracle-status.ts'
import { networkConfig } from './oracle-vnic-fields.ts'
import { volumeConfig } from './oracle-volume-fields.ts'

const shapeConfig = object(
  {
    baselineOcpuUtilization: optional(
      enumField(['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1'], {
        description: 'The share of the OCPUs that a burstable instance always has. Absent: not burstable.',
      }),
    ),
    ocpus: optional(decimal({ description: 'The number of OCPUs. Absent: the entry is not used.', minimum: 1 })),
    memoryInGbs: optional(
      decimal({ description: 'The memory in GB. Absent: the default of the shape for its OCPUs.', minimum: 1 }),
    ),
  },
  { description: 'One size of flexible shapes.' },
)

const capacityReservation = object(
  {
    capacityReservationId: optional(text({ description: 'The OCID of the capacity reservation.' })),
    capacityReservationFilter: resourceFilter('capacity reservation', { isChecked: true }),
  },
  {
    description: 'One capacity reservation.',
    rules: [exactlyOne('capacityReservationId', 'capacityReservationFilter')],
  },
)

const clusterPlacementGroup = object(
  {
    clusterPlacementGroupId: optional(text({ description: 'The OCID of the cluster placement group.' })),
    clusterPlacementGroupFilter: resourceFilter('cluster placement group', { isChecked: false }),
  },
  {
    description: 'One cluster placement group.',
    rules: [exactlyOne('clusterPlacementGroupId', 'clusterPlacementGroupFilter')],
  },
)

const IMMUTABLE = '"computeClusterConfig" cannot be changed or removed once it is set'

const computeCluster = object(
  {
    computeClusterId: optional(text({ description: 'The OCID of the compute cluster.' })),
    computeClusterFilter: resourceFilter('compute cluster', { isChecked: true }),
  },
  {
    description: 'The compute cluster in which all instances are launched. It cannot be changed once it is set.',
    rules: [{ rule: 'self == oldSelf', message: IMMUTABLE }, exactlyOne('computeClusterId', 'computeClusterFilter')],
  },
)

const launchOptions = object(
  {
    bootVolumeType: optional(
      text({ description: 'How the boot volume is attached: ISCSI, SCSI, IDE, VFIO or PARAVIRTUALIZED.' }),
    ),
    remoteDataVolumeType: optional(
      text({ description: 'How block volumes are attached: ISCSI, SCSI, IDE, VFIO or PARAVIRTUALIZED.' }),
    ),
    firmware: optional(text({ description: 'The firmware of the virtual machine: BIOS or UEFI_64.' })),
    networkType: optional(
      text({ description: 'How the network interface is emulated: VFIO, E1000 or PARAVIRTUALIZED.' }),
    ),
    consistentVolumeNamingEnabled: optional(
      yesNo({ description: 'Whether block volumes have consistent device names. Absent: no.' }),
    ),
  },
  { description: 'Options of the virtual machine. If an option is absent, the image decides.' },
)

const isSet = (list: string): string => `(has(self.${list}) && self.${list}.size() > 0 ? 1 : 0)`

const spec = object(
  {
    shapeConfigs: optional(
      listField(shapeConfig, {
        description: 'The sizes of flexible shapes. Absent: those of the setting FLEXIBLE_SHAPE_CONFIGS.',
        listType: 'atomic',
      }),
    ),
    nodeCompartmentId: optional(
      text({ description: 'The OCID of the compartment of the instances. Absent: that of the cluster.' }),
    ),
    volumeConfig,
    networkConfig,
    capacityReservationConfigs: optional(
      listField(capacityReservation, {
        description: 'The capacity reservations that nodes of the capacity type reserved use.',
        listType: 'atomic',
      }),
    ),
    clusterPlacementGroupConfigs: optional(
      listField(clusterPlacementGroup, {
        description: 'The cluster placement groups, at most one for each availability domain.',
        listType: 'atomic',
      }),
    ),
    computeClusterConfig: optional(computeCluster),
    metadata: optional(
      mapField(anyText(), {
        description: 'Metadata of the instances. The key user_data replaces the script that joins the cluster.',
      }),
    ),
    freeformTags: freeformTags('Free-form tags of the instances.'),
    definedTags: namespaced('Defined tags of the instances, by namespace and key.'),
    kubeletConfig: oracleKubelet(),
    preBootstrapInitScript: optional(
      text({ description: 'A script that runs before the node joins the cluster, in base64.' }),
    ),
    postBootstrapInitScript: optional(
      text({ description: 'A script that runs after the node has joined the cluster, in base64.' }),
    ),
    sshAuthorizedKeys: optional(
      listField(anyText(), { description: 'Public SSH keys of the instances.', listType: 'atomic' }),
    ),
    launchOptions: optional(launchOptions),
  },
  {
    description: 'The settings that instances are launched with.',
    rules: [
      {
        rule: `(${isSet('capacityReservationConfigs')} + ${isSet('clusterPlacementGroupConfigs')} + (has(self.computeClusterConfig) ? 1 : 0)) <= 1`,
        message:
          'at most one of "capacityReservationConfigs", "clusterPlacementGroupConfigs" and "computeClusterConfig" may be set',
      },
      {
        rule: '!has(oldSelf.computeClusterConfig) || (has(self.computeClusterConfig) && self.computeClusterConfig == oldSelf.computeClusterConfig)',
        message: IMMUTABLE,
      },
    ],
  },
)

export interface OracleNodeClassSpec extends Shape<typeof spec> {}
export interface OracleNodeClassStatus extends Shape<typeof oracleStatus> {}

/** OCINodeClass, the node class of oracle/karpenter-provider-oci (`providers/oci/docs/spec/oci.md#ocinodeclass-of-oracle`). */
export interface OracleNodeClass extends KubeObject {
  /** Optional, because the CRD does not require it. */
  readonly spec?: OracleNodeClassSpec
  readonly status?: OracleNodeClassStatus
}

export const oracleNodeClassResource: CustomResource<OracleNodeClass> = {
  kind: {
    group: ORACLE_GROUP,
    version: 'v1beta1',
    kind: 'OCINodeClass',
    plural: 'ocinodeclasses',
    namespaced: false,
  },
  singular: 'ocinodeclass',
  shortNames: ['ocinc', 'ocincs'],
  categories: ['karpenter'],
  description: 'An OCINodeClass has the settings of Oracle Cloud instances: images, networks, volumes.',
  printerColumns: [readyColumn, ageColumn],
  spec,
  specRequired: false,
  status: oracleStatus,
}

/** The group, version and names of OCINodeClass in the Kubernetes API. */
export const oracleNodeClassKind = oracleNodeClassResource.kind
