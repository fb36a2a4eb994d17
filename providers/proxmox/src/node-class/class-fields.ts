import { anyText, enumField, listField, object, optional, quantity, text } from '@kerf/apis/schema'

/** Fields of this provider's custom resources (`providers/proxmox/docs/spec/proxmox.md#api-objects`). */

export const region = (description: string) => optional(text({ description, minLength: 1 }))

export const tags = (description: string) =>
  optional(listField(anyText(), { description, listType: 'atomic', maxItems: 10 }))

export const resourcePool = (description: string) =>
  optional(
    text({
      description,
      maxLength: 64,
      pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*(/[a-zA-Z0-9][a-zA-Z0-9._-]*){0,2}$',
    }),
  )

export const placementStrategy = () =>
  optional(
    object(
      {
        zoneBalance: optional(
          enumField(['Balanced', 'AvailabilityFirst'], {
            description: 'Balanced: the hypervisor with the lowest CPU load first. AvailabilityFirst: any order.',
            default: 'Balanced',
          }),
        ),
      },
      { description: 'How hypervisors are chosen.', default: { zoneBalance: 'Balanced' } },
    ),
  )

export const instanceTemplateRef = () =>
  object(
    {
      kind: enumField(['ProxmoxTemplate', 'ProxmoxUnmanagedTemplate'], { description: 'The kind of the template.' }),
      name: text({ description: 'The name of the template object.', minLength: 1 }),
    },
    { description: 'The template that guests are cloned from.' },
  )

export const bootDevice = () =>
  optional(
    object(
      {
        size: optional(
          quantity({
            description:
              'The size of the boot disk in G, Gi, T or Ti. The disk of the template is never made smaller. Absent: the size of the instance type.',
            pattern: '^\\d+(T|G|Ti|Gi)$',
          }),
        ),
        storage: optional(
          text({ description: 'The storage of the boot disk. Absent: the storage of the template.', maxLength: 30 }),
        ),
      },
      { description: 'The boot disk.', default: { size: '30G' } },
    ),
  )

const secretRef = (description: string) =>
  optional(
    object(
      {
        name: optional(text({ description: 'The name of the Secret.' })),
        namespace: optional(text({ description: 'The namespace of the Secret.' })),
      },
      { description, mapType: 'atomic' },
    ),
  )

export const metadataOptions = () =>
  optional(
    object(
      {
        type: optional(
          enumField(['none', 'cdrom'], {
            description: 'none: the template joins the cluster by itself. cdrom: a cloud-init disk is attached.',
            default: 'none',
          }),
        ),
        templatesRef: secretRef('The Secret with the templates user-data, meta-data and network-config.'),
        valuesRef: secretRef('The Secret with values for the templates.'),
      },
      { description: 'How guests get their cloud-init data.', default: { type: 'none' } },
    ),
  )

export const securityGroups = () =>
  optional(
    listField(
      object(
        {
          interface: optional(
            text({ description: 'The network interface of the guest.', pattern: 'net[0-9]+', default: 'net0' }),
          ),
          name: text({ description: 'The name of the security group in Proxmox.', maxLength: 30 }),
        },
        { description: 'One security group.' },
      ),
      {
        description: 'Security groups of the guests. With any, the firewall drops all other incoming packets.',
        listType: 'atomic',
        maxItems: 10,
      },
    ),
  )
