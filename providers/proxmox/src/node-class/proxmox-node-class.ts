import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  listField,
  mapField,
  object,
  optional,
  quantity,
  readyColumn,
  type Shape,
} from '@kerf/apis/schema'
import { PROXMOX_GROUP } from '../label-names.ts'
import {
  bootDevice,
  instanceTemplateRef,
  metadataOptions,
  placementStrategy,
  region,
  resourcePool,
  securityGroups,
  tags,
} from './class-fields.ts'
import { kubeletConfiguration } from './kubelet-fields.ts'

const proxmoxNodeClassSpec = object(
  {
    region: region('The Proxmox cluster of the guests, as CLOUD_CONFIG names it. Absent: every cluster.'),
    placementStrategy: placementStrategy(),
    instanceTemplateRef: instanceTemplateRef(),
    kubeletConfiguration: kubeletConfiguration(),
    bootDevice: bootDevice(),
    tags: tags('Tags of the guests. An edit changes running guests.'),
    metadataOptions: metadataOptions(),
    securityGroups: securityGroups(),
    resourcePool: resourcePool(
      'The resource pool of the guests, of up to three levels. It must exist. An edit changes running guests.',
    ),
  },
  { description: 'The settings that guests are launched with.' },
)

const proxmoxNodeClassStatus = object(
  {
    // Like Karpenter's CRD, the schema accepts duplicate condition types.
    conditions: optional(atomicConditions()),
    resources: optional(mapField(quantity(), { description: 'The number of zones that were found.' })),
    selectedZones: optional(
      listField(anyText(), {
        description: 'The hypervisors with the template, each as REGION/HYPERVISOR/TEMPLATE.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'What the class selects in Proxmox.' },
)

export interface ProxmoxNodeClassSpec extends Shape<typeof proxmoxNodeClassSpec> {}
export interface ProxmoxNodeClassStatus extends Shape<typeof proxmoxNodeClassStatus> {}

/** The node class of Proxmox guests (`providers/proxmox/docs/spec/proxmox.md#proxmoxnodeclass`). */
export interface ProxmoxNodeClass extends KubeObject {
  /** Optional like in the CRD of Karpenter's provider, although a class without a spec selects nothing. */
  readonly spec?: ProxmoxNodeClassSpec
  readonly status?: ProxmoxNodeClassStatus
}

export const proxmoxNodeClassResource: CustomResource<ProxmoxNodeClass> = {
  kind: {
    group: PROXMOX_GROUP,
    version: 'v1alpha1',
    kind: 'ProxmoxNodeClass',
    plural: 'proxmoxnodeclasses',
    namespaced: false,
  },
  singular: 'proxmoxnodeclass',
  shortNames: [],
  categories: ['karpenter'],
  description: 'A ProxmoxNodeClass has the settings of Proxmox guests: template, disk, tags, security groups, pool.',
  printerColumns: [
    { name: 'Zones', type: 'string', jsonPath: '.status.resources.zones' },
    { name: 'Balance', type: 'string', jsonPath: '.spec.placementStrategy.zoneBalance' },
    { name: 'Template', type: 'string', jsonPath: '.spec.instanceTemplateRef.name' },
    { name: 'Metadata', type: 'string', jsonPath: '.spec.metadataOptions.type' },
    { name: 'Disk', type: 'string', jsonPath: '.spec.bootDevice.size' },
    readyColumn,
    ageColumn,
  ],
  spec: proxmoxNodeClassSpec,
  specRequired: false,
  status: proxmoxNodeClassStatus,
}

/** The group, version and names of ProxmoxNodeClass in the Kubernetes API. */
export const proxmoxNodeClassKind = proxmoxNodeClassResource.kind
