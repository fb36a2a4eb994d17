/** The custom resources that other packages may use. */

export { proxmoxNodeClassDescriptor } from './node-class-descriptor.ts'
export { type ProxmoxNodeClass, type ProxmoxNodeClassSpec, proxmoxNodeClassKind } from './proxmox-node-class.ts'
export { unmanagedTemplateKind, unmanagedTemplateResource } from './unmanaged-template.ts'
