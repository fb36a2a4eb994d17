import { providerErrors } from '@kerf/provider-contract'

/** `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`. */
const UPID = /^UPID:([A-Za-z0-9-]+):[0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+:[^:]+:[^:]*:[^:]+:$/

/** Returns the hypervisor that runs a task. @throws KerfError `IncompleteAnswer` if the text is not a task ID */
export const upidNode = (upid: string): string => {
  const [, node] = UPID.exec(upid) ?? []
  if (node === undefined)
    throw providerErrors.IncompleteAnswer({ problem: `${JSON.stringify(upid)} identifies no task of Proxmox` })
  return node
}

/** Returns true if a finished task succeeded, possibly with warnings. */
export const isSuccess = (exitStatus: string | undefined): boolean => /^(?:OK|WARNINGS: \d+)$/.test(exitStatus ?? '')
