import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

const onClusterApi = (mutant: Omit<Mutant, 'cloud'>): Mutant => ({
  ...mutant,
  cloud: 'cluster-api',
  file: `providers/cluster-api/src/${mutant.file}`,
})

/** Bugs that simulations with Cluster API reveal: mistakes with replicas, bindings and deletions of Machines. */
export const cloudMutants: readonly Mutant[] = [
  onClusterApi({
    name: 'a create waits for the place of a Machine that is being deleted, whose drain waits for the pods of the create',
    caughtBy: 'instances-match-claims',
    file: 'replicas/desired-replicas.ts',
    text: 'Math.min(creates, placesHeldUp(state))',
    replacement: 'Math.min(0, placesHeldUp(state))',
  }),
  onClusterApi({
    name: 'what was there before Kerf counts as asked for by Kerf',
    caughtBy: 'foreign-instances-are-kept',
    file: 'machines/replicas-of-others.ts',
    text: 'return Math.max(0, replicas - heldPlaces(state, holders))',
    replacement: 'return Math.min(0, heldPlaces(state, holders))',
  }),
  onClusterApi({
    name: 'a Machine that is being deleted counts as gone',
    caughtBy: 'claims-outlive-instances',
    file: 'cluster-api-provider.ts',
    text: "if (outcome.kind === 'gone')",
    replacement: "if (outcome.kind === 'gone' || outcome.kind === 'going')",
  }),
  onClusterApi({
    name: 'a create that crashed between its two writes takes a second Machine',
    caughtBy: 'one-instance-per-claim',
    file: 'machines/binding.ts',
    text: 'if (held !== undefined) return resumed(held, claim)',
    replacement: 'if (held !== undefined && claim.machine !== undefined) return resumed(held, claim)',
  }),
  onClusterApi({
    name: 'free Machines that no create takes are kept',
    caughtBy: 'leaked-instances-terminate',
    file: 'replicas/surplus.ts',
    text: '.slice(creates)',
    replacement: '.slice(creates + 9)',
  }),
]
