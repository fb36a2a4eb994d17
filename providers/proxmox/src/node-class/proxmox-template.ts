import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  anyText,
  atomicConditions,
  type CustomResource,
  enumField,
  listField,
  mapField,
  object,
  optional,
  quantity,
  readyColumn,
  type Shape,
  text,
  yesNo,
} from '@kerf/apis/schema'
import { PROXMOX_GROUP } from '../label-names.ts'
import { region, resourcePool, tags } from './class-fields.ts'
import { agent, cpu, network, pciDevices, sourceImage, tpm, vga } from './template-fields.ts'

const templateSpec = object(
  {
    region: region('The Proxmox cluster of the templates. Absent: every cluster.'),
    description: optional(text({ description: 'The beginning of the description in Proxmox.', minLength: 1 })),
    sourceImage: sourceImage(),
    storageIDs: listField(anyText(), {
      description:
        'Storages. The first with content type import has the image, the first with images has the disks. After an edit, Kerf recreates the templates.',
      listType: 'atomic',
      minItems: 1,
    }),
    machine: optional(enumField(['pc', 'q35'], { description: 'The emulated machine.', default: 'q35' })),
    bios: optional(
      enumField(['seabios', 'ovmf'], {
        description: 'The firmware. After an edit, Kerf recreates the templates.',
        default: 'seabios',
      }),
    ),
    tpm: tpm(),
    agent: agent(),
    cpu: cpu(),
    vga: vga(),
    network: network(),
    pciDevices: pciDevices(),
    tags: tags('Tags of the templates.'),
    resourcePool: resourcePool(
      'The resource pool of new templates, of up to three levels. It must exist. An edit does not move templates.',
    ),
    onBoot: optional(yesNo({ description: 'Whether guests start when their hypervisor boots.' })),
  },
  { description: 'The template that Kerf makes on each hypervisor with the storages.' },
)

const templateStatus = object(
  {
    conditions: optional(atomicConditions()),
    resources: optional(mapField(quantity(), { description: 'The number of zones with a template.' })),
    zones: optional(
      listField(anyText(), {
        description: 'The templates, each as REGION/HYPERVISOR/TEMPLATE.',
        listType: 'atomic',
      }),
    ),
    imageID: optional(text({ description: 'The file name of the image in Proxmox.' })),
  },
  { description: 'The templates in Proxmox.' },
)

export interface ProxmoxTemplateSpec extends Shape<typeof templateSpec> {}

/** A template that Kerf creates (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`). */
export interface ProxmoxTemplate extends KubeObject {
  readonly spec?: ProxmoxTemplateSpec
  readonly status?: Shape<typeof templateStatus>
}

export const proxmoxTemplateResource: CustomResource<ProxmoxTemplate> = {
  kind: {
    group: PROXMOX_GROUP,
    version: 'v1alpha1',
    kind: 'ProxmoxTemplate',
    plural: 'proxmoxtemplates',
    namespaced: false,
  },
  singular: 'proxmoxtemplate',
  shortNames: [],
  categories: ['karpenter'],
  description: 'A ProxmoxTemplate describes templates that Kerf makes from a disk image.',
  printerColumns: [
    { name: 'Zones', type: 'string', jsonPath: '.status.resources.zones' },
    { name: 'Machine', type: 'string', jsonPath: '.spec.machine' },
    { name: 'CPU', type: 'string', jsonPath: '.spec.cpu.type' },
    { name: 'VGA', type: 'string', jsonPath: '.spec.vga.type' },
    readyColumn,
    ageColumn,
  ],
  spec: templateSpec,
  specRequired: false,
  status: templateStatus,
}

/** The group, version and names of ProxmoxTemplate in the Kubernetes API. */
export const proxmoxTemplateKind = proxmoxTemplateResource.kind
