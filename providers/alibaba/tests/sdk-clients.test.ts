import CS, * as cs from '@alicloud/cs20151215'
import ECS, * as ecs from '@alicloud/ecs20140526'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import VPC, * as vpc from '@alicloud/vpc20160428'
import { VirtualClock } from '@kerf/runtime'
import { afterAll, expect, test } from 'vitest'
import type { ActionName, ActionRequest } from '../src/api/actions.ts'
import { serveAlibaba } from '../src/testing/fake-alibaba/loopback.ts'
import { ACCESS_KEY, CLUSTER } from '../src/testing/fake-alibaba/names.ts'
import { fakeApi } from '../src/testing/fake-api.ts'
import { sampleRequests } from '../src/testing/sample-requests.ts'

const never = new AbortController().signal
const { cloud, api, account } = await fakeApi(new VirtualClock())
account.put({ id: 'i-1', tags: { owner: 'kerf' } })
const served = await serveAlibaba(cloud)
afterAll(() => served.close())

const config = new $OpenApiUtil.Config({
  ...{ accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret },
  ...{ endpoint: served.host, protocol: 'http', regionId: 'cn-hangzhou' },
})

/**
 * Returns the class that a module exports. The default import of a CommonJS module is either the class itself or an object with the class
 * in `default`.
 */
const classOf = <T>(imported: T | { readonly default: T }): T =>
  typeof imported === 'object' && imported !== null && 'default' in imported ? imported.default : (imported as T)

const clients = {
  ecs: new (classOf(ECS))(config),
  vpc: new (classOf(VPC))(config),
  cs: new (classOf(CS))(config),
}

/**
 * Converts wire names of fields to the names in the generated models: `RegionId` becomes `regionId`, and `format_disk` becomes
 * `formatDisk`.
 */
const modelFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(modelFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      (name.charAt(0).toLowerCase() + name.slice(1)).replaceAll(/_([a-z])/g, (_, letter: string) =>
        letter.toUpperCase(),
      ),
      modelFields(inner),
    ]),
  )
}

type Made<Model> = Model extends new (map: never) => infer Request ? Request : never

/** Returns an instance of a generated request model. The constructors of the models accept plain objects. */
const model = <Models extends object, Name extends keyof Models>(
  models: Models,
  name: Name,
  request: object,
): Made<Models[Name]> => {
  const Model = models[name] as new (map: unknown) => Made<Models[Name]>
  return new Model(modelFields(request))
}

const withoutCluster = ({ ClusterId: _, ...rest }: { readonly ClusterId: string }): object => rest

/** For each action, a function that sends a request with the generated client. */
const calls: { readonly [A in ActionName]: (request: ActionRequest<A>) => Promise<unknown> } = {
  DescribeInstanceTypes: (r) => clients.ecs.describeInstanceTypes(model(ecs, 'DescribeInstanceTypesRequest', r)),
  DescribeAvailableResource: (r) =>
    clients.ecs.describeAvailableResource(model(ecs, 'DescribeAvailableResourceRequest', r)),
  DescribeSecurityGroups: (r) => clients.ecs.describeSecurityGroups(model(ecs, 'DescribeSecurityGroupsRequest', r)),
  DescribeImages: (r) => clients.ecs.describeImages(model(ecs, 'DescribeImagesRequest', r)),
  CreateAutoProvisioningGroup: (r) =>
    clients.ecs.createAutoProvisioningGroup(model(ecs, 'CreateAutoProvisioningGroupRequest', r)),
  DescribeInstances: (r) => clients.ecs.describeInstances(model(ecs, 'DescribeInstancesRequest', r)),
  ListTagResources: (r) => clients.ecs.listTagResources(model(ecs, 'ListTagResourcesRequest', r)),
  DeleteInstance: (r) => clients.ecs.deleteInstance(model(ecs, 'DeleteInstanceRequest', r)),
  AddTags: (r) => clients.ecs.addTags(model(ecs, 'AddTagsRequest', r)),
  DescribeSpotPriceHistory: (r) =>
    clients.ecs.describeSpotPriceHistory(model(ecs, 'DescribeSpotPriceHistoryRequest', r)),
  DescribeVSwitches: (r) => clients.vpc.describeVSwitches(model(vpc, 'DescribeVSwitchesRequest', r)),
  DescribeClusterDetail: () => clients.cs.describeClusterDetail(CLUSTER),
  DescribeClusterNodePools: () =>
    clients.cs.describeClusterNodePools(CLUSTER, model(cs, 'DescribeClusterNodePoolsRequest', {})),
  DescribeClusterAttachScripts: (r) =>
    clients.cs.describeClusterAttachScripts(
      CLUSTER,
      model(cs, 'DescribeClusterAttachScriptsRequest', withoutCluster(r)),
    ),
  DescribeKubernetesVersionMetadata: (r) =>
    clients.cs.describeKubernetesVersionMetadata(model(cs, 'DescribeKubernetesVersionMetadataRequest', r)),
}

test.each(Object.keys(sampleRequests) as ActionName[])(
  '%s: the vendor’s generated client sends what Kerf sends',
  async (action) => {
    const send = calls[action] as (request: unknown) => Promise<unknown>
    await send(sampleRequests[action])
    const theirs = cloud.requests.at(-1)
    await api.call(action, sampleRequests[action], never)
    expect(cloud.requests.at(-1)).toEqual(theirs)
    expect([cloud.problems, theirs?.action]).toEqual([[], action])
  },
)
