import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

const onAlibaba = (mutant: Omit<Mutant, 'cloud'>): Mutant => ({
  ...mutant,
  cloud: 'alibaba',
  file: `providers/alibaba/src/${mutant.file}`,
})

/** Bugs that simulations with Alibaba Cloud must reveal. They concern instances that Kerf does not own, releases, and repeated launches. */
export const cloudMutants: readonly Mutant[] = [
  onAlibaba({
    name: 'ECS instances that another tool tagged for the cluster count as Kerf’s',
    caughtBy: 'foreign-instances-are-kept',
    file: 'instances/instances.ts',
    text: 'ownValue(tags, TAG.nodePool) !== undefined',
    replacement: "ownValue(tags, clusterTag(clusterId)) !== ''",
  }),
  onAlibaba({
    name: 'an ECS instance that is being released counts as gone',
    caughtBy: 'claims-outlive-instances',
    file: 'instances/instances.ts',
    text: "if (status === 'Stopping' || this.#deleted.has(id)) return",
    replacement: "if (status === 'Stopping' || this.#deleted.has(id)) throw this.#gone(id)",
  }),
  onAlibaba({
    name: 'an ECS launch that is repeated has a token of its own',
    caughtBy: 'one-instance-per-claim',
    file: 'launch/launcher.ts',
    text: 'token: attempt === 0 ? uid :',
    replacement: 'token: attempt === 0 ? uid.slice(0, 20) + this.#options.clock.monotonic() :',
  }),
]
