import { isConditionTrue, kinds, labels, type Node, type ResourceSlice } from '@kerf/apis'
import type { DynamicResources, InstanceType, ResourceSliceTemplate } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isAlreadyExists, source } from '@kerf/runtime'
import { isOwnNode, terminatingSince } from './instance-node.ts'

/** The devices of instances, keyed by instance type. Only types with devices are included. */
export type DevicesByType = ReadonlyMap<string, DynamicResources>

export const devicesByType = (instanceTypes: readonly InstanceType[]): DevicesByType =>
  new Map(
    instanceTypes.flatMap(({ name, dynamicResources }) =>
      dynamicResources === undefined ? [] : [[name, dynamicResources]],
    ),
  )

/**
 * Returns the ResourceSlices that the device drivers on a node publish. They are created from the templates of the node's instance type,
 * belong to pools of this node, and are owned by the Node, so that they are deleted with it.
 */
export const slicesOfNode = (node: Node, { resourceSliceTemplates }: DynamicResources): readonly ResourceSlice[] => {
  const { name = '', uid = '' } = node.metadata
  const poolOf = ({ driver, pool }: ResourceSliceTemplate): string => `${driver}/${pool.name}`
  const sizes = new Map<string, number>()
  for (const template of resourceSliceTemplates) {
    sizes.set(poolOf(template), (sizes.get(poolOf(template)) ?? 0) + 1)
  }
  return resourceSliceTemplates.map((template, index) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: kinds.ResourceSlice.kind,
    metadata: {
      name: `${name}-${index}`,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: {
      driver: template.driver,
      pool: {
        name: `${name}/${template.pool.name}`,
        generation: 1,
        resourceSliceCount: sizes.get(poolOf(template)) ?? 1,
      },
      nodeName: name,
      ...(template.sharedCounters === undefined ? {} : { sharedCounters: template.sharedCounters }),
      ...(template.devices === undefined ? {} : { devices: template.devices }),
    },
  }))
}

/** Returns a controller that simulates the device drivers: it publishes the devices of a node's instance type when the node is Ready. */
export const deviceDrivers = ({ client, informers, log }: ProviderContext, devices: DevicesByType): Controller => {
  const nodes = informers.of(kinds.Node)
  const promisedBy = (node: Node | undefined): DynamicResources | undefined =>
    node === undefined || !isOwnNode(node) || terminatingSince(node) !== undefined || !isConditionTrue(node, 'Ready')
      ? undefined
      : devices.get(node.metadata.labels?.[labels.instanceType] ?? '')

  return {
    name: 'kwok.devicedrivers',
    sources: [
      source(nodes, ({ before, after }) =>
        promisedBy(after) !== undefined && promisedBy(before) === undefined ? [after?.metadata.name ?? ''] : [],
      ),
    ],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const node = nodes.get(name)
      const promised = promisedBy(node)
      if (node === undefined || promised === undefined) return done()
      for (const slice of slicesOfNode(node, promised)) {
        try {
          await client.create(kinds.ResourceSlice, slice, { signal })
        } catch (error) {
          if (!isAlreadyExists(error)) throw error
        }
      }
      log.debug('devices published', { Node: { name }, slices: promised.resourceSliceTemplates.length })
      return done()
    },
  }
}
