import type { Mutant } from '../../../../tests/simulation/mutants/mutant.ts'

const onAzure = (mutant: Omit<Mutant, 'cloud'>): Mutant => ({
  ...mutant,
  cloud: 'azure',
  file: `providers/azure/src/${mutant.file}`,
})

/**
 * Bugs that simulations with Azure reveal. They concern leftovers of launches, and resources of other owners in the same resource group.
 */
export const cloudMutants: readonly Mutant[] = [
  onAzure({
    name: 'interfaces and disks that nothing has are kept',
    caughtBy: 'leftovers-are-collected',
    file: 'controllers/azure-controllers.ts',
    text: '...leftoverCollections(deps),',
    replacement: '',
  }),
  onAzure({
    name: 'the interfaces and disks of another cluster in the same group count as left over',
    caughtBy: 'requests-of-others-are-kept',
    file: 'controllers/leftovers.ts',
    text: ".filter((row) => readTextField(readField(row, 'tags'), TAG.cluster) === settings.clusterName)",
    replacement: ".filter((row) => readTextField(readField(row, 'tags'), TAG.cluster) !== '')",
  }),
  onAzure({
    name: 'VMs whose claim is gone are kept',
    caughtBy: 'leaked-instances-terminate',
    file: 'controllers/azure-controllers.ts',
    text: 'grace: 5 * MINUTE,',
    replacement: 'grace: 500 * MINUTE,',
  }),
  onAzure({
    name: 'a VM that is being deleted counts as gone',
    caughtBy: 'claims-outlive-instances',
    file: 'instances/instances.ts',
    text: 'if (instance.isEnding) return',
    replacement: 'if (instance.isEnding) throw new NodeClaimNotFoundError(id)',
  }),
]
