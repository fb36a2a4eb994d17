import { apiVersionOf, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import type { World } from './world.ts'

type PoolSpec = { readonly [K in keyof NodePool['spec']]?: NodePool['spec'][K] }
type Template = NodePool['spec']['template']

const LINUX = { key: labels.os, operator: 'In', values: ['linux'] } as const
const AMD64 = { key: labels.arch, operator: 'In', values: ['amd64'] } as const

const templateOf = (requirements: Template['spec']['requirements'], template: Partial<Template> = {}): Template => ({
  ...template,
  spec: { nodeClassRef, expireAfter: 'Never', requirements, ...template.spec },
})

const newPool = async (world: World, name: string, spec: NodePool['spec']): Promise<NodePool> =>
  await world.admin.create(karpenterKinds.NodePool, {
    apiVersion: apiVersionOf(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name },
    spec,
  })

/** Creates a pool of Linux nodes, spot and on-demand. `spec` overrides this. */
export const createPool = async (world: World, name = 'general', spec: PoolSpec = {}): Promise<NodePool> => {
  const created = await newPool(world, name, { template: templateOf([LINUX]), ...spec })
  await world.pass(100)
  return created
}

/**
 * Creates a pool with one instance type, for tests that count nodes. Otherwise the engine would choose the cheapest
 * combination of types.
 */
export const createPoolOfType = async (world: World, instanceType: string, name = 'general'): Promise<NodePool> => {
  const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [instanceType] }]
  return await createPool(world, name, { template: templateOf(requirements) })
}

/** Creates a pool of Linux nodes whose budgets allow all disruptions at once. */
export const createDisruptablePool = async (
  world: World,
  name = 'general',
  spec: PoolSpec = {},
  template: Partial<Template> = {},
): Promise<NodePool> => {
  const created = await newPool(world, name, {
    ...spec,
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...spec.disruption },
    template: templateOf([LINUX, AMD64], template),
  })
  await world.pass(200)
  return created
}

export const patchPool = async (world: World, name: string, body: object): Promise<void> => {
  await world.patch(karpenterKinds.NodePool, name, body)
}
