import { listOf, maybe, number, one, type Random, some } from '@kerf/provider-kit/testing'
import type { BizflyCloudNodeClassSpec } from '../node-class/bizfly-node-class.ts'

/** Returns a random spec that the CRD of Bizfly's own provider accepts. */
export const randomClassSpec = (random: Random): BizflyCloudNodeClassSpec => ({
  template: one(random, ['', 'ubuntu']),
  ...maybe(random, 'region', () => one(random, ['HN', ''])),
  ...maybe(random, 'zones', () => some(random, ['HN1', 'HN2', ''])),
  ...maybe(random, 'osType', () => some(random, ['flatcar', 'ubuntu'] as const)),
  ...maybe(random, 'nodeCategories', () => some(random, ['basic', 'premium', 'enterprise', 'dedicated'] as const)),
  ...maybe(random, 'cpuVendors', () => some(random, ['Intel2', 'AMD4'] as const)),
  ...maybe(random, 'sshKeyName', () => one(random, ['me', ''])),
  ...maybe(random, 'sshKeys', () => listOf(random, 2, () => 'ssh-ed25519 A')),
  ...maybe(random, 'diskTypes', () => some(random, ['SSD', 'HDD'] as const)),
  ...maybe(random, 'rootDiskSize', () => number(random, 20, 1_000)),
  ...maybe(random, 'networkPlans', () => some(random, ['free_datatransfer', 'free_bandwidth'] as const)),
  ...maybe(random, 'vpcNetworkIds', () => listOf(random, 3, () => one(random, ['a', 'b']))),
  ...maybe(random, 'placementStrategy', () => ({
    ...maybe(random, 'spread', () => ({ ...maybe(random, 'zones', () => ['HN1']) })),
  })),
  ...maybe(random, 'tags', () => listOf(random, 3, () => one(random, ['a=b', 'c', '']))),
  ...maybe(random, 'metadataOptions', () => ({ type: one(random, ['template', '']) })),
  ...maybe(random, 'securityGroups', () => listOf(random, 3, () => ({ securityGroupID: one(random, ['', 'a']) }))),
})
