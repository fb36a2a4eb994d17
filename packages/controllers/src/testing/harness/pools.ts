import { groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import type { Harness } from './harness.ts'

type PoolSpec = { readonly [K in keyof NodePool['spec']]?: NodePool['spec'][K] }
type Template = NodePool['spec']['template']

const LINUX = { key: labels.os, operator: 'In', values: ['linux'] } as const
const AMD64 = { key: labels.arch, operator: 'In', values: ['amd64'] } as const

const poolTemplate = (requirements: Template['spec']['requirements'], template: Partial<Template> = {}): Template => ({
  ...template,
  spec: { nodeClassRef, expireAfter: 'Never', requirements, ...template.spec },
})

const newPool = async (harness: Harness, name: string, spec: NodePool['spec']): Promise<NodePool> =>
  await harness.admin.create(karpenterKinds.NodePool, {
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name },
    spec,
  })

/** Creates a pool of Linux nodes that may be spot or on-demand. Fields in `spec` override this. */
export const createPool = async (harness: Harness, name = 'general', spec: PoolSpec = {}): Promise<NodePool> => {
  const created = await newPool(harness, name, { template: poolTemplate([LINUX]), ...spec })
  await harness.pass(100)
  return created
}

/**
 * Creates a pool with only one instance type, for tests that count nodes. With several types, the engine would choose the cheapest
 * combination.
 */
export const createPoolOfType = async (harness: Harness, instanceType: string, name = 'general'): Promise<NodePool> => {
  const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [instanceType] }]
  return await createPool(harness, name, { template: poolTemplate(requirements) })
}

/** Creates a pool of Linux nodes whose budgets allow all disruptions at the same time. */
export const createDisruptablePool = async (
  harness: Harness,
  name = 'general',
  spec: PoolSpec = {},
  template: Partial<Template> = {},
): Promise<NodePool> => {
  const created = await newPool(harness, name, {
    ...spec,
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...spec.disruption },
    template: poolTemplate([LINUX, AMD64], template),
  })
  await harness.pass(200)
  return created
}

export const patchPool = async (harness: Harness, name: string, body: object): Promise<void> => {
  await harness.patch(karpenterKinds.NodePool, name, body)
}
