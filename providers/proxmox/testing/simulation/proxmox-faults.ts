import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { ProxmoxFault } from './proxmox-fault.ts'
import { HYPERVISORS } from './proxmox-names.ts'

const drawFault = (randomness: Randomness): ProxmoxFault => {
  const node = randomness.of(HYPERVISORS)
  switch (randomness.between(0, 5)) {
    case 0:
      return { kind: 'proxmox-unreachable', node, duration: randomness.between(5_000, 120_000) }
    case 1:
      return { kind: 'proxmox-maintenance', node, duration: randomness.between(10_000, 120_000) }
    case 2:
      return { kind: 'proxmox-storage-full', duration: randomness.between(5_000, 90_000) }
    case 3:
      return { kind: 'proxmox-ids-taken', times: randomness.of([1, 2, 5]) }
    case 4:
      return {
        kind: 'proxmox-slow-clones',
        takes: randomness.between(10_000, 180_000),
        duration: randomness.between(30_000, 120_000),
      }
    default:
      return { kind: 'proxmox-token-expired', duration: randomness.between(5_000, 60_000) }
  }
}

/** Draws random faults that are specific to Proxmox. */
export const drawProxmoxFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => ({
  faults: Array.from({ length: randomness.between(2, 6) }, () => ({
    at: randomness.between(1_000, life),
    own: drawFault(randomness),
  })),
  actions: [],
})
