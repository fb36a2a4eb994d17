import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing, type Step } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { BizflyApi } from '../api/bizfly-api.ts'
import { toStepCause } from '../failures.ts'
import type { WorkerImages } from '../images/worker-images.ts'
import type { FlavorList } from '../instance-types/flavor-list.ts'
import { instanceTypes, osTypes } from '../instance-types/instance-types.ts'
import { nodeClassHashAnnotations } from '../names.ts'
import { type BizflyCloudNodeClass, bizflyNodeClassKind } from '../node-class/bizfly-node-class.ts'
import { classProblems, unusedFields } from '../node-class/class-problems.ts'
import { bizflyNodeClassHash } from '../node-class/hash.ts'
import { bizflyNodeClassConditions } from '../node-class/node-class-descriptor.ts'

const AGAIN = 300_000
const MISSING_AGAIN = 60_000

type ClassStep = Step<BizflyCloudNodeClass>

export interface NodeClassDeps {
  readonly api: BizflyApi
  readonly region: string
  readonly flavors: FlavorList
  readonly images: WorkerImages
}

const notTrue = (type: string, reason: string, message: string) => ({
  condition: { type, status: 'False' as const, reason, message },
  again: MISSING_AGAIN,
})

const instanceStep = ({ flavors, region }: NodeClassDeps): ClassStep => ({
  condition: 'InstanceReady',
  run: async (nodeClass, signal) => {
    const problems = classProblems(nodeClass)
    if (problems.length > 0) return notTrue('InstanceReady', 'NodeClassInvalid', problems.join('; '))
    const types = instanceTypes(await flavors.read(signal), nodeClass, { region, capacityType: 'on-demand' })
    if (types.length === 0)
      return notTrue(
        'InstanceReady',
        'NoInstanceTypes',
        'no flavor of the region has a category of spec.nodeCategories and a processor of spec.cpuVendors; add values to them',
      )
    const unused = unusedFields(nodeClass)
    return {
      status: { instanceTypes: types.map(({ name }) => name), regions: [region] },
      condition: { type: 'InstanceReady', status: 'True', ...(unused === undefined ? {} : { message: unused }) },
      again: AGAIN,
    }
  },
})

const networkStep = ({ api }: NodeClassDeps): ClassStep => ({
  condition: 'NetworksReady',
  run: async ({ spec }, signal) => {
    const { vpcNetworkIds = [], securityGroups = [] } = spec ?? {}
    const missing = async (
      field: string,
      wanted: readonly string[],
      list: (signal: AbortSignal) => Promise<readonly string[]>,
    ): Promise<readonly string[]> => {
      if (wanted.length === 0) return []
      const known = new Set(await list(signal))
      return wanted.filter((id) => !known.has(id)).map((id) => `${JSON.stringify(id)} of spec.${field}`)
    }
    const firewalls = securityGroups.map(({ securityGroupID }) => securityGroupID)
    const gone = [
      ...(await missing('vpcNetworkIds', vpcNetworkIds, (inner) => api.networks(inner))),
      ...(await missing('securityGroups', firewalls, (inner) => api.firewalls(inner))),
    ]
    return gone.length === 0
      ? { condition: { type: 'NetworksReady', status: 'True' }, again: AGAIN }
      : notTrue('NetworksReady', 'NetworksNotFound', `the project does not have ${gone.join(', ')}; correct the IDs`)
  },
})

const imageStep = ({ images }: NodeClassDeps): ClassStep => ({
  condition: 'ImagesReady',
  run: async ({ spec }, signal) => {
    const missing: string[] = []
    for (const os of osTypes(spec?.osType)) if ((await images.find(os, signal)) === undefined) missing.push(os)
    return missing.length === 0
      ? { condition: { type: 'ImagesReady', status: 'True' }, again: AGAIN }
      : notTrue(
          'ImagesReady',
          'ImagesNotFound',
          `there is no worker image of ${missing.join(', ')} for version ${await images.clusterVersion(signal)} of the cluster; change spec.osType`,
        )
  },
})

/** Returns the steps that resolve a class, in the order of its conditions. */
export const classSteps = (deps: NodeClassDeps): readonly ClassStep[] => [
  instanceStep(deps),
  networkStep(deps),
  imageStep(deps),
]

/** Returns the controllers that resolve BizflyCloudNodeClasses and maintain their hash. */
export const bizflyNodeClassControllers = (
  context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>,
  deps: NodeClassDeps,
): readonly Controller[] => [
  new NodeClassStatus<BizflyCloudNodeClass>({
    ...{
      context,
      kind: bizflyNodeClassKind,
      conditions: bizflyNodeClassConditions,
      steps: classSteps(deps),
      causeOf: toStepCause,
    },
    // There is no finalizer, because Bizfly's own provider would not remove it. After a switch back to that provider, no class could be
    // deleted.
  }).controller(),
  nodeClassHashing<BizflyCloudNodeClass>({
    ...{ context, kind: bizflyNodeClassKind, annotations: nodeClassHashAnnotations, hash: bizflyNodeClassHash },
  }),
]
