import { proxmoxErrors } from '../proxmox-errors.ts'

/** The highest ID that Proxmox accepts. */
const LAST = 999_999_999

/**
 * Returns the lowest ID that is free according to this process. If another controller uses the ID first, Proxmox refuses the clone, and the
 * ID counts as used.
 *
 * @throws KerfError `NoFreeGuestId` if no ID is left
 */
export const freeGuestId = (region: string, first: number, isUsed: (vmid: number) => boolean): number => {
  for (let vmid = first; vmid <= LAST; vmid++) if (!isUsed(vmid)) return vmid
  throw proxmoxErrors.NoFreeGuestId({ region, first })
}
