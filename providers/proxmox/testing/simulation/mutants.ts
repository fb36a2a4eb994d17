import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

/** Plausible bugs of the Proxmox provider. */
export const cloudMutants: readonly Mutant[] = [
  {
    name: 'guests of other Kubernetes clusters count as its own',
    cloud: 'proxmox',
    caughtBy: 'foreign-instances-are-kept',
    file: 'providers/proxmox/src/guests/instances.ts',
    text: 'isClaimed(key) : description.cluster === cluster)',
    replacement: 'isClaimed(key) : true)',
  },
  {
    name: 'a guest of an earlier process is launched again',
    cloud: 'proxmox',
    caughtBy: 'one-instance-per-claim',
    file: 'providers/proxmox/src/launch/launcher.ts',
    text: 'const known = this.#launches.get(claimUid(claim)) ?? (await this.#earlier(claim, signal))',
    replacement: 'const known = this.#launches.get(claimUid(claim))',
  },
  {
    name: 'a guest that is not started counts as launched',
    cloud: 'proxmox',
    caughtBy: 'instances-match-claims',
    file: 'providers/proxmox/src/launch/launch-step.ts',
    text: "return status === 'running' ? undefined : { name: 'start' }",
    replacement: 'return undefined',
  },
]
