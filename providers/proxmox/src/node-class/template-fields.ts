import { anyText, enumField, listField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'

/** Fields of ProxmoxTemplate (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`). */

export const sourceImage = () =>
  object(
    {
      url: text({
        description: 'The address of a disk image, which Proxmox downloads.',
        pattern: '^https?://[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}(/\\S*)?$',
      }),
      imageName: optional(
        text({
          description: 'The file name of the image in Proxmox. Absent: the last part of the URL.',
          minLength: 1,
          maxLength: 64,
        }),
      ),
      checksum: optional(text({ description: 'The checksum of the image.', minLength: 32, maxLength: 128 })),
      checksumType: optional(
        enumField(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'], {
          description: 'The algorithm of the checksum.',
        }),
      ),
    },
    { description: 'The image of the boot disk. After an edit, Kerf recreates the templates.' },
  )

export const tpm = () =>
  optional(
    object(
      {
        version: optional(
          enumField(['v1.2', 'v2.0'], { description: 'The version of the TPM device.', default: 'v2.0' }),
        ),
      },
      { description: 'A trusted platform module. After an edit, Kerf recreates the templates.' },
    ),
  )

export const agent = () =>
  optional(
    object(
      {
        enabled: optional(yesNo({ description: 'Whether Proxmox talks to the QEMU guest agent.', default: false })),
        type: optional(enumField(['virtio', 'isa'], { description: 'The channel of the agent.', default: 'virtio' })),
        fsFreezeOnBackup: optional(yesNo({ description: 'Whether backups freeze the file systems.' })),
        fsTrimClonedDisks: optional(yesNo({ description: 'Whether the agent trims disks after they were moved.' })),
      },
      { description: 'The QEMU guest agent.' },
    ),
  )

export const cpu = () =>
  optional(
    object(
      {
        type: optional(
          enumField(['host', 'kvm64', 'x86-64-v2', 'x86-64-v2-AES', 'x86-64-v3', 'x86-64-v4'], {
            description: 'The emulated CPU.',
            default: 'x86-64-v2-AES',
          }),
        ),
        flags: optional(
          listField(anyText(), {
            description: 'Further CPU flags, each with + or -.',
            listType: 'atomic',
            maxItems: 10,
          }),
        ),
      },
      { description: 'The CPU.', default: { type: 'x86-64-v2-AES' } },
    ),
  )

export const vga = () =>
  optional(
    object(
      {
        type: optional(
          enumField(['none', 'serial0', 'std', 'vmware'], { description: 'The emulated display.', default: 'std' }),
        ),
        memory: optional(whole({ description: 'The memory of the display in MiB.', minimum: 4, maximum: 512 })),
      },
      { description: 'The display.' },
    ),
  )

const address = (description: string) => optional(text({ description, minLength: 1 }))

const networkInterface = () =>
  object(
    {
      name: address('The option in Proxmox, from net0 to net31. Absent: the position in the list.'),
      bridge: text({ description: 'The bridge of the hypervisor.', minLength: 1 }),
      model: optional(
        enumField(['e1000', 'e1000e', 'rtl8139', 'virtio', 'vmxnet3'], {
          description: 'The emulated network card.',
          default: 'virtio',
        }),
      ),
      mtu: optional(
        whole({
          description: 'The MTU. 1 means the MTU of the bridge.',
          default: 1500,
          rules: [{ rule: 'self == 1 || ( self >= 576 && self <= 65520)', message: 'must be 1 or from 576 to 65520' }],
        }),
      ),
      vlan: optional(whole({ description: 'The VLAN tag.', minimum: 1, maximum: 4094 })),
      address4: address('The IPv4 configuration for cloud-init: dhcp.'),
      address6: address('The IPv6 configuration for cloud-init: auto or dhcp.'),
      gateway4: address('The IPv4 gateway. Needs an address4 with a prefix length.'),
      gateway6: address('The IPv6 gateway. Needs an address6 with a prefix length.'),
      dnsServers: optional(
        listField(anyText(), { description: 'DNS servers for cloud-init.', listType: 'atomic', minItems: 1 }),
      ),
      firewall: optional(yesNo({ description: 'Whether the firewall of Proxmox protects the interface.' })),
    },
    { description: 'One network interface.' },
  )

export const network = () =>
  listField(networkInterface(), {
    description: 'The network interfaces.',
    listType: 'atomic',
    minItems: 1,
    maxItems: 6,
  })

export const pciDevices = () =>
  optional(
    listField(
      object(
        {
          mapping: text({ description: 'The name of a PCI mapping of the Proxmox cluster.', minLength: 1 }),
          mdev: optional(text({ description: 'The type of the mediated device.' })),
          pcie: optional(yesNo({ description: 'Whether the device is a PCI Express device. Needs the machine q35.' })),
          xvga: optional(yesNo({ description: 'Whether the device is the primary display.' })),
        },
        { description: 'One PCI device.' },
      ),
      { description: 'PCI devices of the hypervisor.', listType: 'atomic', maxItems: 6 },
    ),
  )
