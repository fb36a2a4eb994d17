import { labels, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type ClaimIndex, ClaimTagging, usesNodeClassKind } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { alibabaEvents } from '../alibaba-events.ts'
import { kindOfError } from '../failures/failure-kind.ts'
import type { Instances } from '../instances/instances.ts'
import { claimAnnotations, clusterTag, TAG } from '../names.ts'
import { ecsNodeClassKind } from '../node-class/ecs-node-class.ts'

const PAUSE: Milliseconds = 1_000

/**
 * Returns the controller that tags an instance after its Node has registered. It adds the Node's name. It also adds the NodeClaim's name if
 * another provider launched the instance without this tag (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`).
 */
export const tagging = ({
  context,
  instances,
  claims,
  clusterId,
  instanceId,
}: {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'log' | 'events'>
  readonly instances: Instances
  readonly claims: Pick<ClaimIndex, 'claimsOf'>
  readonly clusterId: string
  readonly instanceId: (providerID: string) => string | undefined
}): Controller =>
  new ClaimTagging({
    context,
    instances: {
      get: (id, signal) => instances.get(id, signal),
      knownTags: (id) => instances.known(id)?.tags,
      tag: (id, tags, signal) => instances.tag(id, tags, signal),
      // The list contains only instances with Kerf's ownership tags, so Kerf never sees an untagged instance.
      onUntagged: () => () => undefined,
    },
    isOwn: (claim) => usesNodeClassKind(ecsNodeClassKind, claim),
    claimsOf: (id) => claims.claimsOf(id),
    instanceIdOf: ({ status }) => instanceId(status?.providerID ?? ''),
    cloud: 'Alibaba Cloud',
    doneAnnotations: claimAnnotations,
    tagsOf: ({ metadata, status }) => ({
      Name: status?.nodeName ?? '',
      [TAG.nodeClaim]: metadata.name,
      [TAG.clusterId]: clusterId,
    }),
    ownerTagsOf: ({ metadata }) => ({
      [clusterTag(clusterId)]: 'owned',
      [TAG.nodePool]: metadata.labels?.[labels.nodePool] ?? '',
      [TAG.clusterId]: clusterId,
    }),
    isAllowed: () => true,
    isRefusal: (error) => kindOfError(error) === 'account',
    remedyFor: (id, tags) => `add the tags ${Object.keys(tags).join(', ')} to instance ${id}`,
    eventReason: alibabaEvents.reason('InstanceTagsMissing'),
    pause: PAUSE,
  }).controller()
