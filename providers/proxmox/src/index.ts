export { connectProxmox } from './config/connect-proxmox.ts'
export { generatedTypes } from './instance-types/guest-type.ts'
export { nodeClassHashAnnotations, providerId } from './names.ts'
export { type ProxmoxOptions, ProxmoxProvider } from './proxmox-provider.ts'
