import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  enumField,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
  yesNo,
} from '@kerf/apis/schema'
import { GCP_GROUP } from '../label-names.ts'
import { diskFields, SERVICE_ACCOUNT } from './disk-fields.ts'
import { gceNodeClassStatus } from './gce-node-class-status.ts'
import { imageSelectorTerms } from './image-selector-terms.ts'
import {
  instanceLabels,
  instanceMetadata,
  networkConfig,
  networkTags,
  RESOURCE_NAME,
  shieldedInstanceConfig,
} from './instance-fields.ts'
import { kubeletFields } from './kubelet-fields.ts'

const gceNodeClassSpec = object(
  {
    serviceAccount: optional(
      text({
        description:
          'The service account of the nodes. Absent: that of the setting `--default-nodepool-service-account`, otherwise the default service account of the project.',
        pattern: SERVICE_ACCOUNT,
      }),
    ),
    disks: diskFields(),
    imageSelectorTerms: imageSelectorTerms(),
    imageFamily: optional(
      enumField(['Ubuntu', 'ContainerOptimizedOS'], {
        description:
          'How nodes are started. Absent: as the first alias says, otherwise the first family. It selects no image.',
      }),
    ),
    subnetRangeName: optional(
      text({
        description: 'The secondary range of the subnetwork for pod addresses. Absent: the range of the cluster.',
        pattern: RESOURCE_NAME,
        minLength: 1,
        maxLength: 63,
      }),
    ),
    kubeletConfiguration: kubeletFields(),
    labels: instanceLabels(),
    metadata: instanceMetadata(),
    networkTags: networkTags(),
    shieldedInstanceConfig: shieldedInstanceConfig(),
    confidentialInstanceType: optional(
      enumField(['SEV', 'SEV_SNP', 'TDX'], {
        description: 'The technology that encrypts memory in use. Absent: none. Few machine families support it.',
      }),
    ),
    networkConfig: networkConfig(),
    autoGPUTaint: optional(
      yesNo({
        description: 'Whether nodes with GPUs get the taint nvidia.com/gpu=present:NoSchedule. Absent: no.',
      }),
    ),
    gpuDriverVersion: optional(
      enumField(['default', 'latest', 'disabled'], {
        description:
          'The NVIDIA driver that GKE installs: the recommended one, the newest one (ContainerOptimizedOS only) or none.',
        default: 'default',
      }),
    ),
  },
  { description: 'Launch configuration of the instances.' },
)

export interface GCENodeClassSpec extends Shape<typeof gceNodeClassSpec> {}
export interface GCENodeClassStatus extends Shape<typeof gceNodeClassStatus> {}

/** The node class of GKE nodes (`providers/gcp/docs/spec/gcp.md#api-object-gcenodeclass`). */
export interface GCENodeClass extends KubeObject {
  readonly spec?: GCENodeClassSpec
  readonly status?: GCENodeClassStatus
}

export const gceNodeClassResource: CustomResource<GCENodeClass> = {
  kind: {
    group: GCP_GROUP,
    version: 'v1alpha1',
    kind: 'GCENodeClass',
    plural: 'gcenodeclasses',
    namespaced: false,
  },
  singular: 'gcenodeclass',
  shortNames: ['gcenc', 'gcencs'],
  categories: ['karpenter'],
  description:
    'A GCENodeClass says how GKE nodes are launched: image, disks, service account, network, kubelet, labels.',
  printerColumns: [readyColumn, ageColumn],
  spec: gceNodeClassSpec,
  specRequired: false,
  status: gceNodeClassStatus,
}

/** The group, version and names of GCENodeClass in the Kubernetes API. */
export const gceNodeClassKind = gceNodeClassResource.kind
