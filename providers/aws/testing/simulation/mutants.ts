import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

const onAws = (mutant: Omit<Mutant, 'cloud'>): Mutant => ({ ...mutant, cloud: 'aws' })

/** Bugs that only runs on AWS can reveal. */
export const cloudMutants: readonly Mutant[] = [
  onAws({
    name: 'fleets have no client token: when a response is lost, the repeated call launches another fleet',
    caughtBy: 'one-instance-per-claim',
    file: 'providers/aws/src/launch/fleets.ts',
    text: 'await this.#ec2.createFleet(input, signal)',
    replacement: 'await this.#ec2.createFleet({ ...input, ClientToken: undefined }, signal)',
  }),
  onAws({
    name: 'NodeClaims that a partly filled fleet has no instance for get the instance of another',
    caughtBy: 'one-instance-per-claim',
    file: 'providers/aws/src/launch/fleets.ts',
    text: 'const instance = instances[index]',
    replacement: 'const instance = instances[index] ?? instances[0]',
  }),
  onAws({
    name: 'instances are listed without the tag of the cluster: those of other clusters are included',
    caughtBy: 'foreign-instances-are-kept',
    file: 'providers/aws/src/instances/instances.ts',
    text: 'filters: [...this.#own, LIVE_STATES]',
    replacement: 'filters: [...this.#own.slice(0, 2), LIVE_STATES]',
  }),
  onAws({
    name: 'interruption warnings of spot instances are read and ignored',
    caughtBy: 'interruptions-are-handled',
    file: 'providers/aws/src/interruption/message.ts',
    text: "spot_interrupted: {\n    action: 'delete',",
    replacement: "spot_interrupted: {\n    action: 'none',",
  }),
  onAws({
    name: 'an instance that EC2 does not list yet counts as terminated',
    caughtBy: 'claims-outlive-instances',
    file: 'providers/aws/src/instances/instances.ts',
    text: 'if (found === undefined && this.#known.isYoung(id))',
    replacement: 'if (found === undefined && id === "")',
  }),
  onAws({
    name: 'instances that their NodeClaim does not name yet are garbage',
    caughtBy: 'deletions-have-causes',
    file: 'providers/kit/src/collection/garbage-collection.ts',
    text: '!named.has(instance.providerID) && !waiting.some((claim) => isMeantFor(instance, claim))',
    replacement: '!named.has(instance.providerID)',
  }),
  onAws({
    name: 'instances without a NodeClaim are collected once an hour',
    caughtBy: 'leaked-instances-terminate',
    file: 'providers/kit/src/collection/garbage-collection.ts',
    text: 'const wait = rounds < EAGER_ROUNDS ? Math.min(EAGER_INTERVAL, interval) : interval',
    replacement: 'const wait = 30 * interval',
  }),
]
