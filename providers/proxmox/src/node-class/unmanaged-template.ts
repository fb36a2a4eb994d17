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
  text,
} from '@kerf/apis/schema'
import { PROXMOX_GROUP } from '../label-names.ts'
import { region } from './class-fields.ts'

const templateSpec = object(
  {
    region: region('The Proxmox cluster of the template. Absent: every cluster.'),
    templateName: optional(text({ description: 'The name of the template in Proxmox.', minLength: 1 })),
    tags: optional(
      listField(anyText(), {
        description: 'Tags of the template. It must have all of them.',
        listType: 'atomic',
        minItems: 1,
        maxItems: 10,
      }),
    ),
  },
  {
    description: 'Selects the templates with the name and all tags.',
    rules: [
      {
        rule: 'has(self.templateName) || has(self.tags)',
        message: 'at least one of templateName or tags must be specified',
      },
    ],
  },
)

const templateStatus = object(
  {
    conditions: optional(atomicConditions()),
    resources: optional(mapField(quantity(), { description: 'The number of zones that were found.' })),
    zones: optional(
      listField(anyText(), {
        description: 'The hypervisors with the template, each as REGION/HYPERVISOR/TEMPLATE.',
        listType: 'atomic',
      }),
    ),
    imageID: optional(text({ description: 'The image of the template. Only a ProxmoxTemplate sets it.' })),
  },
  { description: 'Where the template was found.' },
)

export interface UnmanagedTemplateSpec extends Shape<typeof templateSpec> {}

/** Templates that Kerf does not manage (`providers/proxmox/docs/spec/proxmox.md#proxmoxunmanagedtemplate`). */
export interface ProxmoxUnmanagedTemplate extends KubeObject {
  readonly spec?: UnmanagedTemplateSpec
  readonly status?: Shape<typeof templateStatus>
}

export const unmanagedTemplateResource: CustomResource<ProxmoxUnmanagedTemplate> = {
  kind: {
    group: PROXMOX_GROUP,
    version: 'v1alpha1',
    kind: 'ProxmoxUnmanagedTemplate',
    plural: 'proxmoxunmanagedtemplates',
    namespaced: false,
  },
  singular: 'proxmoxunmanagedtemplate',
  shortNames: [],
  categories: ['karpenter'],
  description: 'A ProxmoxUnmanagedTemplate selects templates in Proxmox by name and tags.',
  printerColumns: [
    { name: 'Zones', type: 'string', jsonPath: '.status.resources.zones' },
    { name: 'Name', type: 'string', jsonPath: '.spec.templateName' },
    readyColumn,
    ageColumn,
  ],
  spec: templateSpec,
  specRequired: false,
  status: templateStatus,
}

/** The group, version and names of ProxmoxUnmanagedTemplate in the Kubernetes API. */
export const unmanagedTemplateKind = unmanagedTemplateResource.kind
