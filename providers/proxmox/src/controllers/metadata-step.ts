import type { Step } from '@kerf/provider-kit'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'

const TYPE = 'InstanceMetadataOptionsReady'

/** Refuses node classes for which Kerf would have to create a cloud-init disk. */
export const metadataStep = (): Step<ProxmoxNodeClass> => ({
  condition: TYPE,
  run: async ({ spec }) =>
    spec?.metadataOptions?.type === 'cdrom'
      ? {
          condition: {
            ...{ type: TYPE, status: 'False', reason: 'MetadataOptionsUnsupported' },
            message:
              'spec.metadataOptions.type cdrom is not supported; use none, with a template that joins the cluster by itself',
          },
        }
      : { condition: { type: TYPE, status: 'True' } },
})
