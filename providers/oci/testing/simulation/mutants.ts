import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

const onOci = (mutant: Omit<Mutant, 'cloud'>): Mutant => ({
  ...mutant,
  cloud: 'oci',
  file: `providers/oci/src/${mutant.file}`,
})

/**
 * Bugs that simulations with Oracle Cloud must reveal. They concern instances that Kerf does not own, missing policies, repeated launches,
 * and launches that get no host.
 */
export const cloudMutants: readonly Mutant[] = [
  onOci({
    name: 'OCI instances of another cluster with the same NodePool count as Kerf’s',
    caughtBy: 'foreign-instances-are-kept',
    file: 'instances/instances.ts',
    text: ': owner.cluster === this.#options.ownership.clusterName',
    replacement: ": owner.cluster !== ''",
  }),
  onOci({
    name: 'an OCI instance that a missing policy hides counts as gone',
    caughtBy: 'claims-outlive-instances',
    file: 'instances/instances.ts',
    text: 'if (isListed !== undefined) return isListed',
    replacement: 'if (isListed?.id === "") return isListed',
  }),
  onOci({
    name: 'an OCI launch that is repeated has a token of its own',
    caughtBy: 'one-instance-per-claim',
    file: 'launch/launcher.ts',
    text: 'attempt === 0 ? uid :',
    replacement: 'attempt === 0 ? uid.slice(0, 20) + this.#deps.clock.monotonic() :',
  }),
  onOci({
    name: 'an OCI launch without a host is terminated although INSTANCE_LAUNCH_TIMEOUT_FAILOVER is off',
    caughtBy: 'launches-are-kept',
    file: 'launch/launch-watch.ts',
    text: 'if (!timeouts.failsOver || isBareMetal(shape)) return undefined',
    replacement: 'if (isBareMetal(shape)) return undefined',
  }),
]
