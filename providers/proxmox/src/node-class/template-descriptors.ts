import { type ConditionMeanings, groupVersion } from '@kerf/apis'
import type { FurtherKind } from '@kerf/provider-contract'
import { templateConditions } from './conditions.ts'
import { type ProxmoxTemplate, proxmoxTemplateKind, proxmoxTemplateResource } from './proxmox-template.ts'
import {
  type ProxmoxUnmanagedTemplate,
  unmanagedTemplateKind,
  unmanagedTemplateResource,
} from './unmanaged-template.ts'

const UNKNOWN = 'Unknown: Proxmox did not answer'

const managedMeanings: ConditionMeanings = {
  ProxmoxVirtualMachineTemplateReady: {
    isTrue: 'at least one hypervisor has the template; the message says what the others wait for or lack',
    otherwise: `\`TemplateInvalid\`: the message names each field that Proxmox refuses. \`TemplatePending\`: a task of Proxmox runs. \`TemplateFailed\`: the message has Proxmox's text for each hypervisor. ${UNKNOWN}`,
  },
}

const unmanagedMeanings: ConditionMeanings = {
  ProxmoxVirtualMachineTemplateReady: {
    isTrue: 'at least one hypervisor has a template with the name and all tags',
    otherwise: `\`TemplateNotFound\`: no hypervisor has such a template. ${UNKNOWN}`,
  },
}

/** The description of ProxmoxTemplate that the rest of Kerf uses. */
export const proxmoxTemplateDescriptor: FurtherKind<ProxmoxTemplate> = {
  resource: proxmoxTemplateResource,
  conditions: templateConditions,
  conditionMeanings: managedMeanings,
  example: {
    apiVersion: groupVersion(proxmoxTemplateKind),
    kind: 'ProxmoxTemplate',
    metadata: { name: 'talos' },
    spec: {
      sourceImage: { url: 'https://factory.example.com/image/nocloud-amd64.raw' },
      storageIDs: ['local', 'local-lvm'],
      network: [{ bridge: 'vmbr0' }],
    },
  },
}

/** The description of ProxmoxUnmanagedTemplate that the rest of Kerf uses. */
export const unmanagedTemplateDescriptor: FurtherKind<ProxmoxUnmanagedTemplate> = {
  resource: unmanagedTemplateResource,
  conditions: templateConditions,
  conditionMeanings: unmanagedMeanings,
  example: {
    apiVersion: groupVersion(unmanagedTemplateKind),
    kind: 'ProxmoxUnmanagedTemplate',
    metadata: { name: 'default' },
    spec: { templateName: 'talos' },
  },
}
