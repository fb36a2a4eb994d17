import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'

/** The drive of the cloud-init disk. Karpenter's provider uses the same one. */
export const CLOUD_INIT_OPTION = 'ide2'

/** Returns the file name of a guest's cloud-init disk. Karpenter's provider uses the same name. */
export const diskFile = (vmid: number): string => `user-data-${vmid}.iso`

/** Returns the volume ID of a guest's cloud-init disk. */
export const diskVolume = (storage: string, vmid: number): string => `${storage}:iso/${diskFile(vmid)}`

/** Returns true if guests of the class get a cloud-init disk. */
export const needsDisk = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): boolean => spec?.metadataOptions?.type === 'cdrom'
