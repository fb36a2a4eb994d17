import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { ClusterApiFault } from './cluster-api-fault.ts'

const LONGEST_ABSENCE: Milliseconds = 5 * 60_000

const drawClusterApiFault = (randomness: Randomness): ClusterApiFault => {
  const pick = randomness.between(0, 99)
  switch (randomness.between(0, 8)) {
    case 0:
      return { kind: 'management-away', duration: randomness.between(5_000, LONGEST_ABSENCE) }
    case 1:
      return { kind: 'management-watch-lost', expired: randomness.happens(0.5) }
    case 2:
    case 3:
      return { kind: 'machine-deleted', pick }
    case 4:
    case 5:
      return { kind: 'deployment-scaled', pick }
    case 6:
      return { kind: 'cluster-paused', duration: randomness.between(5_000, 120_000) }
    default:
      return { kind: 'machine-template-changed', pick }
  }
}

/**
 * In half of the runs, Kerf stops between the two writes of a binding. The Machine then has the uid of its NodeClaim, but the claim does
 * not refer to its Machine. The fault occurs early, while several claims wait for Machines of one MachineDeployment, because only then
 * could a claim take the wrong Machine.
 */
const drawCutBindings = (randomness: Randomness): { at: Milliseconds; own: ClusterApiFault } | undefined => {
  if (!randomness.happens(0.5)) return undefined
  return {
    at: randomness.between(0, 20_000),
    own: {
      kind: 'binding-cut',
      skip: randomness.between(0, 2),
      times: randomness.of([1, 3]),
      failure: randomness.of(['crash', 'crash', 'lost']),
    },
  }
}

/** Draws the faults that only Cluster API has. */
export const drawClusterApiFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults = Array.from({ length: randomness.between(1, 5) }, () => ({
    at: randomness.between(5_000, life),
    own: drawClusterApiFault(randomness),
  }))
  const cut = drawCutBindings(randomness)
  return { faults: cut === undefined ? faults : [...faults, cut], actions: [] }
}
