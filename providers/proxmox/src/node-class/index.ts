/** The custom resources that other packages may use. */

export { proxmoxNodeClassDescriptor } from './node-class-descriptor.ts'
export { type ProxmoxNodeClass, type ProxmoxNodeClassSpec, proxmoxNodeClassKind } from './proxmox-node-class.ts'
export { type ProxmoxTemplate, proxmoxTemplateKind, proxmoxTemplateResource } from './proxmox-template.ts'
export { unmanagedTemplateKind, unmanagedTemplateResource } from './unmanaged-template.ts'
