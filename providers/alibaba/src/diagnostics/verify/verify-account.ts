import type { Clock, KubeClient } from '@kerf/runtime'
import type { AlibabaApi } from '../../api/actions.ts'
import { allInstances } from '../../api/pages.ts'
import { ClusterFacts } from '../../discovery/cluster-facts.ts'
import { confirmEmptyList } from '../../instances/empty-list.ts'
import { clusterTag } from '../../names.ts'
import { OfferedTypes } from '../../offers/offered-types.ts'
import { type AccountFinding, isKeyRefusal, passed, refused, type Subject, skipped, warned } from './finding.ts'
import { classFindings } from './verify-classes.ts'

export interface VerifyDeps {
  readonly api: AlibabaApi
  readonly clock: Clock
  readonly region: string
  readonly clusterId: string
  /** Whether ACK manages the cluster. */
  readonly isManaged: boolean
  /** The client of the cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
}

/** Runs a check whose calls may fail. */
const attempt = async (
  subject: Subject,
  whenMissing: string,
  signal: AbortSignal,
  run: () => Promise<AccountFinding>,
): Promise<AccountFinding> => {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    return refused(subject, error, whenMissing)
  }
}

const stockFinding = (deps: VerifyDeps, offered: OfferedTypes, signal: AbortSignal): Promise<AccountFinding> => {
  const subject = { check: 'the region has instance types in stock', object: `region ${deps.region}` }
  return attempt(subject, 'correct REGION_ID', signal, async () => {
    const { types, stock } = await offered.read(signal)
    const zones = [...stock['on-demand']].filter(([, names]) => names.size > 0).map(([zone]) => zone)
    const seen = `${types.length} types; in stock on demand in ${zones.toSorted().join(', ') || 'no zone'}`
    return zones.length === 0
      ? warned(subject, seen, 'use another region, or ask for more stock')
      : passed(subject, seen)
  })
}

const instancesFinding = ({ api, region, clusterId }: VerifyDeps, signal: AbortSignal): Promise<AccountFinding> => {
  const subject = { check: 'the instances of the cluster can be listed', object: `cluster ${clusterId}` }
  return attempt(subject, 'correct REGION_ID', signal, async () => {
    const query = { RegionId: region, Tag: [{ Key: clusterTag(clusterId), Value: 'owned' }] }
    const found = await allInstances(api, query, signal)
    if (found.length === 0) await confirmEmptyList(api, region, signal)
    return passed(subject, `${found.length} have the tag ${clusterTag(clusterId)}`)
  })
}

const tagsFinding = ({ api, region, clusterId }: VerifyDeps, signal: AbortSignal): Promise<AccountFinding> => {
  const subject = { check: 'tags can be listed, for clusters of more than 1,000 instances', object: `region ${region}` }
  return attempt(subject, 'correct REGION_ID', signal, async () => {
    const Tag = [{ Key: clusterTag(clusterId), Value: 'owned' }]
    await api.call('ListTagResources', { RegionId: region, ResourceType: 'instance', Tag }, signal)
    return passed(subject, 'the call is allowed')
  })
}

/** Checks whether Kerf can read the prices of one instance type. In a region without spot stock, there is no price to read. */
const priceFinding = (
  { api, region }: VerifyDeps,
  offered: OfferedTypes,
  signal: AbortSignal,
): Promise<AccountFinding> => {
  const subject = { check: 'prices can be read', object: `region ${region}` }
  return attempt(subject, 'Kerf uses the prices that come with it until this call works', signal, async () => {
    const { stock } = await offered.read(signal)
    const [type] = [...stock.spot.values()].flatMap((names) => [...names]).toSorted()
    if (type === undefined) return skipped(subject, 'no type is in stock as spot')
    const query = { RegionId: region, NetworkType: 'vpc', InstanceType: type } as const
    const { Currency = 'unknown', SpotPrices } = await api.call('DescribeSpotPriceHistory', query, signal)
    const count = SpotPrices?.SpotPriceType?.length ?? 0
    return passed(subject, `currency ${Currency}; ${count} spot prices of ${type} in the last three hours`)
  })
}

/** Checks whether Kerf can read the ACK cluster. Prints no part of the attach script, because it contains a token. */
const clusterFindings = async (
  { clusterId, isManaged }: VerifyDeps,
  cluster: ClusterFacts | undefined,
  signal: AbortSignal,
): Promise<readonly AccountFinding[]> => {
  const object = `cluster ${clusterId}`
  if (!isManaged) return [skipped({ check: 'the ACK cluster', object }, 'CLUSTER_TYPE is not ACKManaged')]
  if (cluster === undefined) return [skipped({ check: 'the ACK cluster', object }, 'no cluster was specified')]
  const missing = 'correct CLUSTER_ID; "aliyun cs DescribeClustersV1" lists the IDs'
  const check = (name: string, run: () => Promise<string>): Promise<AccountFinding> => {
    const subject = { check: name, object }
    return attempt(subject, missing, signal, async () => passed(subject, await run()))
  }
  return Promise.all([
    check('the network of the cluster is known', async () => {
      const network = await cluster.network(signal)
      return network.plugin === 'flannel' ? `Flannel, ${network.podsPerNode} pods to a node` : network.plugin
    }),
    check(
      'ACK has images for the version of the cluster',
      async () => `${(await cluster.images(signal)).length} images`,
    ),
    check('ACK gives the script for new nodes', async () => {
      const [pool] = await cluster.nodePools(signal)
      const poolId = pool?.nodepool_info?.nodepool_id
      await cluster.attachScript({ formatsDisk: false, arch: 'amd64', poolId }, signal)
      return `with the runtime of node pool ${poolId ?? 'unknown'}`
    }),
  ])
}

/**
 * Checks whether an account has everything that Kerf needs, without changing anything. Uses the caller's keys, which are the controller's
 * in a pod and the user's elsewhere.
 *
 * @throws the signal's reason
 */
export const verifyAccount = async (deps: VerifyDeps, signal: AbortSignal): Promise<readonly AccountFinding[]> => {
  const { api, region, client, clock, clusterId, isManaged } = deps
  const keys: Subject = { check: 'Alibaba Cloud accepts the credentials', object: `region ${region}` }
  const rest: Subject = { check: 'instances, stock, prices, the cluster and node classes', object: 'the account' }
  let first: AccountFinding
  try {
    await api.call('DescribeInstanceTypes', { MaxResults: 1 }, signal)
    first = passed(keys, 'the first call was answered')
  } catch (error) {
    signal.throwIfAborted()
    first = refused(keys, error, 'correct REGION_ID')
    // If only the permission for the first call is missing, the other calls may still succeed.
    if (isKeyRefusal(error) || first.outcome !== 'failed' || !/Forbidden/.test(first.seen))
      return [first, skipped(rest, 'Alibaba Cloud does not accept the credentials, or does not answer')]
  }
  const offered = new OfferedTypes(api, clock, region)
  const facts =
    client === undefined ? undefined : new ClusterFacts({ api, client, clock }, { id: clusterId, region, isManaged })
  const findings = await Promise.all([
    stockFinding(deps, offered, signal),
    instancesFinding(deps, signal),
    tagsFinding(deps, signal),
    priceFinding(deps, offered, signal),
    clusterFindings(deps, facts, signal),
    classFindings({ api, region, client, cluster: facts }, signal),
  ])
  const launches: Subject = { check: 'instances can be launched, tagged and released', object: `region ${region}` }
  return [
    first,
    ...findings.flat(),
    skipped(launches, 'only a launch shows it; "kerf alibaba roles --check FILE" compares the policy'),
  ]
}
