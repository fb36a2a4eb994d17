import type { GuestRef, ProxmoxApi } from '../api/proxmox-api.ts'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'
import { diskVolume } from './disk-names.ts'

/** Deletes the file of a guest's cloud-init disk. A missing file is not an error. */
export const deleteDisk = async (
  api: Pick<ProxmoxApi, 'deleteVolume'>,
  { node, vmid }: GuestRef,
  storage: string,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await api.deleteVolume(node, storage, diskVolume(storage, vmid), signal)
  } catch (error) {
    const isMissing = error instanceof ProxmoxApiError && /does not exist/.test(error.detail)
    if (!isMissing) throw error
  }
}
