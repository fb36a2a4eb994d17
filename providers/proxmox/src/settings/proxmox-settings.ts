import { clusterSettings } from '@kerf/provider-kit'
import { type SettingsOf, setting } from '@kerf/runtime'
import { cloudInitSwitch } from '../permissions.ts'
import { nodePolicies } from './node-settings.ts'

const { choice, flagged, integer, text } = setting

/** The range of IDs that Proxmox accepts. */
const [LEAST, MOST] = [100, 999_999_999]

/**
 * The settings of the Proxmox provider: upstream's names and defaults
 * (`providers/proxmox/docs/spec/proxmox.md#settings-and-credentials`), then Kerf's additions.
 */
export const proxmoxSettings = {
  clusterName: clusterSettings.clusterName,
  cloudConfig: text({
    env: 'CLOUD_CONFIG',
    flag: 'cloud-config',
    default: '',
    meaning: 'File with the region, URL and API token of each Proxmox cluster. The Proxmox provider requires it.',
  }),
  proxmoxVmid: integer({
    env: 'PROXMOX_VMID',
    flag: 'proxmox-vmid',
    default: 20_000,
    min: LEAST,
    max: MOST,
    meaning:
      'Lowest ID of the guests that Kerf makes in Proxmox. Give each Kubernetes cluster its own range, so that people see to which cluster a guest belongs.',
  }),
  instanceTypesFile: text({
    env: 'INSTANCE_TYPES_FILE',
    flag: 'instance-types-file',
    default: '',
    meaning: 'JSON file with the sizes of Proxmox guests. If empty, Kerf offers 20 sizes from 1 CPU and 2 GiB on.',
  }),
  nodeSettingFile: text({
    env: 'NODE_SETTING_FILE',
    flag: 'node-setting-file',
    default: '',
    meaning:
      'JSON file with the CPUs and the memory that each hypervisor keeps for itself, and with its NUMA nodes. If empty, each keeps 1 GiB of memory.',
  }),
  nodePolicy: choice({
    env: 'NODE_POLICY',
    flag: 'node-policy',
    default: 'simple',
    of: nodePolicies,
    meaning:
      '`static`: Kerf pins each Proxmox guest to CPUs and NUMA nodes of its hypervisor. Proxmox allows that only to the user root@pam, not to tokens. `simple`: Kerf only counts CPUs and memory.',
  }),
  proxmoxCloudInit: flagged({
    ...cloudInitSwitch,
    flag: 'proxmox-cloud-init',
    origin: 'kerf',
    meaning:
      'Allow node classes with `metadataOptions.type: cdrom`: Kerf gives their guests a cloud-init disk and a bootstrap token, and may read, create and delete Secrets in `kube-system`.',
  }),
  proxmoxClones: choice({
    env: 'PROXMOX_CLONES',
    flag: 'proxmox-clones',
    default: 'full',
    of: ['full', 'linked'],
    origin: 'kerf',
    meaning:
      '`linked`: the disks of Proxmox guests share the disk of their template, unless the node class names another storage. Such guests launch in seconds. `full`: each guest has a copy.',
  }),
} as const

export type ProxmoxSettings = SettingsOf<typeof proxmoxSettings>
