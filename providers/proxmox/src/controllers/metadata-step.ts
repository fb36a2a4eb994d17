import type { Step } from '@kerf/provider-kit'
import type { CloudInitDisks } from '../cloud-init/cloud-init-disks.ts'
import { needsDisk } from '../cloud-init/disk-names.ts'
import { MetadataOptionsError } from '../cloud-init/metadata-options-error.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'

const TYPE = 'InstanceMetadataOptionsReady'
/** How often Secrets are read again, because Kerf does not watch them. */
const AGAIN = 60_000

/** Checks the templates of node classes whose guests get a cloud-init disk. `disks` is absent if the settings do not allow such disks. */
export const metadataStep = (disks: Pick<CloudInitDisks, 'check'> | undefined): Step<ProxmoxNodeClass> => ({
  condition: TYPE,
  run: async (nodeClass, signal) => {
    if (!needsDisk(nodeClass)) return { condition: { type: TYPE, status: 'True' } }
    if (disks === undefined)
      return {
        condition: {
          ...{ type: TYPE, status: 'False', reason: 'CloudInitDisabled' },
          message:
            'spec.metadataOptions.type cdrom needs PROXMOX_CLOUD_INIT=true, with which Kerf reads and creates Secrets in kube-system; set it, or use type none',
        },
      }
    try {
      await disks.check(nodeClass, signal)
      return { condition: { type: TYPE, status: 'True' }, again: AGAIN }
    } catch (error) {
      if (!(error instanceof MetadataOptionsError)) throw error
      const { message } = error
      return { condition: { type: TYPE, status: 'False', reason: 'MetadataOptionsInvalid', message }, again: AGAIN }
    }
  },
})
